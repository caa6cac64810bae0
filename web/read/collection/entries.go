package collection

import (
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/palette"
)

// Entries implements palette.Source: the actions on the rows.
func (m Model) Entries() []palette.Entry {
	action := func(text string, q Query) palette.Entry {
		return palette.Entry{Kind: palette.Action, Text: text, Href: m.queryAddress(q)}
	}
	var entries []palette.Entry
	q := m.Query
	for _, name := range m.sortable() {
		q.Sort = table.Order{Column: name}
		entries = append(entries, action("Sort by "+name, q))
		q.Sort.Descending = true
		entries = append(entries, action("Sort by "+name+", descending", q))
	}
	if m.wideOffered() {
		words := "All columns"
		if m.Query.Wide {
			words = "Fewer columns"
		}
		entries = append(entries, action(words, m.Query.toggleWide()))
	}
	if m.choosable() {
		entries = append(entries, action(m.choosingWords(), m.Query.toggleChoosing()))
	}
	return entries
}

// Known implements palette.Knowing: every row is an object that the palette can open.
func (m Model) Known() palette.Known {
	k := palette.Known{Type: m.Type}
	if m.live == nil || !m.Type.Can("get") {
		return k
	}
	k.Names = make([]palette.Name, 0, m.live.rows.Len())
	m.live.rows.Each(func(r *table.Row) bool {
		k.Names = append(k.Names, palette.Name{Namespace: r.Namespace, Name: r.Name})
		return true
	})
	k.All = m.live.rows.Live() && m.Query.Filter == "" && !m.Query.Selects() && m.Shell.Path.Namespace == ""
	return k
}
