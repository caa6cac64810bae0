package apply

import (
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// What the browser keeps: the text of each cluster, and who the reader writes as. A text with a Secret in it is not kept.
const keptManager = "apply.manager"

func (m Model) keptDraft() string { return "apply.draft." + m.Shell.Cluster.Slug }

// Keeps implements page.Keeper.
func (m Model) Keeps() []string { return []string{keptManager, m.keptDraft()} }

// largestDraft bounds what is kept of a text, in bytes.
const largestDraft = 512 << 10

// keep keeps the text as a draft.
func (m Model) keep() page.Keep {
	draft := m.live.whole
	if len(draft) > largestDraft {
		draft = ""
	}
	for _, d := range m.live.docs {
		if d.read.Kind == "" || object.Holds("", d.read.Kind) {
			draft = "" // a document of no kind may be a Secret, too
		}
	}
	if object.MayHold([]byte(draft)) {
		draft = "" // Secrets may stand in a List, or be quoted
	}
	return page.Keep{Key: m.keptDraft(), Value: draft}
}

// kept goes on from what was kept, where the address asks for nothing else.
func (m Model) kept(values map[string]string) (page.Page, []page.Cmd) {
	var commands []page.Cmd
	if manager := values[keptManager]; manager != "" && m.Manager == UsualManager && m.From == nil {
		m.Manager = manager
		var more []page.Cmd
		m, more = m.plan()
		commands = append(commands, more...)
	}
	draft := values[m.keptDraft()]
	if draft == "" || m.live.whole != "" || m.From != nil || m.live.from != nil {
		return m, commands
	}
	m.live.drafted = true
	next, more := m.typed(draft)
	return next, append(append(commands, page.Edit{Field: Field, Text: draft}), more...)
}
