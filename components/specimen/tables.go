package specimen

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
)

func tables() Section {
	return Section{
		Name: "tables", Title: "Tables", Note: "A collection as the server prints it. Rows are 29 px high, numbers are aligned to the right, and only columns with states have tones.",
		Specimens: slices.Concat(plainTables(), sortedTables(), rows(), oddTables(), livingTables()),
	}
}

const podsPage = "/c/practice/api/v1/pods"

func pods() components.Grid {
	return podRows([]string{"web-1", "Running", "0"}, []string{"web-2", "CrashLoopBackOff", "17"})
}

// podRows is a Table of pods with the links of a page.
func podRows(cells ...[]string) components.Grid {
	t := table.Table{Columns: []table.Column{
		{Name: "Name", Format: "name", Description: "Name must be unique within a namespace."},
		{Name: "Status"},
		{Name: "Restarts", Type: "integer"},
		{Name: "IP", Priority: 1},
	}}
	for _, c := range cells {
		t.Rows = append(t.Rows, table.Row{UID: "u-" + c[0], Namespace: "shop", Name: c[0], ResourceVersion: "42", Cells: []table.Cell{table.Cell(c[0]), table.Cell(c[1]), table.Cell(c[2]), "10.0.0.1"}})
	}
	g := components.GridOf("Pods", t, false)
	for i := range g.Head {
		g.Head[i].Href = podsPage + "?sort=" + g.Head[i].Name
	}
	for i := range g.Rows {
		g.Rows[i].Href, g.Rows[i].NamespaceHref = "/c/practice/api/v1/namespaces/shop/pods/"+g.Rows[i].Name, "/c/practice/api/v1/namespaces/shop/pods"
	}
	return g
}

func with(g components.Grid, change func(*components.Grid)) components.Grid {
	change(&g)
	return g
}

func plainTables() []Specimen {
	everywhere := with(pods(), inAllNamespaces)
	return []Specimen{
		{Name: "grid", Title: "Plain", Note: "In one namespace.", Shown: components.Table(pods())},
		{Name: "grid-namespaces", Title: "In all namespaces", Note: "The first column is the namespace, with a link to its part of the collection.", Shown: components.Table(everywhere)},
		{Name: "grid-tones", Title: "Every tone", Note: "Mark and color support the word.", Shown: components.Table(podRows(
			[]string{"api-1", "Running", "0"}, []string{"api-2", "Pending", "0"}, []string{"api-3", "Unknown", "3"}, []string{"api-4", "ImagePullBackOff", "0"}, []string{"api-5", "Sleeping", "1,024"},
		))},
	}
}

func inAllNamespaces(g *components.Grid) {
	g.Namespaces = true
	g.NamespaceH = components.HeaderCell{Name: "Namespace", Hint: "The namespace the object is in.", Href: podsPage + "?sort=Namespace"}
}

func sortedTables() []Specimen {
	sorted := func(how string) components.Grid {
		return with(pods(), func(g *components.Grid) { g.Head[2].Sort = how })
	}
	return []Specimen{
		{Name: "grid-sorted-ascending", Title: "Sorted, smallest first", Shown: components.Table(sorted("ascending"))},
		{Name: "grid-sorted-descending", Title: "Sorted, biggest first", Shown: components.Table(sorted("descending"))},
	}
}

// rows are rows in several states.
func rows() []Specimen {
	one := func(change func(*components.GridRow)) components.Grid {
		return with(pods(), func(g *components.Grid) { change(&g.Rows[1]) })
	}
	return []Specimen{
		{Name: "grid-deleting", Title: "Being deleted", Note: "The object has a deletionTimestamp, and its deletion waits.", Shown: components.Table(one(func(r *components.GridRow) { r.Deleting = true }))},
		{Name: "grid-fresh", Title: "Changed a moment ago", Note: "The background fades in 1.5 seconds, and the bar at the left then disappears.", Shown: components.Table(one(func(r *components.GridRow) { r.Fresh = true }))},
		{Name: "grid-fought", Title: "Fought over", Note: "Managers overwrite each other’s values. The mark leads to where this is stopped.", Shown: components.Table(one(func(r *components.GridRow) {
			r.Badges = []components.Badge{{Look: components.FightBadge, Words: "gitops and autoscaler overwrite each other’s .spec.replicas, 12 times", Href: "/c/practice/-/assist?do=stop-fight"}}
		}))},
		{Name: "grid-choosing", Title: "Chosen", Note: "The reader chooses rows for an act on several objects. A row without a page has no box.", Shown: components.Table(with(pods(), func(g *components.Grid) {
			g.Choosing, g.Rows[0].Box.On, g.Rows[1].Href = true, true, ""
			for i := range g.Rows {
				g.Rows[i].Box.Name, g.Rows[i].Box.Value = "chosen", g.Rows[i].UID
			}
		}))},
		{Name: "grid-gone", Title: "Deleted under the pointer", Note: "The row stays until the pointer leaves, so no other row moves under the pointer.", Shown: components.Table(one(func(r *components.GridRow) { r.Gone, r.Href = true, "" }))},
	}
}

func oddTables() []Specimen {
	unlinked := with(pods(), func(g *components.Grid) {
		inAllNamespaces(g)
		g.Rows = g.Rows[:1]
		g.Rows[0].Href, g.Rows[0].NamespaceHref = "", ""
	})
	long := components.Grid{Label: "Events", Head: []components.HeaderCell{{Name: "Reason"}, {Name: "Message"}, {Name: "Count", Numeric: true}}, Rows: []components.GridRow{{
		UID: "u", Name: "e", Cells: []components.GridCell{
			{Text: "FailedScheduling"},
			{Text: "0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: batch}, 2 Insufficient memory. preemption: 0/3 nodes are available."},
			{Text: "1,048,576", Numeric: true},
		},
	}}}
	few := table.Table{Columns: []table.Column{{Name: "Name", Format: "name"}, {Name: "Status"}}, Rows: []table.Row{{UID: "u", Name: "a", Cells: []table.Cell{"a"}}}}
	typed := pods()
	typed.Head[2].Beside, typed.Head[2].Href = "integer", ""
	return []Specimen{
		{Name: "grid-without-links", Title: "Without links", Note: "The server doesn’t say which object this row is.", Shown: components.Table(unlinked)},
		{Name: "grid-long-cells", Title: "Long text", Note: "A text of more than 56 characters wraps. A number never wraps.", Shown: components.Table(long)},
		{Name: "grid-without-rows", Title: "Without rows", Shown: components.Table(with(pods(), func(g *components.Grid) { g.Rows = nil }))},
		{Name: "grid-fewer-cells-than-columns", Title: "Fewer cells than columns", Note: "An error of the server. The cells are shown as they were sent.", Shown: components.Table(components.GridOf("Pods", few, false))},
		{Name: "grid-beside", Title: "A word beside a column’s name", Shown: components.Table(typed)},
	}
}

// livingTables have fixed widths, and may lay out only a part of their rows.
func livingTables() []Specimen {
	fixed := with(pods(), func(g *components.Grid) {
		for i, width := range []int{220, 180, 90} {
			g.Head[i].Width = width
		}
		g.Rows[0].Cells[0].Text = "web-of-a-name-so-long-that-it-does-not-fit-into-the-column-that-it-has"
	})
	screened := with(fixed, func(g *components.Grid) { g.Screen, g.Below, g.Count = 1, 29, len(g.Rows) })
	virtual := with(fixed, func(g *components.Grid) { g.Above, g.Below, g.First, g.Count = 58, 29, 2, 5 })
	return []Specimen{
		{Name: "grid-fixed", Title: "Fixed widths", Note: "On a live page, added and removed rows don’t move the columns. A tooltip shows text that is too long.", Shown: components.Table(fixed)},
		{Name: "grid-virtual", Title: "A part of the rows", Note: "Two of five rows are laid out. The space above and below is for the others.", Shown: components.Table(virtual)},
		{Name: "grid-screen", Title: "The first screen first", Note: "The first row is for all readers. The second one is for readers without scripts, and the space is for readers with scripts.", Shown: components.Table(screened)},
	}
}
