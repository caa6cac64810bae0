package object

import (
	"reflect"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
)

// aboutFields is what the Fields tab needs to know about the page.
func (m Model) aboutFields() fields.About {
	return fields.About{About: m.about(), Outline: m.Outline, Fights: m.fights()}
}

// inFields passes a message to the Fields tab, while it is open. The address changes with the next tick, because browsers limit how often a page
// can change it, and a key can be held down.
func (m Model) inFields(msg page.Msg) (Model, []page.Cmd) {
	if m.Tab != Fields {
		return m, nil
	}
	before := m.Fields.Reading
	var commands []page.Cmd
	m.Fields, commands = m.Fields.Update(msg, m.aboutFields())
	if !reflect.DeepEqual(before, m.Fields.Reading) {
		m.Shell.Here = m.queryAddress(m.query())
		m.live.walked = true
	}
	return m, commands
}

// readFields opens the tab, or changes what it shows. If the schema has not been requested yet, the server has to.
func (m Model) readFields(next Model) (page.Page, []page.Cmd) {
	reading := m.Fields.Reading
	switch {
	case m.Tab != Fields && !m.Fields.Known(m.Outline) && !m.live.object.Gone():
		return m, []page.Cmd{page.Navigate{Address: next.queryAddress(next.query())}}
	case m.Tab != Fields:
		return next.turned(m.Tab)
	case !reflect.DeepEqual(reading, next.Fields.Reading):
		return m.reads(next.Fields.Reading)
	case reading.Field == "":
		return m, []page.Cmd{page.Reload{}}
	default:
		m.Fields.Fold(reading.Field, m.aboutFields())
		return m, nil
	}
}

// reads changes what the Fields tab shows.
func (m Model) reads(r fields.Reading) (page.Page, []page.Cmd) {
	var bring []page.Cmd
	m.Fields, bring = m.Fields.Look(r, m.aboutFields())
	m.Shell.Here = m.queryAddress(m.query())
	return m, append([]page.Cmd{page.Remember{Address: m.Shell.Here}}, bring...)
}
