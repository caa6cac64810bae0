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
			Title: "Nothing after this",
			Why:   &why.Chunks,
			Words: "The chunk is empty: the one before was the last.",
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
		Label: shell.Plural(m.Type) + " are on their way", Rows: awaitedRows, Columns: min(awaitedColumns, len(m.columns())),
	}
}

func (m Model) noNamespace() *components.Notice {
	n := m.Shell.Path.Namespace
	return &components.Notice{
		Tone:  components.Warn,
		Why:   &why.Collections,
		Title: fmt.Sprintf("There is no namespace %q", n),
		Words: "An API server lists the objects of a namespace that does not exist without complaint: there are none.",
		Links: []components.Link{
			{Text: "All namespaces", Href: web.Page(m.Shell.Cluster.Slug, m.Shell.Path.In("").String()), Primary: true},
			{Text: "Which namespaces are there?", Href: web.Page(m.Shell.Cluster.Slug, apipath.Collection("", "v1", "", "namespaces").String())},
		},
	}
}

func (m Model) noneLeft(l layout) *components.Notice {
	where := "page"
	if m.partial() {
		where = "chunk"
	}
	return &components.Notice{
		Title: "No row passes the filter",
		Words: fmt.Sprintf("Of this %s’s %s none holds all of “%s”.", where, words.Count(int64(l.total), "row", "rows"), m.Query.Filter),
		Links: []components.Link{{Text: "Clear the filter", Href: m.address(m.Query.withoutFilter())}},
	}
}

func (m Model) noneMatch(plural string) *components.Notice {
	return &components.Notice{
		Title:  "None match",
		Why:    &why.LabelSelector,
		Words:  fmt.Sprintf("The server found no %s that the selectors choose%s.", plural, m.where()),
		Advice: "Selectors compare whole values, and are case sensitive.",
		Links:  []components.Link{{Text: "Clear the selectors", Href: m.address(m.Query.withoutSelectors())}},
	}
}

func (m Model) noneExist(plural string) *components.Notice {
	notice := &components.Notice{
		Title: fmt.Sprintf("No %s%s", plural, m.where()),
		Why:   &why.Collections,
		Words: "The server was asked and has none.",
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
		return "Sorted and filtered within this chunk of " + rows + "; the server’s order goes on by key."
	case sorted:
		return "Sorted within this chunk of " + rows + "; the server’s own order is by key."
	case filtered:
		return "Filtered within this chunk of " + rows + "; a selector would make the server choose among all."
	default:
		return ""
	}
}

// reach says what the filter sees, and what chooses among more than that.
func (m Model) reach(l layout) string {
	rows, others := words.Count(int64(l.total), "row", "rows"), "; labels and fields choose in the server."
	switch {
	case m.partial():
		return "The filter sees this chunk of " + rows + others
	case m.arriving():
		return "The filter sees the " + rows + " here so far" + others
	case len(l.rows) < l.shown:
		return "The filter sees all " + rows + ", the browser’s own search those in sight" + others
	case m.live != nil && l.total > 1:
		return "The filter sees all " + rows + ", here in the browser" + others
	default:
		return "The filter sees the rows that are here" + others
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
