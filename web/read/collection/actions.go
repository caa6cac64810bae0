package collection

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/web/call/inplace"
)

// actions are what one can do with the rows.
func (m Model) actions() components.Actions {
	var a components.Actions
	if m.choosable() {
		a.Add(components.LinkButton(components.Link{
			Text: m.choosingWords(), Href: m.queryAddress(m.Query.toggleChoosing()), Current: m.Query.Choosing,
			Hint: "Choose several objects, and restart, label or scale them together. The key is x.",
		}))
	}
	if m.wideOffered() {
		wide := components.Link{
			Text: "All columns", Why: &why.ColumnPriority, Href: m.queryAddress(m.Query.toggleWide()), Current: m.Query.Wide,
			Hint: "The columns that the server defines for a wide view (priority above 0)",
		}
		if m.Query.Wide {
			wide.Text = "Fewer columns"
		}
		a.Add(components.LinkButton(wide))
	}
	if m.Problem == nil {
		a.Add(columnMenu(m))
	}
	a.Add(inplace.Link(m.apiCall(), "Show the request for these rows, and the response of the API server"), viewMenu(m))
	a.Link(m.tries()...)
	return a
}
