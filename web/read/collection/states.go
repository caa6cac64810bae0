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

// empty says why no row is shown; nil where rows are.
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
		return nil // rows are on their way
	case l.total > 0:
		return m.noneLeft(l)
	case m.Query.Selects():
		return m.noneMatch(plural)
	case m.Query.Continue != "":
		return &components.Notice{
			Title: "No more objects",
			Why:   &why.Chunks,
			Words: "This chunk is empty. The previous chunk was the last.",
			Links: []components.Link{{Text: "Back to the first chunk", Href: m.address(m.Query.first())}},
		}
	default:
		return m.noneExist(plural)
	}
}

// Bounds of what stands in for rows that are on their way.
const (
	awaitedRows    = 8
	awaitedColumns = 6
)

// awaited stands in for rows that are on their way.
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
		Words: "The list is empty, because the namespace doesn’t exist. An API server responds without an error to such a request.",
		Links: []components.Link{
			{Text: "All namespaces", Href: web.Page(m.Shell.Cluster.Slug, m.Shell.Path.In("").String()), Primary: true},
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
		Links: []components.Link{{Text: "Clear the filter", Href: m.address(m.Query.withoutFilter())}},
	}
}

func (m Model) noneMatch(plural string) *components.Notice {
	return &components.Notice{
		Title:  "No object matches",
		Why:    &why.LabelSelector,
		Words:  fmt.Sprintf("The server found no %s that match the selectors%s.", plural, m.where()),
		Advice: "Selectors compare whole values. They are case sensitive.",
		Links:  []components.Link{{Text: "Clear the selectors", Href: m.address(m.Query.withoutSelectors())}},
	}
}

func (m Model) noneExist(plural string) *components.Notice {
	notice := &components.Notice{
		Title: fmt.Sprintf("No %s%s", plural, m.where()),
		Why:   &why.Collections,
		Words: "The server responded with an empty list.",
	}
	if m.Shell.Path.Namespace != "" {
		notice.Links = []components.Link{{
			Text: "Look in all namespaces", Href: web.Page(m.Shell.Cluster.Slug, m.Shell.Path.In("").String()),
		}}
	}
	return notice
}

func (m Model) where() string {
	if n := m.Shell.Path.Namespace; n != "" {
		return " in the namespace " + n
	}
	return ""
}

// partNote warns that sorting and filtering know only the chunk; empty where they know all there is.
func (m Model) partNote() string {
	if !m.partial() {
		return ""
	}
	rows := words.Count(int64(len(m.Table.Rows)), "row", "rows")
	switch sorted, filtered := m.Query.Sort.Column != "", m.Query.Filter != ""; {
	case sorted && filtered:
		return "Sorted and filtered only within this chunk of " + rows + ". The server sorts all objects by key."
	case sorted:
		return "Sorted only within this chunk of " + rows + ". The server sorts all objects by key."
	case filtered:
		return "Filtered only within this chunk of " + rows + ". To search all objects, use a selector."
	default:
		return ""
	}
}

// reach says what the filter sees, and what chooses among more than that.
func (m Model) reach(l layout) string {
	rows, others := words.Count(int64(l.total), "row", "rows"), ". The server applies label and field selectors."
	switch {
	case m.partial():
		return "The filter searches this chunk of " + rows + others
	case m.arriving():
		return "The filter searches the " + rows + " received so far" + others
	case len(l.rows) < l.shown:
		return "The filter searches all " + rows + ", and the browser’s search only the visible rows" + others
	case m.live != nil && l.total > 1:
		return "The filter searches all " + rows + " in the browser" + others
	default:
		return "The filter searches the rows on this page" + others
	}
}

// arriving tells whether rows are still to come, so that what is there is not all there is.
func (m Model) arriving() bool { return m.live != nil && m.follows() && m.live.rows.Partial() }

// counted says how many rows there are, and what is being done with them if that takes a while.
func (m Model) counted(l layout) string {
	text := words.Count(int64(l.total), "row", "rows")
	if l.shown < l.total {
		text = words.Thousands(int64(l.shown)) + " of " + text
	}
	if m.arriving() {
		text += " so far"
	}
	if doing := m.arranging(); doing != "" {
		text += ", " + doing + "…"
	}
	return text
}
