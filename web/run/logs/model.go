// Package logs is the page of an object's logs: what its containers write, as they write it.
//
//	pods ── watch ──▶ sources: one for each container ──▶ calls: some are followed, the others are read again and again
//	                                                       │
//	  rows ◀── window ◀── index: lines that the filter shows ◀── podlog.Log ◀── podlog.Seen ◀── podlog.Reader
//
// Browsers keep only a few connections to one host, for all tabs together. So only some containers are followed by a request that stays open, and a
// hidden page reads nothing. It continues where it was when it is visible again.
package logs

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

// Kind names the page in the embedded model.
const Kind = "logs"

// Model is the page's state. The server reads the last lines, so the page is complete without scripts.
type Model struct {
	subject.Subject
	Options Options       `json:"options"`
	Pods    string        `json:"pods"` // the API path of the pods, with their selector; empty: the object selects none
	Found   []podlog.Pod  `json:"found,omitempty"`
	Read    []Read        `json:"read,omitempty"`    // the logs that the server has read
	Lines   []podlog.Line `json:"lines,omitempty"`   // theirs, merged; Source is an index of Read
	Earlier bool          `json:"earlier,omitempty"` // lines before Lines were read, and left out
	live    *live
}

// Read is a log that was read.
type Read struct {
	Pod       string         `json:"pod"`
	Container string         `json:"container"`
	No        *status.Status `json:"no,omitempty"`  // the API server's refusal
	Cut       bool           `json:"cut,omitempty"` // the log is longer than what the server reads of one log
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m, m.laidOut()) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	var following *components.Liveness
	if m.live != nil && m.Pods != "" && m.Problem == nil {
		following = new(m.live.contact.Liveness(0, 0))
	}
	h := m.Subject.Above(following)
	h.Problem = true
	return h
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return append([]components.Key{
		{Keys: []string{"f"}, Does: "Follow the logs, or stop"},
		{Keys: []string{"/"}, Does: "Filter the lines"},
		{Keys: []string{"w"}, Does: "Wrap long lines, or don’t"},
		{Keys: []string{"t"}, Does: "Show or hide timestamps"},
		{Keys: []string{"p"}, Does: "Logs of the run before the last restart, or of this one"},
		{Keys: []string{"j", "k"}, Does: "Go to the link of the next line, of the previous line"},
		{Keys: []string{"g"}, Does: "Go to the first line"},
		{Keys: []string{"G"}, Does: "Go to the last line, and stay there"},
	}, subject.Keys()...)
}

// optionsAddress is the address of the page with other options.
func (m Model) optionsAddress(change func(*Options)) string {
	o := m.Options
	if change != nil {
		change(&o)
	}
	return m.Subject.Address(o.Values())
}

func (m Model) now() time.Time {
	if m.live != nil {
		return m.live.now
	}
	return m.Subject.Now
}
