package components

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/why"
)

// Segment is a part of an API path: a link to what lies up to there, with what the part is called.
type Segment struct {
	Text    string
	Means   string // "API group", "namespace", "name"…
	Href    string // empty: a fixed word, or the page itself
	Current bool
}

// Menu is a choice among links, folded away behind what is chosen now.
type Menu struct {
	Label   string // what is chosen: "cluster", "namespace"; empty: Current says all
	Current string
	Links   []Link
	Note    string // said below the links
}

// Fact is a name with its value.
type Fact struct {
	Name string
	Text string
	Href string
	Hint string
	Mono bool
	Tone Tone
	Why  *why.Topic // what explains the name; nil: nothing does
}

// Condition is one of an object's status conditions.
type Condition struct {
	Type, Status, Reason, Message string

	Since string // age of the last transition
}

// Request is one request that was made to the API server, as the line at the bottom of a page and
// the wire log show it.
type Request struct {
	Verb      string `json:"verb"` // API verb
	Method    string `json:"method"`
	Target    string `json:"target"` // path and query
	Status    int    `json:"status"` // 0: no answer
	MediaType string `json:"mediaType"`
	Bytes     int64  `json:"bytes"`
	Millis    int64  `json:"millis"`
	Events    int64  `json:"events,omitempty"`   // of a watch
	Warnings  int    `json:"warnings,omitempty"` // that the answer has
	Open      bool   `json:"open,omitempty"`     // the answer has not come to its end, or not at all yet
}

// WireLine shows one request as a line: verb, method, target, status, media type, size, time. Every page has several of them; were it
// inlined, the browser's programs would have a copy of it for each.
//
//go:noinline
func WireLine(r Request) templ.Component { return wireLine(r) }
