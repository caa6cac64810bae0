package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

const askApply = "apply"

// run is the documents being applied, one request each, in their order.
type run struct {
	docs   []*document
	real   []call.Call // what is sent for each: made when it all began, so that it is what was previewed
	at     int         // the one on its way
	seq    int
	over   bool
	goOn   bool // after one that fails
	halted bool
}

// result is what came of applying a document.
type result struct {
	of      string         // the document's text then
	No      *status.Status // it was refused, or nobody knows what became of it
	Created bool
	Version string // of the object, from then on
	Skipped bool   // one before it failed
	Raced   bool   // the object changed after the preview
}

// told is what came of applying a document, as long as its text is the same; nil: nothing yet.
func (d *document) told() *result {
	if d.result == nil || d.result.of != d.read.Text {
		return nil
	}
	return d.result
}

// stored tells whether the API server stored the document's object.
func (r *result) stored() bool { return r != nil && r.Version != "" }

// happened sums up what came of applying the documents; empty: nothing was applied, or the texts are others now.
func (m Model) happened() string {
	if m.live.run == nil {
		return ""
	}
	if !m.live.run.over {
		return "Applying…"
	}
	var applied, refused, skipped int
	for _, d := range m.live.docs {
		switch r := d.told(); {
		case r == nil:
		case r.stored() && r.Created && len(m.live.docs) == 1:
			return "Created"
		case r.stored():
			applied++
		case r.Skipped:
			skipped++
		default:
			refused++
		}
	}
	if len(m.live.docs) == 1 && applied+refused == 1 {
		return map[bool]string{true: "Applied", false: "Not applied"}[applied == 1]
	}
	var parts []string
	for _, one := range []struct {
		n     int
		words string
	}{{applied, "applied"}, {refused, "refused"}, {skipped, "not sent"}} {
		if one.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", one.n, one.words))
		}
	}
	return strings.Join(parts, ", ")
}

// unready says why nothing can be applied now; empty: it can.
func (m Model) unready() string {
	if m.live.run != nil && !m.live.run.over {
		return "Fieldmark is applying the documents."
	}
	if len(m.live.docs) == 0 {
		return "The manifest has no documents."
	}
	if m.waits() {
		return "The preview isn’t ready yet."
	}
	for _, d := range m.live.docs {
		if why := m.unreadyOf(d); why != "" {
			if len(m.live.docs) > 1 {
				why = fmt.Sprintf("Document %d: %s", d.read.Index+1, why)
			}
			return why
		}
	}
	return ""
}

func (m Model) unreadyOf(d *document) string {
	if why := m.mayNot(d); why != "" {
		return why
	}
	switch {
	case d.why != "":
		return d.why
	case d.shown.dryRun.ok() == nil && !m.awaits(d):
		return "The API server refuses this document."
	case d.shown.dryRun.plain.Conflicts() && !d.force:
		return "This document conflicts with other managers. Resolve each conflict."
	}
	return ""
}

// awaits tells whether a document may be refused now because one before it is yet to be applied: a namespace, or the
// definition of its kind.
func (m Model) awaits(d *document) bool {
	no := d.shown.dryRun.plain.No
	return no != nil && no.Code == 404 && m.provided(d) >= 0
}

// provided gives the document before this one that makes the namespace it is in; -1: none does.
func (m Model) provided(d *document) int {
	for i, other := range m.live.docs {
		if other == d {
			break
		}
		if other.read.APIVersion == "v1" && other.read.Kind == "Namespace" && other.read.Name == d.target.Path.Namespace {
			return i
		}
	}
	return -1
}

// apply sends the documents, the first one first.
func (m Model) apply() (page.Page, []page.Cmd) {
	if m.unready() != "" {
		return m, nil
	}
	r := &run{docs: slices.Clone(m.live.docs), at: -1, goOn: m.live.goOn}
	for _, d := range r.docs {
		what, err := m.reality(d)
		if err != nil {
			m.Problem = &components.Notice{Tone: components.Bad, Title: "Nothing was sent", Words: "Fieldmark can’t add the previewed resource version to the manifest. " + wordsOf(err)}
			return m, nil
		}
		r.real = append(r.real, what)
	}
	for _, d := range r.docs {
		d.result = nil
	}
	m.live.run = r
	return m.next()
}

// next sends the next document.
func (m Model) next() (page.Page, []page.Cmd) {
	r := m.live.run
	r.at++
	if r.at >= len(r.docs) || r.halted {
		for _, d := range r.docs[r.at:] {
			d.result = &result{of: d.read.Text, Skipped: true}
		}
		r.over = true
		return m.afterwards()
	}
	m.live.seq++
	r.seq = m.live.seq
	r.docs[r.at].result = &result{of: r.docs[r.at].read.Text}
	return m, []page.Cmd{r.real[r.at].Send(dryrun.ID(askApply, r.seq))}
}

// reality is the request that was previewed without its dryRun, for the very version of the object that was previewed: if
// it changed since, the API server refuses.
func (m Model) reality(d *document) (call.Call, error) {
	text := d.read.Text
	if was := d.shown.dryRun.live; was != nil && was.No == nil {
		for _, key := range []string{"uid", "resourceVersion"} {
			read := source.Parse(text)
			if len(read.Documents[0].Find(".metadata."+key)) > 0 {
				continue // the reader's own condition counts
			}
			next, err := read.Insert(0, ".metadata", key, was.Object.Meta(key))
			if err != nil {
				return call.Call{}, err
			}
			text = next
		}
	}
	what := m.sends(d)
	what.Body = []byte(text)
	return what, nil
}

// sends is the request that Apply sends for a document, but for the version in its body.
func (m Model) sends(d *document) call.Call {
	return d.target.Request(d.read.Text, m.options(), false, d.force)
}

// applied takes in what came of a document.
func (m Model) applied(seq int, f page.Response) (page.Page, []page.Cmd) {
	r := m.live.run
	if r == nil || r.over || r.seq != seq {
		return m, nil
	}
	d, a := r.docs[r.at], dryrun.Read(f)
	d.result.No = a.No
	if a.No == nil {
		d.result.Created, d.result.Version = f.Status == 201, a.Object.Meta("resourceVersion")
		return m.next()
	}
	d.result.Raced = a.No.Code == status.CodeConflict && !a.Conflicts()
	return m.failed()
}

// failed goes on after a document that was refused, if the reader chose so.
func (m Model) failed() (page.Page, []page.Cmd) {
	m.live.run.halted = m.live.run.halted || !m.live.run.goOn
	return m.next()
}

// halt lets what is under way come to its end, and sends nothing more.
func (m Model) halt() {
	if m.live.run != nil {
		m.live.run.halted = true
	}
}

// afterwards asks about all documents anew: what was previewed is no more.
func (m Model) afterwards() (page.Page, []page.Cmd) {
	for _, d := range m.live.run.docs {
		if d.result.stored() {
			d.shown = nil // it has happened
		}
	}
	next, commands := m.anew()
	done, refused := 0, 0
	for _, d := range m.live.run.docs {
		switch {
		case d.result == nil || d.result.Skipped:
		case d.result.No != nil:
			refused++
		default:
			done++
		}
	}
	words := fmt.Sprintf("%d applied", done)
	if refused > 0 {
		words += fmt.Sprintf(", %d refused", refused)
	}
	return next, append(commands, page.Announce{Words: words + "."})
}
