package apply

import (
	"encoding/json"
	"fmt"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
	"github.com/fieldmark/fieldmark/words"
)

// mode says which part of the documents is applied.
type mode string

const (
	usual  mode = ""        // of the object that the editor began with, the changes; any other document as a whole
	partly mode = "changes" // the changes of all documents
	wholly mode = "whole"   // all documents as they are written
)

// Actions that choose what is applied.
const (
	doWhole    = "whole"     // asks first
	doWholeYes = "whole-yes" // applies all documents as a whole
	doWholeNo  = "whole-no"
	doPartly   = "partly"
	doUnshare  = "unshare" // of a document: shares no unchanged fields
)

// opened is the object that the editor began with.
type opened struct {
	path   string         // the API path of the object
	text   string         // the document as it was before the changes
	fields map[string]any // of the text

	schema *schema.Schema  // flaws are the differences from this schema
	flaws  map[string]bool // see flawsBefore
}

// openedAs is an object that the editor began with, with its text. It is nil if the text isn't one document.
func openedAs(path, text string) *opened {
	read := source.Parse(text)
	if path == "" || len(read.Documents) != 1 || read.Documents[0].Root == nil {
		return nil
	}
	return &opened{path: path, text: text, fields: read.Documents[0].Fields()}
}

// began tells whether the editor began with the object of a document.
func (m Model) began(d *document) bool {
	return m.live.opened != nil && m.live.opened.path == d.target.Path.String()
}

// partly tells whether only the changes of a document are applied.
func (m Model) partly(d *document) bool {
	switch {
	case m.live.mode == wholly, d.target.Creates():
		return false
	case m.live.mode == partly:
		return true
	}
	return m.began(d)
}

// part is the apply of a document's changes.
func (m Model) part(d *document) change.Partial {
	e := change.Edit{Edited: d.read.Fields(), Live: d.dryRun.live.Object.Fields, Manager: m.writer(d), Share: d.share, Schema: m.schemaOf(d)}
	if m.began(d) {
		e.Opened = m.live.opened.fields
	}
	return change.Part(e)
}

// proceed sends the dry run of a document of which only the changes are applied. The live object and the schema of the kind have to arrive
// before. If nothing has changed, there is nothing to send.
func (m Model) proceed(d *document) []page.Cmd {
	t := &d.dryRun
	if t.seq == 0 || t.asked || t.idle || t.live == nil || !m.partly(d) {
		return nil
	}
	if t.live.No != nil && !t.live.Missing() {
		t.idle = true
		return nil
	}
	if k := m.live.schemas.Find(aim.KindOf(d.read)); k != nil && !k.Here {
		return nil
	}
	if !t.live.Missing() {
		part := m.part(d)
		t.part = &part
		if part.Nothing() {
			t.idle = true
			return nil
		}
		text, err := manifest.YAML(part.Stated)
		if err != nil {
			t.idle, t.failed = true, err
			return nil
		}
		t.body, t.stated = string(text), part.Stated
	}
	t.asked = true
	return []page.Cmd{m.dry(d, false).Send(dryrun.ID(askPlain, t.seq))}
}

// unread tells whether the changes of a document are unknown, because the object can't be read.
func (t dryRun) unread() bool {
	return t.idle && t.live != nil && t.live.No != nil && !t.live.Missing()
}

// unchanged tells whether a document has no changes to apply.
func (t dryRun) unchanged() bool { return t.idle && !t.unread() && t.failed == nil }

// idle tells whether nothing is to be sent for a document.
func (d *document) idle() bool { return d.shown != nil && d.shown.dryRun.idle }

// whole chooses that all documents are applied as a whole, after the reader was asked.
func (m Model) choose(action string) (page.Page, []page.Cmd) {
	switch action {
	case doWhole:
		m.live.asking = true
		return m, []page.Cmd{page.Focus{ID: "whole-asked"}}
	case doWholeNo:
		m.live.asking = false
		return m, nil
	case doWholeYes:
		m.live.mode = wholly
	case doPartly:
		m.live.mode = partly
		if m.live.opened != nil {
			m.live.mode = usual
		}
	}
	m.live.asking = false
	for _, d := range m.live.docs {
		d.share, d.rows = nil, nil
	}
	m.settle()
	next, commands := m.anew()
	return next, append(commands, m.keepOpened())
}

// unshare takes back that unchanged fields of a document are shared.
func (m Model) unshare(d *document) (page.Page, []page.Cmd) {
	for i := range d.rows {
		if d.rows[i].choice == share {
			d.rows[i].choice = giveUp
		}
	}
	d.share, d.dryRun = nil, dryRun{}
	return m.retext()
}

// left counts the fields that an apply of the whole documents would share.
func (m Model) left() int {
	n := 0
	for _, d := range m.live.docs {
		if d.dryRun.part != nil {
			n += d.dryRun.part.Left
		}
	}
	return n
}

// askWords ask whether the whole document should be applied.
func (m Model) askWords() string {
	n := m.left()
	if n == 0 {
		return fmt.Sprintf("%s owns all fields of the document already. Then a field that you delete from the document is removed, or another manager keeps it.", m.Manager)
	}
	return fmt.Sprintf("%s would become an owner of %s with the values they have now. Then an apply of another manager conflicts if it changes one of them, and a field stays when another manager gives it up.",
		m.Manager, words.Count(int64(n), "more field", "more fields"))
}

// modeWords say which part of a document is applied. They are empty if the object is new, because then there is no choice.
func (m Model) modeWords(d *document) string {
	t := d.dryRun
	switch {
	case t.live == nil || d.target.Creates():
		return ""
	case t.live.Missing():
		return "The object doesn’t exist yet, so the whole document is applied."
	case m.partly(d):
		return "Only your changes are applied, with the fields that " + m.Manager + " owned already."
	}
	return "The whole document is applied, as it is written. " + m.Manager + " becomes an owner of each field in it."
}

// switches tells whether the reader can choose which part of a document is applied.
func (m Model) switches(d *document) bool {
	return d.dryRun.live != nil && !d.dryRun.live.Missing() && !d.target.Creates()
}

// base is the value of a field before the reader changed it; ok is false if there was none.
func (m Model) base(d *document, c change.Conflict) (value any, ok bool) {
	if !m.began(d) {
		return c.LiveValue, c.Held
	}
	for _, n := range source.Parse(m.live.opened.text).Documents[0].Meant(c.Path, c.Parts) {
		return n.Value, true
	}
	return nil, false
}

// unchange gives a field of a conflict the value that it had before the reader changed it.
func (m Model) unchange(t source.Text, d *document, c change.Conflict) (string, error) {
	value, ok := m.base(d, c)
	if !ok {
		return t.Remove(d.read.Index, c.Path, c.Parts)
	}
	return t.Set(d.read.Index, c.Path, c.Parts, value)
}

// kept is an opened object as the browser keeps it with a draft.
type keptObject struct {
	Path string `json:"path"`
	Text string `json:"text"`
	Mode mode   `json:"mode,omitempty"`
}

// keptOpened is the key of the object that the draft began with.
func (m Model) keptOpened() string { return "apply.opened." + m.Shell.Cluster.Slug }

// keepOpened keeps the object that the draft began with, if the draft itself may be kept.
func (m Model) keepOpened() page.Keep {
	keep := page.Keep{Key: m.keptOpened()}
	o := m.live.opened
	if o == nil || len(o.text) > largestDraft || m.keep().Value == "" {
		return keep
	}
	text, err := json.Marshal(keptObject{o.path, o.text, m.live.mode})
	if err == nil {
		keep.Value = string(text)
	}
	return keep
}

// reopen restores the object that a draft began with.
func (m Model) reopen(kept string) {
	var k keptObject
	if kept == "" || len(kept) > 4*largestDraft || json.Unmarshal([]byte(kept), &k) != nil {
		return
	}
	if m.live.opened = openedAs(k.Path, k.Text); m.live.opened != nil && k.Mode == wholly {
		m.live.mode = wholly
	}
}
