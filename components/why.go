package components

import "github.com/fieldmark/fieldmark/components/why"

// explained says what a mark explains.
func explained(t why.Topic) string { return "Explained in the guide: " + t.Asks }
