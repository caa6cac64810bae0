package apply

import (
	"fmt"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
)

// A preview of a document takes two requests or three: the object as it is, the write as a dry run and, where that
// conflicts, the same with force. The first two are under way at the same time.
const (
	askLive   = "live"
	askPlain  = "plain"
	askForced = "forced"
)

// dryRun is a preview on its way, or done.
type dryRun struct {
	seq    int              // what its answers are known by; 0: none has begun
	of     call.Call        // without force
	live   *dryrun.Response // nil: not here yet
	plain  *dryrun.Response
	forced *dryrun.Response
	again  int // how often the object was read anew because it had changed meanwhile
}

// ok is the answer that shows what would be: the one without force, where that is not refused.
func (t dryRun) ok() *dryrun.Response {
	switch {
	case t.plain != nil && t.plain.No == nil:
		return t.plain
	case t.forced != nil && t.forced.No == nil:
		return t.forced
	}
	return nil
}

// refused is why the server would not do it, not even with force; nil: it would, or nobody knows yet.
func (t dryRun) refused() *status.Status {
	switch {
	case t.plain.Conflicts() && t.forced != nil:
		return t.forced.No
	case t.plain != nil && !t.plain.Conflicts():
		return t.plain.No
	}
	return nil
}

// whole tells whether all answers are here.
func (t dryRun) whole() bool {
	return t.seq > 0 && t.live != nil && t.plain != nil && (!t.plain.Conflicts() || t.forced != nil)
}

// shown is what a dry run came to.
type shown struct {
	dryRun    dryRun
	sent      map[string]any
	preview   change.Preview    // of what an apply would do; with force, where it takes that
	err       error             // why nothing can be compared
	conflicts []change.Conflict // with nothing in them that is secret
	drawn     drawn
}

// stale tells whether what is shown is of an earlier text, or of the object as it was earlier.
func (d *document) stale() bool { return d.shown != nil && d.shown.dryRun.seq != d.dryRun.seq }

// drawn is the changes as they were last written out: that is the most of a page, and they stay while the rest changes.
type drawn struct {
	look look
	html string
}

// laid is an object as it is, laid out for what it is compared with.
type laid struct {
	version string
	schema  *schema.Schema
	base    *change.Base
	err     error
}

// lay lays an object out, unless that was done.
func (d *document) lay(known *schema.Schema) {
	live := d.dryRun.live
	if live == nil || live.No != nil && !live.Missing() {
		return
	}
	version := live.Object.Meta("uid") + " " + live.Object.Meta("resourceVersion")
	if d.laid == nil || d.laid.version != version || d.laid.schema != known {
		d.laid = &laid{version: version, schema: known}
		d.laid.base, d.laid.err = change.Lay(live.Object.Masked().Fields, known)
	}
}

// judge compares what is with what would be.
func (d *document) judge(sent map[string]any, writer ownership.Manager, known *schema.Schema) *shown {
	t := d.dryRun
	s := &shown{dryRun: t, sent: sent}
	if t.plain.Conflicts() && t.live.No == nil {
		hidden, _, stated := hide(t.live.Object, t.live.Object, sent)
		s.conflicts = change.Conflicts(*t.plain.No, change.Refused{Live: hidden.Fields, Sent: stated, Manager: writer, Schema: known})
	}
	would := t.ok()
	switch {
	case would == nil:
	case t.live.No != nil && !t.live.Missing():
		s.err = fmt.Errorf("the live object can’t be read: %s", t.live.No)
	default:
		d.lay(known)
		if s.err = d.laid.err; s.err == nil {
			_, predicted, stated := hide(t.live.Object, would.Object, sent)
			s.preview, s.err = d.laid.base.Compare(predicted.Fields, stated, writer)
		}
	}
	return s
}

// moved tells whether the object changed between the two answers, which then can't be compared.
func (t dryRun) moved() bool {
	would := t.ok()
	if would == nil || t.live.No != nil {
		return would != nil && t.live.Missing() && would.Object.Meta("resourceVersion") != ""
	}
	return would.Object.Meta("resourceVersion") != t.live.Object.Meta("resourceVersion")
}

// hide masks what is secret in all three, so that what differs still does.
func hide(live, predicted object.Object, sent map[string]any) (object.Object, object.Object, map[string]any) {
	return live.Masked(), predicted.MaskedBeside(live), object.Object{Fields: sent}.MaskedBeside(live).Fields
}

// Foretold is what the newest preview of a document says: the request path of its object, the object as it would be, and what
// is told of it; ok is false where the document can't be applied, or is not previewed yet.
func (m Model) Foretold(document int) (path string, foretold object.Object, told change.Preview, ok bool) {
	if document < 0 || document >= len(m.live.docs) {
		return "", object.Object{}, told, false
	}
	d := m.live.docs[document]
	if d.shown == nil || d.shown.dryRun.ok() == nil || d.shown.err != nil {
		return d.target.Path.String(), object.Object{}, told, false
	}
	return d.target.Path.String(), d.shown.dryRun.ok().Object, d.shown.preview, true
}
