package object

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Keys implements page.Keyed. Views change with h and l, because brackets are hard to type on many keyboards.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"h", "l"}, Does: "Previous and next view of the object, such as YAML"},
		{Keys: []string{"m"}, Does: "Show or hide managed fields"},
		{Keys: []string{"j", "k"}, Does: "Next and previous field, or version of the timeline"},
		{Keys: []string{"Enter"}, Does: "Open or close the field, or the version"},
		{Keys: []string{"/"}, Does: "Find a field, a value or a path"},
		{Keys: []string{"←", "→", "Home", "End"}, Does: "On the timeline’s slider: choose another version, the oldest, or the newest"},
		{Keys: []string{"Esc"}, Does: "Go up to the collection of the object"},
	}
}

func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	switch key {
	case "h":
		return m.turn(-1)
	case "l":
		return m.turn(1)
	case "m":
		return m.manage()
	case "Escape":
		if r := m.Fields.Reading; m.Tab == Fields && (r.Field != "" || r.Filter != "") {
			r.Field, r.Filter = "", ""
			return m.reads(r)
		}
		return m, []page.Cmd{page.Navigate{Address: m.Shell.Up()}}
	}
	switch {
	case m.Tab == Schema && m.Outline != nil:
		return m.walked(key)
	case m.Tab == Timeline:
		return m, m.live.timeline.Pressed(key)
	}
	return m.inFields(page.Pressed{Key: key})
}

// turn opens the previous or next view, if there is one.
func (m Model) turn(step int) (page.Page, []page.Cmd) {
	views := m.views()
	at := slices.Index(views, m.Tab) + step
	if at < 0 || at >= len(views) {
		return m, nil
	}
	return quietly(m.addressed(views[at].Query()))
}

// manage shows or hides managedFields.
func (m Model) manage() (page.Page, []page.Cmd) {
	switch {
	case !local(m.Tab):
		return m, []page.Cmd{page.Announce{Words: "The views YAML, JSON and timeline can show managed fields"}}
	case m.Object.ManagedFields() == 0:
		return m, []page.Cmd{page.Announce{Words: "The object has no managed fields"}}
	}
	said := "Managed fields shown"
	if m.Managed {
		said = "Managed fields hidden"
	}
	next, commands := quietly(m.addressed(m.toggled()))
	return next, append(commands, page.Announce{Words: said})
}

// quietly changes commands so that they leave no step in the history, because keys are pressed often.
func quietly(p page.Page, commands []page.Cmd) (page.Page, []page.Cmd) {
	for i, c := range commands {
		if r, is := c.(page.Remember); is {
			r.Replace = true
			commands[i] = r
		}
	}
	return p, commands
}
