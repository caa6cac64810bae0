package collection

import (
	"fmt"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// empty says why no row is shown; nil if rows are shown or will arrive.
func (m Model) empty(l layout) *components.Notice {
	plural := shell.Plural(m.Type)
	switch {
	case m.Problem != nil:
		return m.Problem
	case l.shown > 0:
		return nil
	case m.NoNamespace:
		return m.noNamespace()
	case m.arriving() && m.live.rows.Arriving():
		return nil // rows will arrive
	case l.total > 0:
		return m.noneLeft(l)
	case m.Query.Selects():
		return m.noneMatch(plural)
	case m.Query.Continue != "":
		return &components.Notice{
			Title: "No more objects",
			Why:   &why.Chunks,
			Words: "This chunk is empty. The previous chunk was the last.",
			Links: []components.Link{{Text: "Back to the first chunk", Href: m.queryAddress(m.Query.first())}},
		}
	default:
		return m.noneExist(plural)
	}
}

// The size of the placeholder for rows that have not arrived yet.
const (
	awaitedRows    = 8
	awaitedColumns = 6
)

// awaited is the placeholder for rows that have not arrived yet.
func (m Model) awaited() components.Placeholder {
	return components.Placeholder{
		Label: shell.Plural(m.Type) + " are loading", Rows: awaitedRows, Columns: min(awaitedColumns, len(m.columns())),
	}
}

func (m Model) noNamespace() *components.Notice {
	n := m.Shell.Path.Namespace
	return &components.Notice{
		Tone:  components.Warn,
		Why:   &why.Collections,
		Title: fmt.Sprintf("There is no namespace %q", n),
		Words: "The list is empty, because the namespace doesn’t exist. For such a request, the API server returns an empty list and no error.",
		Links: []components.Link{
			{Text: "Look in all namespaces", Href: web.Page(m.Shell.Cluster.Slug, m.Shell.Path.In("").String()), Primary: true},
			{Text: "List the namespaces", Href: web.Page(m.Shell.Cluster.Slug, apipath.Collection("", "v1", "", "namespaces").String())},
		},
	}
}

func (m Model) noneLeft(l layout) *components.Notice {
	where := "page"
	if m.partial() {
		where = "chunk"
	}
	return &components.Notice{
		Title: "No row matches the filter",
		Words: fmt.Sprintf("None of this %s’s %s contains all words of “%s”.", where, words.Count(int64(l.total), "row", "rows"), m.Query.Filter),
		Links: []components.Link{{Text: "Clear the filter", Href: m.queryAddress(m.Query.withoutFilter())}},
	}
}

func (m Model) noneMatch(plural string) *components.Notice {
	return &components.Notice{
		Title:  "No object matches",
		Why:    &why.LabelSelector,
		Words:  m.noneWords(plural),
		Advice: "Selectors compare whole values. They are case sensitive.",
		Links:  []components.Link{{Text: "Clear the selectors", Href: m.queryAddress(m.Query.withoutSelectors())}},
	}
}

func (m Model) noneExist(plural string) *components.Notice {
	notice := &components.Notice{
		Title: "No " + plural,
		Why:   &why.Collections,
		Words: "The server responded with an empty list.",
	}
	if n := m.Shell.Path.Namespace; n != "" {
		notice.Title = fmt.Sprintf("No %s in the namespace %s", plural, n)
		notice.Links = []components.Link{{
			Text: "Look in all namespaces", Href: web.Page(m.Shell.Cluster.Slug, m.Shell.Path.In("").String()),
		}}
	}
	return notice
}

func (m Model) noneWords(plural string) string {
	if n := m.Shell.Path.Namespace; n != "" {
		return fmt.Sprintf("In the namespace %s, the server found no %s that match the selectors.", n, plural)
	}
	return fmt.Sprintf("The server found no %s that match the selectors.", plural)
}

// partNote warns that only the rows of this chunk are sorted or filtered; empty if there is no other chunk.
func (m Model) partNote() string {
	if !m.partial() || m.valueNote() != "" {
		return ""
	}
	rows := words.Count(int64(len(m.Table.Rows)), "row", "rows")
	switch sorted, filtered := m.Query.Sort.Column != "", m.Query.Filter != ""; {
	case sorted && filtered:
		return fmt.Sprintf("Sorted and filtered only within this chunk of %s. The server sorts all objects by key.", rows)
	case sorted:
		return fmt.Sprintf("Sorted only within this chunk of %s. The server sorts all objects by key.", rows)
	case filtered:
		return fmt.Sprintf("Filtered only within this chunk of %s. To search all objects, use a selector.", rows)
	default:
		return ""
	}
}

// reach says which rows the filter searches, and that selectors search all objects.
func (m Model) reach(l layout) string {
	const others = " The server applies label and field selectors."
	rows := words.Count(int64(l.total), "row", "rows")
	switch {
	case m.partial():
		return fmt.Sprintf("The filter searches this chunk of %s.", rows) + others
	case m.arriving():
		return fmt.Sprintf("The filter searches the %s received so far.", rows) + others
	case len(l.rows) < l.shown:
		return fmt.Sprintf("The filter searches all %s. The search of the browser finds only visible rows.", rows) + others
	case m.live != nil && l.total > 1:
		return fmt.Sprintf("The filter searches all %s in the browser.", rows) + others
	default:
		return "The filter searches the rows on this page." + others
	}
}

// arriving tells whether more rows of the initial state will arrive.
func (m Model) arriving() bool { return m.live != nil && m.follows() && m.live.rows.Partial() }

// counted says how many rows there are, and what the page is doing with them if that takes a while.
func (m Model) counted(l layout) string {
	text := words.Count(int64(l.total), "row", "rows")
	if l.shown < l.total {
		text = fmt.Sprintf("%s of %s", words.Thousands(int64(l.shown)), text)
	}
	if m.arriving() {
		text = fmt.Sprintf("%s so far", text)
	}
	if doing := m.arranging(); doing != "" {
		text += ", " + doing + "…"
	}
	return text
}
