package specimen

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
)

func tables() Section {
	return Section{
		Name: "tables", Title: "Tables", Note: "A collection as the server prints it. Rows are 29 px high, numbers end at the right, and only columns that hold states have tones.",
		Specimens: slices.Concat(plainTables(), sortedTables(), rows(), oddTables(), livingTables()),
	}
}

const podsPage = "/c/practice/api/v1/pods"

func pods() components.Grid {
	return components.Grid{
		Label: "Pods",
		Head: []components.HeaderCell{
			{Name: "Name", Hint: "Name must be unique within a namespace.", Href: podsPage + "?sort=Name"},
			{Name: "Status", Href: podsPage + "?sort=Status"},
			{Name: "Restarts", Href: podsPage + "?sort=Restarts", Numeric: true},
		},
		Rows: []components.GridRow{pod("web-1", "Running", "0"), pod("web-2", "CrashLoopBackOff", "17")},
	}
}

func pod(name, status, restarts string) components.GridRow {
	return components.GridRow{
		UID: "u-" + name, Namespace: "shop", Name: name, ResourceVersion: "42",
		Href: "/c/practice/api/v1/namespaces/shop/pods/" + name, NamespaceHref: "/c/practice/api/v1/namespaces/shop/pods",
		Cells: []components.GridCell{
			{Text: name, Link: true},
			{Text: status, Tone: components.CellTone("Status", status)},
			{Text: restarts, Numeric: true},
		},
	}
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
		{Name: "grid-tones", Title: "Every tone", Note: "Mark and colour support the word.", Shown: components.Table(with(pods(), func(g *components.Grid) {
			g.Rows = []components.GridRow{
				pod("api-1", "Running", "0"), pod("api-2", "Pending", "0"), pod("api-3", "Unknown", "3"), pod("api-4", "ImagePullBackOff", "0"), pod("api-5", "Sleeping", "1,024"),
			}
		}))},
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
		g.Rows = []components.GridRow{pod("web-1", "Running", "0")}
		g.Rows[0].Href, g.Rows[0].NamespaceHref = "", ""
	})
	long := components.Grid{Label: "Events", Head: []components.HeaderCell{{Name: "Reason"}, {Name: "Message"}, {Name: "Count", Numeric: true}}, Rows: []components.GridRow{{
		UID: "u", Name: "e", Cells: []components.GridCell{
			{Text: "FailedScheduling"},
			{Text: "0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: batch}, 2 Insufficient memory. preemption: 0/3 nodes are available."},
			{Text: "1,048,576", Numeric: true},
		},
	}}}
	few := components.GridRow{UID: "u", Name: "a", Cells: []components.GridCell{{Text: "a"}}}
	return []Specimen{
		{Name: "grid-without-links", Title: "Without links", Note: "A row of which the server does not say which object it is.", Shown: components.Table(unlinked)},
		{Name: "grid-long-cells", Title: "Long text", Note: "Past 56 characters a text wraps, and a number never does.", Shown: components.Table(long)},
		{Name: "grid-without-rows", Title: "Without rows", Shown: components.Table(with(pods(), func(g *components.Grid) { g.Rows = nil }))},
		{Name: "grid-fewer-cells-than-columns", Title: "Fewer cells than columns", Note: "A server’s mistake, shown as it is.", Shown: components.Table(with(pods(), func(g *components.Grid) { g.Rows = []components.GridRow{few} }))},
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
