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

// A preview of a document has two or three requests. The first two are under way at the same time.
const (
	askLive   = "live"   // reads the object
	askPlain  = "plain"  // the write as a dry run
	askForced = "forced" // the same with force, after a conflict
)

// dryRun is the dry run of a document, under way or complete.
type dryRun struct {
	seq    int              // number in the IDs of its requests; 0: none has begun
	of     call.Call        // the request for the document's text, without force; the same text has the same dry run
	body   string           // the body of the requests: the document's text, or its changes
	stated map[string]any   // the fields of the body
	part   *change.Partial  // the changes, if only they are applied; nil: not computed
	asked  bool             // the request without force was sent
	idle   bool             // there is nothing to send
	failed error            // why the changes can't be sent
	live   *dryrun.Response // nil: not arrived yet
	plain  *dryrun.Response
	forced *dryrun.Response
	again  int // how often the dry run was repeated, because the object changed in between
}

// ok is the response with the object after the write: the one without force, or else the one with force. It is nil if both were refused.
func (t dryRun) ok() *dryrun.Response {
	switch {
	case t.plain != nil && t.plain.No == nil:
		return t.plain
	case t.forced != nil && t.forced.No == nil:
		return t.forced
	}
	return nil
}

// refused is the server's refusal of the write, even with force. It is nil if the server accepts the write, or has not responded yet.
func (t dryRun) refused() *status.Status {
	switch {
	case t.plain.Conflicts() && t.forced != nil:
		return t.forced.No
	case t.plain != nil && !t.plain.Conflicts():
		return t.plain.No
	}
	return nil
}

// whole tells whether all responses have arrived.
func (t dryRun) whole() bool {
	return t.seq > 0 && t.live != nil && t.idle || t.seq > 0 && t.live != nil && t.plain != nil && (!t.plain.Conflicts() || t.forced != nil)
}

// shown is a complete preview.
type shown struct {
	dryRun    dryRun
	sent      map[string]any
	preview   change.Preview    // the changes of the apply; after a conflict, with force
	err       error             // why there is no comparison
	conflicts []change.Conflict // without secrets
	drawn     drawn
}

// stale tells whether the shown preview is of an earlier text, or of an earlier version of the object.
func (d *document) stale() bool { return d.shown != nil && d.shown.dryRun.seq != d.dryRun.seq }

// drawn is the HTML of the changes, rendered last. It is the largest part of the page, and stays while the rest changes.
type drawn struct {
	look look
	html string
}

// laid is a live object, prepared for comparisons; see change.Base.
type laid struct {
	version string
	schema  *schema.Schema
	base    *change.Base
	err     error
}

// lay prepares the live object, unless that is done.
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

// judge compares the live object with the object after the write.
func (d *document) judge(sent map[string]any, writer ownership.Manager, known *schema.Schema) *shown {
	t := d.dryRun
	s := &shown{dryRun: t, sent: sent}
	if t.plain.Conflicts() && t.live.No == nil {
		hidden, _, stated := hide(t.live.Object, t.live.Object, sent)
		s.conflicts = change.Conflicts(*t.plain.No, change.Refused{Live: hidden.Fields, Sent: stated, Manager: writer, Schema: known})
	}
	would := t.ok()
	switch {
	case t.unread():
		s.err = fmt.Errorf("the live object can’t be read: %s", t.live.No)
	case t.failed != nil:
		s.err = t.failed
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

// moved tells whether the object changed between the two responses. Then they can't be compared.
func (t dryRun) moved() bool {
	would := t.ok()
	if would == nil || t.live.No != nil {
		return would != nil && t.live.Missing() && would.Object.Meta("resourceVersion") != ""
	}
	return would.Object.Meta("resourceVersion") != t.live.Object.Meta("resourceVersion")
}

// hide masks the secrets of all three objects. Different secrets have different masks, so a comparison still finds them.
func hide(live, predicted object.Object, sent map[string]any) (object.Object, object.Object, map[string]any) {
	return live.Masked(), predicted.MaskedBeside(live), object.Object{Fields: sent}.Encoded().MaskedBeside(live).Fields
}

// Foretold returns the newest preview of a document: the path of its object, the object after the write, and the changes. If the document
// can't be applied or has no preview yet, ok is false.
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
