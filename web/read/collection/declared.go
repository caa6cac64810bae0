package collection

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
)

// Column is a column that a CustomResourceDefinition declares.
type Column struct {
	Name string `json:"name"`
	Path string `json:"jsonPath"`
}

// Unserved are the declared columns that the table doesn't have. kube-apiserver accepts a column whose JSONPath it can't parse. It serves the
// columns before that one, and none from there on, without a word. So the first of them is the one with the mistake.
func Unserved(declared []Column, t table.Table) []Column {
	t.Columns = shownColumns(t.Columns, false)
	served := max(0, len(t.Columns)-1) // without the name
	if !t.Printed || served >= len(declared) {
		return nil
	}
	for i, c := range declared[:served] {
		if t.Columns[i+1].Name != c.Name {
			return nil // the definition has just changed
		}
	}
	return declared[served:]
}

// unservedNote says which declared columns are missing, and why; nil: none are.
func (m Model) unservedNote() *components.Notice {
	if len(m.Unserved) == 0 {
		return nil
	}
	first := m.Unserved[0]
	n := &components.Notice{
		Tone:  components.Warn,
		Title: "The server doesn’t serve the column " + first.Name,
		Words: fmt.Sprintf("The definition declares the column with the JSONPath %s, which the API server can’t parse. The server says so nowhere else.", first.Path),
		Links: []components.Link{{Text: "Open the definition", Href: web.Page(m.Shell.Cluster.Slug, apipath.Object("apiextensions.k8s.io", "v1", "", "customresourcedefinitions", m.Type.Resource+"."+m.Type.Group).String())}},
	}
	if len(m.Unserved) > 1 {
		var names []string
		for _, c := range m.Unserved[1:] {
			names = append(names, c.Name)
		}
		shown, more := components.First(names, components.MostListed)
		n.Words += " It serves no column after this one either: " + strings.Join(shown, ", ")
		if more > 0 {
			n.Words += fmt.Sprintf(" and %d more", more)
		}
		n.Words += "."
	}
	n.Advice = "Correct the path in additionalPrinterColumns."
	return n
}

// invalidNote explains a word that the server prints for dates; empty if no row that is shown has it.
func invalidNote(l layout) string {
	if slices.ContainsFunc(l.rows, func(r table.Row) bool { return slices.Contains(r.Cells, table.Invalid) }) {
		return components.InvalidWords
	}
	return ""
}
