package components

import "github.com/fieldmark/fieldmark/components/why"

// Notice is a state told in words: nothing here, not allowed, not reachable…
type Notice struct {
	Tone    Tone
	Title   string
	Words   string   // what is the matter, in one or two sentences
	Advice  string   // what to do about it
	Quoted  string   // what the server itself said, word for word
	Details []string // a list below, such as names that are close
	Links   []Link
	Why     *why.Topic `json:",omitempty"` // what explains it, in the guide
	// Refused tells that Quoted is a refusal of an API server, which another page can explain.
	Refused bool `json:",omitempty"`
}

// Link is a link with its words.
type Link struct {
	Text    string
	Href    string
	Hint    string
	Current bool
	Primary bool
	Why     *why.Topic // what explains it; nil: nothing does
}

// RefusalForm is the id of the form by which a page takes a refusal to the one that explains it, and RefusalText the name of its text.
// Where a document has no such form, buttons for it aren't shown.
const (
	RefusalForm = "refusal-form"
	RefusalText = "refusal"
)
