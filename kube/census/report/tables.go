package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// CSV has a line for each way in which a manager writes a type, of one census or of several.
func CSV(all ...Report) string {
	rows := [][]string{{"cluster", "manager", "writer", "type", "operation", "subresource", "apiVersion", "served", "objects", "fields", "last"}}
	for _, r := range all {
		for _, c := range r.Cells {
			m := r.Managers[c.Manager]
			for _, e := range c.Entries {
				rows = append(rows, []string{
					r.Context, m.Shown(r.Folded), string(m.Writer), r.Types[c.Type].Name(), e.Operation, e.Subresource, e.APIVersion, strconv.FormatBool(!e.Unserved),
					strconv.Itoa(e.Objects), strconv.Itoa(e.Fields), Time(e.Last),
				})
			}
		}
	}
	return plain.CSV(rows)
}

// Shown is the manager's name for people. Folded is how many managers the last one stands for.
func (m Manager) Shown(folded int) string {
	switch {
	case m.Others && folded > 0:
		return words.Count(int64(folded), "other manager", "other managers")
	case m.Others:
		return "other managers"
	case m.Name == "":
		return "(without a name)"
	}
	return m.Name
}

// Time is a time in tables, in UTC; empty if it isn't known.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Markdown is a census as tables for a ticket or a pull request: the findings, and the managers.
func (r Report) Markdown() string {
	var b strings.Builder
	if len(r.Findings) > 0 {
		row(&b, "Finding", "Manager", "Type", "Objects", "Why")
		b.WriteString("|---|---|---|--:|---|\n")
		for _, f := range r.Findings {
			row(&b, string(f.Problem), f.Manager, f.Type, words.Thousands(int64(f.Objects)), f.Why)
		}
		b.WriteString("\n")
	}
	row(&b, "Manager", "Writer", "Types", "Objects", "Fields", "Last write")
	b.WriteString("|---|---|--:|--:|--:|---|\n")
	types := make([]int64, len(r.Managers))
	for _, c := range r.Cells {
		types[c.Manager]++
	}
	for i, m := range r.Managers {
		row(&b, m.Shown(r.Folded), m.Writer.Words(), words.Thousands(types[i]), words.Thousands(int64(m.Objects)), words.Thousands(int64(m.Fields)), Time(m.Last))
	}
	return b.String()
}

// row writes a line of a table. Texts from a cluster can't end a cell, begin markup, or hide characters.
func row(b *strings.Builder, cells ...string) {
	for _, c := range cells {
		b.WriteString("| " + plain.Markdown(c) + " ")
	}
	b.WriteString("|\n")
}
