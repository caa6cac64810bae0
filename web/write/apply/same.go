package apply

import (
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// Actions of the buttons for other ways to make the same change. They have the document's number, and most also the way's number.
const (
	doSame     = "same"
	doSameAs   = "same-as"
	doSameSend = "same-send"

	askSame     = "same"
	askSameSend = "same-send"
)

// same is the change of a preview as requests other than an apply.
type same struct {
	of     int // number of the dry run with the change
	edits  []patch.Edit
	wanted map[string]any
	err    error
	chosen int // -1: none

	seq     int
	dry     *dryrun.Response // the dry run of the chosen way
	preview change.Preview
	failed  error // why there is no comparison
	sending bool
	done    *dryrun.Response // the real request
}

// sameEdits shows the other ways to make a document's change, or hides them.
func (m Model) sameEdits(d *document) {
	if d.same != nil {
		d.same = nil
		return
	}
	if d.shown == nil || d.shown.dryRun.ok() == nil {
		return
	}
	s := &same{of: d.shown.dryRun.seq, chosen: -1}
	d.same = s
	t := d.shown.dryRun
	// With the real values: the page hides secrets, but a request needs them.
	raw, err := change.Compare(change.Input{
		Live: t.live.Object.Fields, Predicted: t.ok().Object.Fields, Sent: d.shown.sent, Manager: m.writer(d), Schema: m.schemaOf(d),
	})
	if err != nil {
		s.err = err
		return
	}
	s.wanted = raw.Wanted
	s.edits, s.err = patch.Edits(patch.Input{
		Live: t.live.Object.Fields, Wanted: raw.Wanted, Manager: m.Manager, Subresource: m.Subresource,
		Schema: m.schemaOf(d), Custom: custom(d.target),
	})
}

// custom tells whether a CustomResourceDefinition probably defines a kind. It uses the group: groups of built-in types have no dot, or end
// with .k8s.io.
func custom(t aim.Target) bool {
	return strings.Contains(t.Type.Group, ".") && !strings.HasSuffix(t.Type.Group, ".k8s.io")
}

// chooseSame chooses a way, and makes a dry run of it.
func (m Model) chooseSame(d *document, way int) (page.Page, []page.Cmd) {
	s := d.same
	if s == nil || way < 0 || way >= len(s.edits) || s.edits[way].Unfit != "" {
		return m, nil
	}
	m.live.seq++
	s.chosen, s.seq, s.dry, s.done, s.failed = way, m.live.seq, nil, nil, nil
	return m, []page.Cmd{m.sendEdit(askSame, d, true)}
}

// sendSame sends the request of the chosen way.
func (m Model) sendSame(d *document) (page.Page, []page.Cmd) {
	s := d.same
	if s == nil || s.chosen < 0 || s.dry == nil || s.dry.No != nil || s.sending || m.mayNot(d) != "" {
		return m, nil
	}
	m.live.seq++
	s.sending, s.seq = true, m.live.seq
	return m, []page.Cmd{m.sendEdit(askSameSend, d, false)}
}

func (m Model) sendEdit(what string, d *document, dry bool) page.Cmd {
	r := d.same.edits[d.same.chosen].Request
	return call.New(m.Shell.Cluster.Slug, r.Method, m.editPath(d, r, dry), r.ContentType, r.Body).Send(dryrun.ID(what, d.same.seq))
}

// editPath is the path of a request, with its query.
func (m Model) editPath(d *document, r patch.Request, dry bool) string {
	path := d.target.Path
	if len(d.shown.dryRun.live.Object.Fields) == 0 {
		path = apipath.CollectionOf(path)
	}
	query := url.Values{"fieldValidation": {string(m.Validation)}}
	for key, values := range r.Query {
		query[key] = values
	}
	if dry {
		query.Set("dryRun", "All")
	}
	return path.String() + "?" + query.Encode()
}

// heardSame takes in the response to a way's dry run or request.
func (m Model) heardSame(what string, seq int, f page.Response) (page.Page, []page.Cmd) {
	for _, d := range m.live.docs {
		s := d.same
		if s == nil || s.seq != seq {
			continue
		}
		if what == askSameSend {
			s.sending, s.done = false, dryrun.Read(f)
			if s.done.No == nil {
				d.dryRun = dryRun{}
				return m, m.refreshDryRuns()
			}
			return m, nil
		}
		s.dry = dryrun.Read(f)
		if s.dry.No == nil {
			s.preview, s.failed = m.compareSame(d)
		}
	}
	return m, nil
}

func (m Model) compareSame(d *document) (change.Preview, error) {
	s, live := d.same, d.shown.dryRun.live.Object
	writer := patch.Input{Wanted: s.wanted, Manager: m.Manager, Subresource: m.Subresource}.Owner()
	hidden, would, sent := hide(live, s.dry.Object, s.wanted)
	return change.Compare(change.Input{Live: hidden.Fields, Predicted: would.Fields, Sent: sent, Manager: writer, Schema: m.schemaOf(d)})
}
