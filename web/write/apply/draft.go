package apply

import (
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Keys of what the browser keeps: for each cluster the text and the object that it began with, and the field manager. A text with a Secret is not kept.
const keptManager = "apply.manager"

func (m Model) keptDraft() string { return "apply.draft." + m.Shell.Cluster.Slug }

// Keeps implements page.Keeper.
func (m Model) Keeps() []string { return []string{keptManager, m.keptDraft(), m.keptOpened()} }

// largestDraft is the size limit of a kept text, in bytes.
const largestDraft = 512 << 10

// keep keeps the text as a draft.
func (m Model) keep() page.Keep {
	draft := m.live.whole
	if len(draft) > largestDraft {
		draft = ""
	}
	for _, d := range m.live.docs {
		if d.read.Kind == "" || object.Holds("", d.read.Kind) {
			draft = "" // a document without a kind may be a Secret, too
		}
	}
	if object.MayHold([]byte(draft)) {
		draft = "" // a List or a quoted text may contain Secrets
	}
	return page.Keep{Key: m.keptDraft(), Value: draft}
}

// kept restores the manager and the text, unless the address or the former page has others.
func (m Model) kept(values map[string]string) (page.Page, []page.Cmd) {
	var commands []page.Cmd
	if manager := values[keptManager]; manager != "" && m.Manager == UsualManager && m.From == nil {
		m.Manager = manager
		var more []page.Cmd
		m, more = m.plan()
		commands = append(commands, more...)
	}
	draft := values[m.keptDraft()]
	if draft == "" || m.live.whole != "" && !m.Example || m.From != nil || m.live.from != nil {
		return m, commands
	}
	m.live.drafted = true
	m.reopen(values[m.keptOpened()])
	next, more := m.typed(draft)
	return next, append(append(commands, page.Edit{Field: Field, Text: draft}), more...)
}
