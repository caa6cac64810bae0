// Package describe says in plain sentences how an object is, and what it waits for: a Pod, a Job, a Node, a Service, an Ingress or a PersistentVolumeClaim.
//
//	object ─▶ Requests: the other parts to read ─▶ Found: their responses, in short ─┐
//	object ──────────────────────────────────────────────────────────────────────────┴─▶ Of: a Description
//
// A description says only what the API says. A part whose request was refused says so, and nothing is concluded from it.
package describe

import (
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
)

// Tone is the tone of a text, by the names that components have for tones.
type Tone string

// The tones.
const (
	Calm Tone = ""
	Good Tone = "good"
	Busy Tone = "busy"
	Warn Tone = "warn"
	Bad  Tone = "bad"
)

// Subject is what is described.
type Subject struct {
	Object  object.Object // masked
	Path    apipath.Path
	Catalog discovery.Catalog
	Found   Found
	Now     time.Time
}

// Description is an object in plain words.
type Description struct {
	Waits []Wait // what it waits for; what comes first, first
	Facts []Fact
	Parts []Part
}

// Wait is something that the object waits for, or what it has come to.
type Wait struct {
	Tone   Tone
	Words  string
	Quoted string // the cluster's own message
	Link   Text   // to what it waits for; without a path: nowhere
}

// Fact is a name with its values.
type Fact struct {
	Name   string
	Values Cell
}

// Text is one line of a cell.
type Text struct {
	Text string
	Tone Tone
	Path string // the API path of what the text names; it may have a query
	Soft bool   // it explains the line above
}

// Cell is the lines of a cell.
type Cell []Text

// Part is a part of the description, as a table.
type Part struct {
	ID, Title string
	Wide      bool     // it needs the width of the page
	Head      []string // names of the columns
	Rows      [][]Cell
	None      string   // said in place of rows; empty: the part is left out without rows
	Needs     []string // the requests that it needs, by their IDs
	More      string   // what isn't shown
}

// kind is one of the kinds that are described.
type kind struct {
	group, resource string
	requests        func(Subject) []Request
	describe        func(Subject) Description
}

func kinds() []kind {
	return []kind{
		{"", "pods", podRequests, describePod},
		{"batch", "jobs", jobRequests, describeJob},
		{"", "nodes", nodeRequests, describeNode},
		{"", "services", serviceRequests, describeService},
		{"networking.k8s.io", "ingresses", ingressRequests, describeIngress},
		{"", "persistentvolumeclaims", claimRequests, describeClaim},
	}
}

// Known tells whether objects of a type are described.
func Known(group, resource string) bool {
	return slices.ContainsFunc(kinds(), func(k kind) bool { return k.group == group && k.resource == resource })
}

// kind is the kind of the subject. Objects of other kinds have no description.
func (s Subject) kind() kind {
	all := kinds()
	if at := slices.IndexFunc(all, func(k kind) bool { return k.group == s.Path.Group && k.resource == s.Path.Resource }); at >= 0 {
		return all[at]
	}
	return kind{
		requests: func(Subject) []Request { return nil },
		describe: func(Subject) Description { return Description{} },
	}
}

// Of describes the subject.
func Of(s Subject) Description {
	d := s.kind().describe(s)
	d.Waits = append(s.deletion(), d.Waits...)
	d.Parts = append(d.Parts, s.events())
	d.Parts = slices.DeleteFunc(d.Parts, func(p Part) bool { return len(p.Rows) == 0 && p.None == "" && !s.lacks(p.Needs) })
	return d
}

// lacks tells whether one of the requests was refused.
func (s Subject) lacks(needs []string) bool {
	return slices.ContainsFunc(needs, func(id string) bool { _, no := s.Found.No[id]; return no })
}

// heard tells whether the response to a request has arrived, and wasn't refused.
func (s Subject) heard(id string) bool { return s.Found.Heard[id] }

// deletion says what a deletion waits for.
func (s Subject) deletion() (all []Wait) {
	deleted := s.Object.Deleted()
	if deleted.IsZero() {
		return nil
	}
	words := "It is being deleted."
	if grace := deleted.Sub(s.Now); grace > 0 {
		words = "It is being deleted, and has " + table.Duration(grace) + " left to end by itself."
	}
	all = append(all, Wait{Tone: Busy, Words: words})
	for _, name := range s.Object.Finalizers() {
		all = append(all, Wait{Tone: Busy, Words: "It waits for the finalizer " + name + ": its controller removes it after it has cleaned up."})
	}
	return all
}

// Age is the time since t, as tables have it; empty if t isn't known.
func (s Subject) Age(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return table.Age(t, later(s.Now, t))
}

// ago is the time since t in a sentence.
func (s Subject) ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " " + s.Age(t) + " ago"
}

// later is the later time. The clock of a reader can be behind that of the cluster.
func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func (s Subject) namespace() string { return s.Path.Namespace }

// namespaced is the API path of an object of the core group in the subject's namespace.
func (s Subject) namespaced(resource, name string) string {
	return pathOf("", "v1", s.namespace(), resource, name)
}

// pathOf is the API path of an object; empty without a name that an object can have.
func pathOf(group, version, namespace, resource, name string) string {
	if name == "" || apipath.Unfit(name) != "" {
		return ""
	}
	return apipath.Object(group, version, namespace, resource, name).String()
}

func line(text string) Cell {
	if text == "" {
		return nil
	}
	return Cell{{Text: text}}
}

func linked(text, path string) Cell { return Cell{{Text: text, Path: path}} }

// fact adds a fact, if it has a value.
func (d *Description) fact(name string, values ...Text) {
	values = slices.DeleteFunc(values, func(t Text) bool { return t.Text == "" })
	if len(values) > 0 {
		d.Facts = append(d.Facts, Fact{Name: name, Values: values})
	}
}

func (d *Description) wait(tone Tone, words, quoted string) {
	d.Waits = append(d.Waits, Wait{Tone: tone, Words: words, Quoted: quoted})
}

// waitFor adds something that it waits for, with a link to it.
func (d *Description) waitFor(tone Tone, words, quoted string, link Text) {
	d.Waits = append(d.Waits, Wait{Tone: tone, Words: words, Quoted: quoted, Link: link})
}

// controller is the owner that controls the object.
func (s Subject) controller(d *Description) {
	for _, o := range s.Object.OwnerReferences() {
		if !o.Controller {
			continue
		}
		text := Text{Text: o.Kind + " " + o.Name}
		group, version := discovery.SplitGroupVersion(o.APIVersion)
		if t, served := s.Catalog.Kind(group, version, o.Kind); served {
			namespace := ""
			if t.Namespaced {
				namespace = s.namespace()
			}
			text.Path = pathOf(t.Group, t.Version, namespace, t.Resource, o.Name)
		}
		d.fact("Controlled by", text)
	}
}
