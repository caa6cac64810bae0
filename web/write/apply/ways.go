package apply

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
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
	if w := choice(words[0]); slices.Contains(choices, w) {
		return m.decide(w, m.rowsAt(words[1:]))
	}
	d, numbered := m.findDocument(words[1:])
	if d == nil {
		return m, nil
	}
	switch words[0] {
	case doSame:
		m.sameEdits(d)
	case doSameAs:
		return m.chooseSame(d, numbered)
	case doSameSend:
		return m.sendSame(d)
	case doUnshare:
		return m.unshare(d)
	}
	return m, nil
}

// findDocument finds the document of an action, and the number of the row or the way in it; -1 if the action has none.
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
	numbered, err := strconv.Atoi(words[1])
	if err != nil {
		return nil, -1
	}
	return m.live.docs[n], numbered
}

// anew makes new previews of all documents.
func (m Model) anew() (page.Page, []page.Cmd) {
	for _, d := range m.live.docs {
		d.dryRun = dryRun{}
	}
	return m, append(m.refreshDryRuns(), m.await(0)...)
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
