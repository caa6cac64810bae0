package object

import (
	"reflect"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
)

// aboutFields is what the Fields tab is told.
func (m Model) aboutFields() fields.About {
	return fields.About{About: m.about(), Outline: m.Outline}
}

// inFields has the Fields tab take in what happens, while it is open. The address follows with the next tick: browsers let no page
// change it with each key of a row that is held down.
func (m Model) inFields(msg page.Msg) (Model, []page.Cmd) {
	if m.Tab != Fields {
		return m, nil
	}
	before := m.Fields.Reading
	var commands []page.Cmd
	m.Fields, commands = m.Fields.Update(msg, m.aboutFields())
	if !reflect.DeepEqual(before, m.Fields.Reading) {
		m.Shell.Here = m.address(m.query())
		m.live.walked = true
	}
	return m, commands
}

// readFields goes to the tab, or looks at it otherwise. What the schema tells has to be asked for, if it never was.
func (m Model) readFields(next Model) (page.Page, []page.Cmd) {
	reading := m.Fields.Reading
	switch {
	case m.Tab != Fields && !m.Fields.Known(m.Outline) && !m.live.object.Gone():
		return m, []page.Cmd{page.Navigate{Address: next.address(next.query())}}
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

// reads looks at the fields otherwise.
func (m Model) reads(r fields.Reading) (page.Page, []page.Cmd) {
	var bring []page.Cmd
	m.Fields, bring = m.Fields.Look(r, m.aboutFields())
	m.Shell.Here = m.address(m.query())
	return m, append([]page.Cmd{page.Remember{Address: m.Shell.Here}}, bring...)
}
