package apply

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// handleAction does the action of a button.
func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	if form, key, is := components.ReadCopy(action); is {
		return m, m.copied(form, key)
	}
	words := strings.Fields(action)
	if len(words) == 0 {
		return m, nil
	}
	switch words[0] {
	case doPreview:
		return m.anew()
	case doApply:
		return m.apply()
	case doStop:
		m.halt()
		return m, nil
	case doSide, doInline:
		m.live.look.Side = words[0] == doSide
		return m, nil
	case doWhole, doWholeYes, doWholeNo, doPartly:
		return m.choose(words[0])
	case doJump:
		return m.jump(words[1:])
	case doGoOn:
		m.live.goOn = !m.live.goOn
		return m, nil
	case doLong:
		m.live.look.Long = !m.live.look.Long
		return m, nil
	case doFold:
		m.live.look.All = !m.live.look.All
		return m, nil
	}
	d, conflict := m.findDocument(words[1:])
	if d == nil {
		return m, nil
	}
	switch words[0] {
	case doOverwrite:
		d.force, d.forced = true, contested(d)
	case doAsk:
		d.force = false
	case doSame:
		m.sameEdits(d)
	case doSameAs:
		return m.chooseSame(d, conflict)
	case doSameSend:
		return m.sendSame(d)
	case doGiveUp:
		if m.partly(d) {
			return m.edit(d, conflict, m.unchange(d))
		}
		return m.edit(d, conflict, giveUp)
	case doShare:
		return m.shareAll(d, conflict)
	case doUnshare:
		return m.unshare(d)
	}
	return m, nil
}

// findDocument finds the document of an action, and the number of the conflict or way in it; -1 if the action has none.
func (m Model) findDocument(words []string) (*document, int) {
	if len(words) == 0 {
		return nil, -1
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 0 || n >= len(m.live.docs) {
		return nil, -1
	}
	if len(words) == 1 {
		return m.live.docs[n], -1
	}
	conflict, err := strconv.Atoi(words[1])
	if err != nil {
		return nil, -1
	}
	return m.live.docs[n], conflict
}

// anew makes new previews of all documents.
func (m Model) anew() (page.Page, []page.Cmd) {
	for _, d := range m.live.docs {
		d.dryRun = dryRun{}
	}
	return m, m.refreshDryRuns()
}

// giveUp removes the field of a conflict from the manifest.
func giveUp(t source.Text, document int, c change.Conflict) (string, error) {
	return t.Remove(document, c.Path, c.Parts)
}

// share puts the live value of the field into the manifest.
func share(t source.Text, document int, c change.Conflict) (string, error) {
	if !c.Held {
		return t.Remove(document, c.Path, c.Parts)
	}
	return t.Set(document, c.Path, c.Parts, c.LiveValue)
}

// edit changes the text for one conflict, or for all if conflict is -1. A preview of the text follows. The reader can undo the change in the
// editor.
func (m Model) edit(d *document, conflict int, way func(source.Text, int, change.Conflict) (string, error)) (page.Page, []page.Cmd) {
	conflicts := m.conflicts(d)
	if conflict >= len(conflicts) {
		return m, nil
	}
	if conflict >= 0 {
		conflicts = conflicts[conflict : conflict+1]
	}
	text, changed := m.live.text, m.live.whole
	var failed []string
	for _, c := range conflicts {
		next, err := way(text, d.read.Index, c)
		if err != nil {
			failed = append(failed, c.Path+": "+wordsOf(err))
			continue
		}
		changed, text = next, source.Parse(next)
	}
	m.Problem = nil
	if len(failed) > 0 {
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "Fieldmark can’t change the manifest", Words: "Change the manifest by hand. Each conflict shows the field and its value.", Details: failed,
		}
	}
	if changed == m.live.whole {
		return m, m.refreshDryRuns()
	}
	next, commands := m.typed(changed)
	return next, append([]page.Cmd{page.Edit{Field: Field, Text: changed}}, commands...)
}

func wordsOf(err error) string {
	var edit *source.EditError
	if errors.As(err, &edit) {
		return edit.Words
	}
	return err.Error()
}

// loaded makes a file the text.
func (m Model) loaded(f page.Loaded) (page.Page, []page.Cmd) {
	if f.Field != Field {
		return m, nil
	}
	m.Problem = nil
	if f.Body == nil {
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: fmt.Sprintf("The file %s is too large", components.Visible(f.Name)),
			Words: fmt.Sprintf("The file has %s. An API server accepts requests of at most %s.", components.Bytes(f.Size), components.Bytes(source.MaxText)),
		}
		return m, nil
	}
	m.From, m.live.opened, m.live.mode = nil, nil, usual
	next, commands := m.typed(string(f.Body))
	return next, append([]page.Cmd{page.Edit{Field: Field, Text: string(f.Body)}}, commands...)
}
