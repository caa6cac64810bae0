package components

import "github.com/fieldmark/fieldmark/components/why"

// explained says what a link into the guide leads to, and that it opens a new tab.
func explained(t why.Topic) string { return "Explained in the guide (new tab): " + t.Asks }
