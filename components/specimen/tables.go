package specimen

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
)

func tables() Section {
	return Section{
		Name: "tables", Title: "Tables", Note: "A collection as the server prints it. Rows are 29 px high, numbers end at the right, and only columns that hold states have tones.",
		Specimens: slices.Concat(plainTables(), sortedTables(), rows(), oddTables(), livingTables()),
	}
}

const podsPage = "/c/practice/api/v1/pods"

func pods() components.Grid {
	return podRows([]string{"web-1", "Running", "0"}, []string{"web-2", "CrashLoopBackOff", "17"})
}

// podRows is a Table of pods with links, as a page adds them.
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
		{Name: "grid-namespaces", Title: "In all namespaces", Note: "The namespace comes first, and leads to the same collection there.", Shown: components.Table(everywhere)},
		{Name: "grid-tones", Title: "Every tone", Note: "Mark and colour support the word.", Shown: components.Table(podRows(
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

// rows are the states of single rows.
func rows() []Specimen {
	one := func(change func(*components.GridRow)) components.Grid {
		return with(pods(), func(g *components.Grid) { change(&g.Rows[1]) })
	}
	return []Specimen{
		{Name: "grid-deleting", Title: "Being deleted", Note: "It has a deletionTimestamp, and waits.", Shown: components.Table(one(func(r *components.GridRow) { r.Deleting = true }))},
		{Name: "grid-fresh", Title: "Changed a moment ago", Note: "The ground fades within a second and a half; the bar at the left stays as long.", Shown: components.Table(one(func(r *components.GridRow) { r.Fresh = true }))},
		{Name: "grid-gone", Title: "Deleted while pointed at", Note: "It stays where it is until the pointer leaves, so that no row moves under it.", Shown: components.Table(one(func(r *components.GridRow) { r.Gone, r.Href = true, "" }))},
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
		{Name: "grid-without-links", Title: "Without links", Note: "A row of which the server does not say which object it is.", Shown: components.Table(unlinked)},
		{Name: "grid-long-cells", Title: "Long text", Note: "Past 56 characters a text wraps, and a number never does.", Shown: components.Table(long)},
		{Name: "grid-without-rows", Title: "Without rows", Shown: components.Table(with(pods(), func(g *components.Grid) { g.Rows = nil }))},
		{Name: "grid-fewer-cells-than-columns", Title: "Fewer cells than columns", Note: "A server’s mistake, shown as it is.", Shown: components.Table(components.GridOf("Pods", few, false))},
		{Name: "grid-beside", Title: "A word beside a column’s name", Shown: components.Table(typed)},
	}
}

// livingTables have columns of their own width, and may lay out only a part of their rows.
func livingTables() []Specimen {
	fixed := with(pods(), func(g *components.Grid) {
		for i, width := range []int{220, 180, 90} {
			g.Head[i].Width = width
		}
		g.Rows[0].Cells[0].Text = "web-of-a-name-so-long-that-it-does-not-fit-into-the-column-that-it-has"
	})
	virtual := with(fixed, func(g *components.Grid) { g.Above, g.Below, g.First, g.Count = 58, 29, 2, 5 })
	return []Specimen{
		{Name: "grid-fixed", Title: "Columns of their own width", Note: "Once a page lives, rows come and go without moving the columns. What does not fit is told on hovering.", Shown: components.Table(fixed)},
		{Name: "grid-virtual", Title: "A part of the rows", Note: "Two of five are laid out; the others have their room above and below.", Shown: components.Table(virtual)},
	}
}
