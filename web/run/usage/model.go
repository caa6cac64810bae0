// Package usage is the page of what a pod or a node uses, beside requests and limits.
//
// The server and the browser make the page with the same requests: Asks says which, and Heard and Refused take in the responses.
package usage

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

// Kind names the page in the embedded model.
const Kind = "usage"

// Model is the page's state. Its slices are replaced, and never changed.
type Model struct {
	subject.Subject
	Planned  usage.Subject   `json:"planned"`          // the pod or the node itself
	Pods     []usage.Subject `json:"pods,omitempty"`   // of a node, by its pods: at most podsRead
	Readings []Reading       `json:"readings"`         // the oldest first
	NoPods   string          `json:"noPods,omitempty"` // why a node is shown without its pods

	live live // the browser's
}

// Reading is one measurement.
type Reading struct {
	At     time.Time         `json:"at"`
	Window time.Duration     `json:"window"`
	Of     []usage.Container `json:"of"` // of a pod, its containers; of a node, the node and its largest pods
}

// live is what only a page in the browser knows.
type live struct {
	awake bool
	asked time.Time
	due   map[string]bool // the requests without a response
	pods  []usage.Measured
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := m.Subject.Above(nil)
	h.Problem = true
	return h
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.Subject.Now = now
	m.live = live{awake: true, asked: now}
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Addressed:
		if turn, other := m.Subject.Turned(msg.Query); other {
			return m, turn
		}
		return m, []page.Cmd{page.Reload{}}
	case page.Pressed:
		to, _ := m.Subject.Pressed(msg.Key)
		return m, to
	case page.Tick:
		m.Subject.Now = msg.Now
		return m.poll(msg.Now)
	case page.Response:
		return m.responded(msg), nil
	}
	return m, nil
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key { return subject.Keys() }

// ofNode tells whether the page is about a node.
func (m Model) ofNode() bool { return m.Subject.Type.Resource == "nodes" }
