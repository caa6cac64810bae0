package owners

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Written is an object as YAML, with the owners of each line.
type Written struct {
	Document manifest.Document
	Blame    *ownership.Blame
	Managers []Manager
	Rows     []Row
}

// Row is one line.
type Row struct {
	ownership.Line
	Path    string
	Columns []int  // the owners, as sorted indexes of the managers
	Owners  string // the owners as JSON
	// Elsewhere are the owners of fields of other API versions that may be this value. It has no owner in this version.
	Elsewhere []ownership.Owner
}

// MostManagers is the maximum number of managers that have a column and are listed in a line's data.
const MostManagers = components.MostListed

// Nobody tells whether the line is a value without an owner.
func (r Row) Nobody() bool { return r.Kind != ownership.Head && len(r.Columns) == 0 }

// Everybodys tells whether the line is the head of fields that have owners, and has no owner itself.
func (r Row) Everybodys() bool { return r.Kind == ownership.Head && len(r.Columns) == 0 }

// Write writes an object as YAML, and adds the owners. Its secrets must be masked already.
func Write(o object.Object, known ownership.Schema) (*Written, error) {
	document, err := manifest.YAMLDocument(o.WithoutManagedFields().Fields)
	if err != nil {
		return nil, err
	}
	w := &Written{Document: document, Blame: ownership.Parse(o.Fields).On(document.Root, known)}
	w.Managers = Of(w.Blame.Record.Managers())
	w.rows()
	return w, nil
}

func (w *Written) rows() {
	columns := map[ownership.Owner]int{}
	for i, m := range w.Managers {
		columns[m.Owner] = i
	}
	written := map[string]string{}
	for _, line := range ownership.Lines(w.Document.Places) {
		r := Row{Line: line, Path: w.Blame.Path(line.Node)}
		holders := w.Blame.Owners(line.Node)
		for _, o := range holders {
			r.Columns = append(r.Columns, columns[o])
		}
		slices.Sort(r.Columns)
		key := fmt.Sprint(r.Columns)
		if _, known := written[key]; !known {
			shown, _ := components.First(holders, MostManagers)
			written[key] = asJSON(shown)
		}
		r.Owners = written[key]
		if r.Nobody() {
			r.Elsewhere = elsewhere(w.Blame.Unplaced(line.Node))
		}
		w.Rows = append(w.Rows, r)
	}
}

// elsewhere are the owners of claims, each once.
func elsewhere(claims []ownership.Claim) []ownership.Owner {
	var all []ownership.Owner
	for _, c := range claims {
		if !slices.Contains(all, c.Owner) {
			all = append(all, c.Owner)
		}
	}
	return all
}

// Unplaced says who may own a value by a claim of another API version; empty: nobody.
func (r Row) Unplaced() string { return Unplaced(r.Elsewhere) }

// Unplaced says that managers own a field of another API version that may be a value; empty if there are none.
func Unplaced(holders []ownership.Owner) string {
	if len(holders) == 0 {
		return ""
	}
	var all []string
	shown, more := manager.Few(holders)
	for _, o := range shown {
		all = append(all, o.Name+" in "+o.APIVersion)
	}
	return "claimed by " + manager.Listed(all, more) + ", which can’t be placed here"
}

func asJSON(holders []ownership.Owner) string {
	text, err := json.Marshal(holders)
	if err != nil {
		return "[]" // owners always encode
	}
	return string(text)
}

// Shown returns the managers that have a column.
func (w *Written) Shown() []components.Manager {
	var all []components.Manager
	columns, _ := components.First(w.Managers, MostManagers)
	for _, m := range columns {
		all = append(all, m.Manager)
	}
	return all
}

// Line is a line as it is shown. If begins is true, its owners differ from those of the line above, so it names them. The page adds the link.
func (w *Written) Line(i int, begins bool) components.BlameLine {
	r := w.Rows[i]
	l := components.BlameLine{
		Number: i + 1, Line: w.Document.Lines[i], Columns: Strips(r.Columns), Nobody: r.Nobody(), Elsewhere: r.Unplaced(), Said: fmt.Sprintf("line %d, %s", i+1, w.said(r)),
	}
	if r.Kind == ownership.Text {
		return l
	}
	l.Path, l.Owners, l.Begins = r.Path, r.Owners, begins
	if begins {
		shown, more := components.First(r.Columns, manager.MostNamed)
		l.Label, l.More, l.Hint = w.Names(shown), more, w.hint(r)
	}
	return l
}

// Runs finds the lines whose owners differ from those of the line above.
type Runs struct {
	last      []int
	elsewhere []ownership.Owner
	begun     bool
}

// Begins takes the next line, and tells whether its owners differ.
func (s *Runs) Begins(r Row) bool {
	if r.Everybodys() {
		return false
	}
	begins := r.Kind != ownership.Text && (!s.begun || !slices.Equal(s.last, r.Columns) || !slices.Equal(s.elsewhere, r.Elsewhere))
	if r.Kind != ownership.Text {
		s.elsewhere = r.Elsewhere
	}
	s.last, s.begun = r.Columns, true
	return begins
}

// Strips returns the owners of a line that have a column.
func Strips(columns []int) []int {
	for i, c := range columns {
		if c >= MostManagers {
			return columns[:i] // the columns are sorted
		}
	}
	return columns
}

// Names returns the owners of a line.
func (w *Written) Names(columns []int) []components.Manager {
	all := make([]components.Manager, 0, len(columns))
	for _, c := range columns {
		all = append(all, w.Managers[c].Manager)
	}
	return all
}

// Named lists managers in a sentence.
func (w *Written) Named(columns []int) string {
	holders := make([]ownership.Owner, 0, len(columns))
	for _, c := range columns {
		holders = append(holders, w.Managers[c].Owner)
	}
	return manager.Names(holders)
}

// said names the owners of a line, for screen readers.
func (w *Written) said(r Row) string {
	switch {
	case r.Everybodys():
		return "no owner, but its fields have owners"
	case len(r.Elsewhere) > 0:
		return r.Unplaced()
	case len(r.Columns) == 0:
		return "owned by nobody"
	}
	return "owned by " + w.Named(r.Columns)
}

// hint says when the owners last wrote. The times are those of their entries, not of the field.
func (w *Written) hint(r Row) string {
	var all []string
	shown, more := components.First(r.Columns, manager.MostNamed)
	for _, c := range shown {
		m := w.Managers[c]
		when := "at an unknown time"
		if at := m.Written(); !at.IsZero() {
			when = at.UTC().Format(time.DateTime) + " UTC"
		}
		all = append(all, m.Manager.Words()+" last wrote "+when)
	}
	if more > 0 {
		all = append(all, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(all, "\n")
}

// And joins words for a sentence: "a, b and c".
func And(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
