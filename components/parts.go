package components

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/condition"
)

// Segment is a part of an API path: its name, and a link to the path up to it.
type Segment struct {
	Text    string
	Means   string // "API group", "namespace", "name"…
	Href    string // empty: the part has no page, or it is the page itself
	Current bool
}

// long tells whether the part is shortened where there is no room for the path. Shorter ones stay whole.
func (s Segment) long() bool { return len(s.Text) > 24 }

// Menu is a list of links that opens below the current choice.
type Menu struct {
	Label   string // the subject of the choice: "cluster", "namespace"; empty: Current is enough
	Current string
	Links   []Link
	Note    string // shown below the links
	Find    *Finding
}

// Finding is the search for what a menu doesn't list. Without scripts it is a form; with them, a button.
type Finding struct {
	Action, Field string // of the form
	Do            string // the action of the button
	Words         string // what is searched
}

// Fact is a name with its value.
type Fact struct {
	Name string
	Text string
	Href string
	Hint string
	Mono bool
	Tone Tone
	Why  *why.Topic // the explanation of the name in the guide; nil: there is none
}

// Condition is one of an object's status conditions.
type Condition struct {
	Type, Status, Reason, Message string

	Since   string // the age of the last transition
	Links   []Link // to what the message names
	Verdict condition.Verdict
}

// Request is one request to the API server, as the line at the bottom of a page and
// the wire log show it.
type Request struct {
	Verb      string `json:"verb"` // API verb
	Method    string `json:"method"`
	Target    string `json:"target"` // the path and the query
	Status    int    `json:"status"` // 0: no response
	MediaType string `json:"mediaType"`
	Bytes     int64  `json:"bytes"`
	Millis    int64  `json:"millis"`
	Events    int64  `json:"events,omitempty"`   // of a watch
	Warnings  int    `json:"warnings,omitempty"` // the number of warnings in the response
	Open      bool   `json:"open,omitempty"`     // the response isn't complete, or hasn't begun
}

// WireLine shows one request as a line: verb, method, target, events and warnings, status, media type, size, time. It is not inlined, because every page has
// several lines and the browser's programs would have a copy of the code for each.
//
//go:noinline
func WireLine(r Request) templ.Component { return wireLine(r) }
