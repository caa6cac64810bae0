package fields

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	columns "github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// manager is an owner in the view. Its place among all is its column.
type manager = columns.Manager

// laid is the object written out, each line with its owners.
type laid struct {
	document manifest.Document
	blame    *ownership.Blame
	managers []manager
	rows     []laidRow
	byNode   []int // the row in which each node begins; -1 for the document
}

// laidRow is a line of it.
type laidRow struct {
	ownership.Line
	path    string
	columns []int  // who owns it, by their places among the managers
	owners  string // as JSON
}

// nobody tells whether the line is a value that nobody owns.
func (r laidRow) nobody() bool { return r.Kind != ownership.Head && len(r.columns) == 0 }

// continues tells whether the line goes on with the text of the one above.
func (r laidRow) continues() bool { return r.Kind == ownership.Text }

// nobodys tells whether the line begins something that is nobody's and everybody's.
func (r laidRow) nobodys() bool { return r.Kind == ownership.Head && len(r.columns) == 0 }

// lay writes the object out and lays its record of ownership on it.
func (m on) lay() (*laid, error) {
	written, err := manifest.YAMLDocument(m.Object.WithoutManagedFields().Fields)
	if err != nil {
		return nil, err
	}
	l := &laid{document: written, blame: ownership.Parse(m.Object.Fields).On(written.Root, m.Outline.Knowledge())}
	l.managers = columns.Of(l.blame.Record.Managers())
	l.lines()
	return l, nil
}

func (l *laid) lines() {
	columns := map[ownership.Owner]int{}
	for i, m := range l.managers {
		columns[m.Owner] = i
	}
	written := map[string]string{}
	l.byNode = slices.Repeat([]int{-1}, l.document.Root.End)
	for i, line := range ownership.Lines(l.document.Places) {
		r := laidRow{Line: line, path: l.blame.Path(line.Node)}
		holders := l.blame.Owners(line.Node)
		for _, o := range holders {
			r.columns = append(r.columns, columns[o])
		}
		slices.Sort(r.columns)
		key := fmt.Sprint(r.columns)
		if _, known := written[key]; !known {
			shown, _ := components.First(holders, tab.MostManagers)
			written[key] = ownersJSON(shown)
		}
		r.owners = written[key]
		l.rows = append(l.rows, r)
		if line.Kind == ownership.Text {
			continue
		}
		for _, n := range append(line.Items, line.Node) {
			l.byNode[n.ID] = i
		}
	}
}

func ownersJSON(holders []ownership.Owner) string {
	text, err := json.Marshal(holders)
	if err != nil {
		return "[]" // no owner fails
	}
	return string(text)
}

// find gives the row of a field, and its node; nil where the object holds no such field.
func (l *laid) find(path string) (row int, n *manifest.Node) {
	if path == "" {
		return -1, nil
	}
	for _, n := range l.blame.Find(path) {
		if at := l.byNode[n.ID]; at >= 0 {
			return at, n
		}
	}
	return -1, nil
}

// names are who owns a line.
func (l *laid) names(columns []int) []components.Manager {
	all := make([]components.Manager, 0, len(columns))
	for _, c := range columns {
		all = append(all, l.managers[c].Manager)
	}
	return all
}

// said is who owns a line, for those who do not see it.
func (l *laid) said(r laidRow, number int) string {
	words := fmt.Sprintf("line %d, ", number)
	switch {
	case r.nobodys():
		return words + "nobody’s and everybody’s"
	case len(r.columns) == 0:
		return words + "owned by nobody"
	}
	return words + "owned by " + l.named(r.columns)
}

// hint says when the owners last wrote, which dates their entries and not the field.
func (l *laid) hint(r laidRow) string {
	var all []string
	shown, more := components.First(r.columns, tab.MostNamed)
	for _, c := range shown {
		m := l.managers[c]
		when := "at a time that is not recorded"
		if at := m.Written(); !at.IsZero() {
			when = at.UTC().Format(time.DateTime) + " UTC"
		}
		all = append(all, m.Manager.Words()+" last wrote "+when)
	}
	if more > 0 {
		all = append(all, "and "+components.Count(int64(more), "other manager", "other managers"))
	}
	return strings.Join(all, "\n")
}

// named lists managers in a sentence: the first of them, where they are many.
func (l *laid) named(columns []int) string {
	shown, more := components.First(columns, tab.MostNamed)
	var holders []string
	for _, m := range l.names(shown) {
		holders = append(holders, m.Words())
	}
	if more > 0 {
		holders = append(holders, components.Count(int64(more), "other manager", "other managers"))
	}
	return and(holders)
}

// strips are the owners of a line that have a column.
func strips(columns []int) []int {
	for i, c := range columns {
		if c >= tab.MostManagers {
			return columns[:i] // they are sorted
		}
	}
	return columns
}

// and lists words in a sentence.
func and(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
