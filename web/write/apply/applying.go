package apply

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

const askApply = "apply"

// run is a sequence of documents being applied, in their order, with one request each.
type run struct {
	docs   []*document
	edited []*opened   // for each document of which the changes are applied: what later changes are compared with
	real   []call.Call // the requests, made at the beginning from the previews
	at     int         // the document being sent
	seq    int
	over   bool
	goOn   bool // continue after a failed document
	halted bool
	staged bool // of documents of stage 1, and others are of stage 2
}

// result is the result of applying a document.
type result struct {
	of      string         // the document's text when it was sent
	No      *status.Status // the refusal, or a Status that says that there is no response
	Created bool
	Version string // the new resourceVersion of the object
	Skipped bool   // not sent, because an earlier document failed or the reader stopped
	Raced   bool   // the object changed after the preview
}

// currentResult is the result of applying a document, as long as its text is the same; nil if there is none.
func (d *document) currentResult() *result {
	if d.result == nil || d.result.of != d.read.Text {
		return nil
	}
	return d.result
}

// stored tells whether the API server stored the document's object.
func (r *result) stored() bool { return r != nil && r.Version != "" }

// happened sums up the results of applying the documents. It is empty if nothing was applied, or if the texts have changed since.
func (m Model) happened() string {
	if m.live.run == nil {
		return ""
	}
	if !m.live.run.over {
		return "Applying…"
	}
	var applied, refused, skipped int
	for _, d := range m.live.docs {
		switch r := d.currentResult(); {
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

// unready says why the documents can't be applied now; empty if they can.
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
	switch broken := slices.ContainsFunc(m.live.docs, func(d *document) bool { return d.why != "" }); {
	case broken:
	case len(m.live.unserved) > 0:
		return "Fieldmark waits until the API server serves the new type."
	case len(m.stage().docs) == 0 && slices.ContainsFunc(m.live.docs, m.later):
		return "Stage 1 is applied, and the API server still can’t preview stage 2. “Preview again” asks again."
	case !slices.ContainsFunc(m.live.docs, func(d *document) bool { return !m.later(d) && !d.shown.dryRun.unchanged() }):
		return "You have changed nothing."
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
	if m.later(d) {
		return ""
	}
	if why := m.mayNot(d); why != "" {
		return why
	}
	switch {
	case d.why != "":
		return d.why
	case d.shown.dryRun.unchanged():
		return ""
	case d.shown.dryRun.idle:
		return "Fieldmark can’t tell what you changed, because it can’t read the object. You can apply the whole document instead."
	case d.shown.dryRun.ok() == nil:
		return "The API server refuses this document."
	case d.shown.dryRun.plain.Conflicts() && !d.forces():
		return "Choose Overwrite, Give up or Share for each conflict."
	}
	return ""
}

// awaits tells whether the dry run of a document failed because its namespace is missing, and another document creates this namespace.
func (m Model) awaits(d *document) bool {
	plain := d.shown.dryRun.plain
	return plain != nil && plain.No != nil && plain.No.Code == 404 && m.provided(d) >= 0 &&
		strings.HasPrefix(plain.No.Message, "namespaces "+strconv.Quote(d.target.Path.Namespace)+" not found")
}

// provided is the number of the document that creates the namespace of this one; -1 if none does.
func (m Model) provided(d *document) int {
	for i, other := range m.live.docs {
		if other.read.APIVersion == "v1" && other.read.Kind == "Namespace" && other.read.Name == d.target.Path.Namespace {
			return i
		}
	}
	return -1
}

// apply begins to send the documents.
func (m Model) apply() (page.Page, []page.Cmd) {
	if m.unready() != "" {
		return m, nil
	}
	r := &run{docs: m.stage().docs, at: -1, goOn: m.live.goOn, staged: m.stage().first()}
	for _, d := range r.docs {
		what, err := m.reality(d)
		if err != nil {
			m.Problem = &components.Notice{Tone: components.Bad, Title: "Nothing was sent", Words: "Fieldmark can’t add the previewed resource version to the manifest. " + wordsOf(err)}
			return m, nil
		}
		r.real = append(r.real, what)
		var edited *opened
		if m.began(d) {
			edited = &opened{path: m.live.opened.path, text: d.read.Text, fields: d.read.Fields()}
		}
		r.edited = append(r.edited, edited)
	}
	for _, d := range r.docs {
		d.result = nil
	}
	m.live.run = r
	return m.sendNextDocument()
}

// sendNextDocument sends the next document.
func (m Model) sendNextDocument() (page.Page, []page.Cmd) {
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

// reality is the previewed request without dryRun. Its body has the uid and resourceVersion of the previewed object, so that the API server
// refuses it if the object has changed since.
func (m Model) reality(d *document) (call.Call, error) {
	text := d.dryRun.body
	if was := d.shown.dryRun.live; was != nil && was.No == nil {
		for _, key := range []string{"uid", "resourceVersion"} {
			read := source.Parse(text)
			if len(read.Documents[0].Find(".metadata."+key)) > 0 {
				continue // the reader's text has its own condition
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

// sends is the request that Apply sends for a document, without the uid and resourceVersion in its body.
func (m Model) sends(d *document) call.Call {
	body := d.read.Text
	if d.dryRun.seq > 0 {
		body = d.dryRun.body
	}
	return d.target.Request(body, m.options(), false, d.forces())
}

// applied takes in the response for a document.
func (m Model) applied(seq int, f page.Response) (page.Page, []page.Cmd) {
	r := m.live.run
	if r == nil || r.over || r.seq != seq {
		return m, nil
	}
	d := r.docs[r.at]
	a := dryrun.Read(f).Hush(d.manifest())
	d.result.No = a.No
	if a.No == nil {
		d.result.Created, d.result.Version = f.Status == 201, a.Object.Meta("resourceVersion")
		return m.sendNextDocument()
	}
	d.result.Raced = a.No.Code == status.CodeConflict && !a.Conflicts()
	return m.failed()
}

// failed continues after a refused document, if the reader chose so.
func (m Model) failed() (page.Page, []page.Cmd) {
	m.live.run.halted = m.live.run.halted || !m.live.run.goOn
	return m.sendNextDocument()
}

// halt sends nothing more after the request that is under way.
func (m Model) halt() {
	if m.live.run != nil {
		m.live.run.halted = true
	}
}

// afterwards makes new previews of all documents, because the objects have changed.
func (m Model) afterwards() (page.Page, []page.Cmd) {
	for i, d := range m.live.run.docs {
		if !d.result.stored() {
			continue
		}
		d.shown, d.share, d.rows = nil, nil, nil // its changes are made
		if edited := m.live.run.edited[i]; edited != nil && m.live.opened != nil && m.live.opened.path == edited.path {
			m.live.opened = edited
		}
	}
	m.settle()
	next, commands := m.anew()
	if slices.ContainsFunc(m.live.run.docs, func(d *document) bool { return d.result.stored() && len(d.defined()) > 0 }) {
		commands = append(commands, m.await(mostAsked)...)
	}
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
