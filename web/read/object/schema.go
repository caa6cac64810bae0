package object

import (
	"net/url"
	"reflect"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
)

// outlined shows another field of the schema. It needs no request, because the page has the whole schema.
func (m Model) outlined(q url.Values) (page.Page, []page.Cmd) {
	from, before := m.Tab, m.Outline
	if from == Schema || q.Has("field") || q.Has("open") {
		m.Outline = outline.New(before.Schema, q)
	}
	if from != Schema {
		m.Tab, m.Secrets.Reveal = Schema, nil
		return m.turned(from)
	}
	if reflect.DeepEqual(before.Query(), m.Outline.Query()) {
		return m, []page.Cmd{page.Reload{}}
	}
	m.Shell.Here = m.queryAddress(m.query())
	return m, []page.Cmd{page.Remember{Address: m.Shell.Here}}
}

// walked moves the selection in the schema by a key. The address changes with the next tick, because browsers limit how often a page can change it, and
// a key can be held down.
func (m Model) walked(key string) (page.Page, []page.Cmd) {
	next, commands := m.Outline.Pressed(key, m.about())
	if len(commands) == 0 {
		return m, nil
	}
	m.Outline = &next
	m.Shell.Here = m.queryAddress(m.query())
	m.live.walked = true
	return m, commands
}
