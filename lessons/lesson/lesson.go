// Package lesson is a lesson of the field guide as a value: its steps, their requests, the learner's predictions, and the checks. It
// knows what a check means. It doesn't know how a lesson is written down, or how a request is sent. So the page in the browser and the
// program that tests all lessons share it.
package lesson

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/request"
)

// Lesson is one lesson.
type Lesson struct {
	ID       string   `json:"id"` // the name of its folder, and of its address
	Title    string   `json:"title"`
	Summary  string   `json:"summary"`         // one sentence: "You'll be able to …"
	Concepts []int    `json:"concepts"`        // numbers of the concepts that it teaches
	Minutes  int      `json:"minutes"`         // how long it takes to work through
	Paths    []string `json:"paths,omitempty"` // beginners, operators, controller-authors
	After    []string `json:"after,omitempty"` // lessons that it builds on
	// Takeaways are what the reader keeps: rules and commands, each a sentence or two.
	Takeaways []Takeaway `json:"takeaways,omitempty"`
	// Own are commands that show the same on the learner's own cluster.
	Own []Own `json:"own,omitempty"`
	// Scenario is the spec of a Scenario as JSON that the cluster has to hold to, with variables in it; empty: none.
	Scenario string `json:"scenario,omitempty"`
	// Rights are what one must be allowed in the cluster, in words of the API: "create namespaces", "patch deployments.apps".
	Rights []string `json:"rights,omitempty"`
	// Alone tells that what it does concerns the whole cluster (compaction, restart), so that no other lesson is tried beside it.
	Alone bool `json:"alone,omitempty"`
	// Intro is the text before the first step. HTML, as all prose: see Fill and Tooled for what a page does with it.
	Intro string `json:"intro,omitempty"`
	Steps []Step `json:"steps"`
	// Cleanup are the requests, without names, that remove what is in no namespace. They are sent whatever became of the steps,
	// and a 404 is as good an answer as any.
	Cleanup []Request `json:"cleanup,omitempty"`
	Terms   []string  `json:"terms,omitempty"` // of the glossary, that its text mentions
	// FoundBy are texts that people have in front of them when they need the lesson: parts of messages, names of fields.
	FoundBy []string `json:"-"`
	File    string   `json:"-"` // where it is written, for messages
}

// Takeaway is a rule or a command to keep.
type Takeaway struct {
	HTML  string        `json:"html"`
	Range release.Range `json:"range,omitzero"`
}

// Term is an entry of the glossary.
type Term struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	HTML   string `json:"html"`             // what it means, at length
	Text   string `json:"text"`             // its first paragraph without markup: the definition
	Words  string `json:"-"`                // all of it without markup, for a search
	Lesson string `json:"lesson,omitempty"` // where one learns about it
	Line   int    `json:"-"`
}

// Step is what the learner has in sight at a time.
type Step struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	Blocks []Block `json:"blocks"`
	Line   int     `json:"line,omitempty"` // of the file, from 1
	// Range are the versions of Kubernetes on which the step can be done. It has no end: see Lesson.On.
	Range release.Range `json:"range,omitzero"`
}

// Block is a part of a step: exactly one of the pointers is set, or HTML. A block behind a request is shown once the answer is there. A
// block that Lesson.On has left out has nothing of it, and keeps its place.
type Block struct {
	Line int `json:"line,omitempty"`
	// Range are the versions of Kubernetes for which the block is true.
	Range release.Range `json:"range,omitzero"`
	// Differs tells that the HTML says what servers do for which the rest of the step isn't true.
	Differs bool     `json:"differs,omitempty"`
	HTML    string   `json:"html,omitempty"` // prose and pictures, safe to show as it is
	Predict *Predict `json:"predict,omitempty"`
	Request *Request `json:"request,omitempty"`
	Check   *Check   `json:"check,omitempty"`
	Notes   *Notes   `json:"notes,omitempty"`
	Show    *Show    `json:"show,omitempty"`
	// Recorded is compared with the response of the reader's server.
	Recorded *Recorded `json:"recorded,omitempty"`
	Stop     *Stop     `json:"stop,omitempty"`
	Aside    *Aside    `json:"aside,omitempty"`
}

// Aside is a block that isn't true for the server, or nobody knows whether it is: it is shown, but nothing of it is asked, sent or
// checked. Only Lesson.On makes one.
type Aside struct {
	Range release.Range `json:"range,omitzero"` // of the block; zero: that of the step, or its parts have their own
	Block Block         `json:"block"`
}

// Header is one field of a head.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Request is a request that the learner sends. All its texts may have variables in them.
type Request struct {
	Name   string   `json:"name"` // to speak of its answer by
	Method string   `json:"method"`
	Target string   `json:"target"` // the API path with its query
	Header []Header `json:"header,omitempty"`
	Body   string   `json:"body,omitempty"`
	// As names with whose rights it is sent: empty for the learner's own, "viewer" for the practice cluster's viewer.
	As string `json:"as,omitempty"`
	// Watch leaves the request open: its answer is a stream, and the lesson goes on once its head is there.
	Watch bool `json:"watch,omitempty"`
	// Keep is the most that is kept of the body, in bytes; 0: all of it.
	Keep int64 `json:"keep,omitempty"`
	// Kubectl are commands for a shell that do the same; empty: those that the request itself translates to.
	Kubectl string `json:"kubectl,omitempty"`
	// NoKubectl says why kubectl can't make the request; empty: it may be tried.
	NoKubectl string `json:"noKubectl,omitempty"`
	// KubectlLine is where the commands begin in the file; 0: they are not written there.
	KubectlLine int `json:"-"`
	Line        int `json:"-"`
}

// Field is the value of a header; empty: there is none.
func (r Request) Field(name string) string {
	for _, h := range r.Header {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// Reads tells whether the request changes nothing.
func (r Request) Reads() bool { return r.Method == request.Get || r.Method == request.Head }

// Writes tells whether the request stores something, unless it is refused.
func (r Request) Writes() bool { return !r.Reads() && !strings.Contains(r.Target, dryRun+"=") }

// Predict is a question that is put before the answer is shown.
type Predict struct {
	Question string `json:"question"` // HTML
	Of       string `json:"of"`       // the request whose answer tells, of this step or one before
	// Value is what the answer is asked for, if the learner writes a value; nil: they choose.
	Value   *Subject `json:"value,omitempty"`
	Choices []Choice `json:"choices"`
	Line    int      `json:"-"`
}

// Choice is one thing to predict, or a value that is explained.
type Choice struct {
	Text  string `json:"text"` // HTML; of a value, the value as it is written, "*" for any other
	Right bool   `json:"right,omitempty"`
	// If holds of the answer where the choice is right, and does not where it is wrong; it is nil for what no answer can tell.
	If *Statement `json:"if,omitempty"`
	// Because explains, whether it was right or wrong. HTML.
	Because string        `json:"because"`
	Range   release.Range `json:"range,omitzero"` // the versions for which the choice is offered
	Line    int           `json:"-"`
}

// Check is what has to be so.
type Check struct {
	Of string `json:"of,omitempty"` // the request whose answer is looked at; empty: that to Get
	// Get is asked for the state of the cluster, again and again until all is so or Within has passed; empty: an answer is looked at.
	Get string `json:"get,omitempty"`
	// Within is for how many seconds, at most, it may not be so yet; of a stream as well.
	Within     int         `json:"within,omitempty"`
	Statements []Statement `json:"statements"`
	// Aside are statements that aren't true for the server, or nobody knows whether they are. Only Lesson.On sets it.
	Aside []Statement `json:"aside,omitempty"`
}

// Notes are remarks beside an answer.
type Notes struct {
	Of    string `json:"of"` // the request
	Notes []Note `json:"notes"`
}

// Note is one remark.
type Note struct {
	At    Subject       `json:"at"`
	Text  string        `json:"text"` // HTML
	Range release.Range `json:"range,omitzero"`
	Line  int           `json:"-"`
}

// Show is something to look at.
type Show struct {
	Widget Widget   `json:"widget"`
	Of     []string `json:"of,omitempty"`   // the requests whose answers are shown
	Path   string   `json:"path,omitempty"` // of ShowLink: what to open, an API path with variables
	Tool   string   `json:"tool,omitempty"` // of ShowLink: in which tool; empty: on its own page
}

// Widget is a way to show an answer.
type Widget string

// The widgets.
const (
	ShowFields Widget = "fields" // an object's YAML, with its owners in the gutter
	ShowTable  Widget = "table"  // a Table, as collections' pages show it
	ShowDiff   Widget = "diff"   // two objects, and what differs, with owners
	ShowChunks Widget = "chunks" // answers to the chunks of one list, as a picture
	ShowEvents Widget = "events" // the events of a stream, as they come
	ShowBytes  Widget = "bytes"  // the body as bytes, the envelope of Protobuf taken apart
	ShowSizes  Widget = "sizes"  // several answers, their media types, bytes and times beside each other
	ShowLink   Widget = "link"   // a link into the tools
)

// Widgets are all of them.
var Widgets = []Widget{ShowFields, ShowTable, ShowDiff, ShowChunks, ShowEvents, ShowBytes, ShowSizes, ShowLink}

// Stop ends a watch.
type Stop struct {
	Of string `json:"of"`
}
