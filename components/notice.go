package components

import "github.com/fieldmark/fieldmark/components/why"

// Notice is a message about a state: empty, forbidden, unreachable…
type Notice struct {
	Tone    Tone
	Title   string
	Words   string   // the state, in one or two sentences
	Advice  string   // what to do about it
	Quoted  string   // the server's own message, unchanged
	Details []string // a list below, such as similar names
	Links   []Link
	Why     *why.Topic `json:",omitempty"` // the explanation in the guide
	// Refused tells that Quoted is a refusal of an API server, which another page can explain.
	Refused bool `json:",omitempty"`
}

// Link is a link with its text.
type Link struct {
	Text    string
	Href    string
	Hint    string
	Current bool
	Primary bool
	Why     *why.Topic // the explanation in the guide; nil: there is none
	Mark    string     // a warning about the page behind the link, in words; empty: none
}

// RefusalForm is the id of the form that sends a refusal to the page that explains refusals. RefusalText is the name of the field with its
// text. If a document has no such form, the buttons for it aren't shown.
const (
	RefusalForm = "refusal-form"
	RefusalText = "refusal"
)
