package object

import (
	"net/url"
	"reflect"
	"slices"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// branchHeight is how high a field of the tree is, in pixels.
const branchHeight = 26

// outlined moves about in the schema, which the page has whole.
func (m Model) outlined(q url.Values) (page.Page, []page.Cmd) {
	from, before := m.Tab, m.Outline
	if from == Schema || q.Has("field") || q.Has("open") {
		m.Outline = NewOutline(before.Schema, q)
	}
	if from != Schema {
		m.Tab, m.Reveal = Schema, nil
		return m.turned(from)
	}
	if reflect.DeepEqual(before.query(), m.Outline.query()) {
		return m, []page.Cmd{page.Reload{}}
	}
	m.Shell.Here = m.address(m.query())
	return m, []page.Cmd{page.Remember{Address: m.Shell.Here}}
}

// walk moves the reader among the fields that are shown. The address follows with the next tick: browsers let no page
// change it with each key of a row that is held down.
func (m Model) walk(step func(at, n int) int) (page.Page, []page.Cmd) {
	rows := flat(m.branches())
	if len(rows) == 0 {
		return m, nil
	}
	at := min(max(step(slices.IndexFunc(rows, branch.isCurrent), len(rows)), 0), len(rows)-1)
	o := m.Outline.on(rows[at].field.Path)
	m.Outline = &o
	m.Shell.Here = m.address(m.query())
	m.live.walked = true
	return m, []page.Cmd{
		page.Scroll{Top: at * branchHeight, Bottom: (at + 1) * branchHeight},
		page.Focus{ID: fieldID(o.Field)},
	}
}

// around is how many rows are brought into sight on both sides of the field that an address asks for.
const around = 5

// bringField brings the field into sight that the address asks for.
func (m Model) bringField() []page.Cmd {
	if m.Tab != Schema || m.Outline == nil || len(m.Outline.Field) == 0 {
		return nil
	}
	at := slices.IndexFunc(flat(m.branches()), branch.isCurrent)
	return []page.Cmd{page.Scroll{Top: max(0, at-around) * branchHeight, Bottom: (at + around) * branchHeight}}
}

// walkedTo puts into the address where the keys have led.
func (m Model) walkedTo() []page.Cmd {
	if !m.live.walked {
		return nil
	}
	m.live.walked = false
	return []page.Cmd{page.Remember{Address: m.Shell.Here, Replace: true}}
}

func (m Model) schemaPressed(key string) (page.Page, []page.Cmd) {
	switch key {
	case "j":
		return m.walk(func(at, _ int) int { return at + 1 })
	case "k":
		return m.walk(func(at, _ int) int { return at - 1 })
	case "g":
		return m.walk(func(_, _ int) int { return 0 })
	case "G":
		return m.walk(func(_, n int) int { return n - 1 })
	default:
		return m, nil
	}
}
