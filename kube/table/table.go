package table

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Column is one column as the server defined it.
type Column struct {
	Name        string `json:"name"`
	Type        string `json:"type"`             // OpenAPI type: string, integer, number, boolean, date
	Format      string `json:"format,omitempty"` // OpenAPI format; "name" marks the identifying column
	Description string `json:"description,omitempty"`
	Priority    int    `json:"priority,omitempty"` // 0: always shown; higher: only in the wide view
	Own         Own    `json:"-"`
}

// Own is what a column shows that the reader has added. The zero value is a column of the server.
type Own struct {
	Age      bool
	Label    string // the key of a label
	Value    int    // the number of a text in Row.Values, from 1
	Quantity bool   // the texts are quantities
}

// Numeric tells whether the column holds plain numbers.
func (c Column) Numeric() bool { return c.Type == "integer" || c.Type == "number" }

// Row is one object of the collection. In JSON, it is a line: see Rows.
type Row struct {
	UID             string
	Namespace       string
	Name            string
	ResourceVersion string
	Created         time.Time
	Labels          Labels
	Deleting        bool // it has a deletionTimestamp
	Cells           []Cell
	Values          *Values // of columns that the reader has added; nil: they have not been read. They are not in the JSON
}

// Values are texts that were read from an object.
type Values struct {
	Names []string // of their columns; rows share them
	Texts []string
}

// Table is one response: a whole collection, or one chunk.
type Table struct {
	Columns         []Column `json:"columns"`
	Rows            Rows     `json:"rows"`
	ResourceVersion string   `json:"resourceVersion"`
	Continue        string   `json:"continue,omitempty"`  // token of the next chunk; empty: this is the last chunk
	Remaining       *int64   `json:"remaining,omitempty"` // objects after this chunk; nil: the server doesn't say
	Printed         bool     `json:"printed"`             // false: the server sent no Table, so the columns are name and age
}

// Cell is the value of a cell as text: a string unchanged, a number or boolean in JSON, null as an empty text, and anything else as
// compact JSON.
type Cell string

// UnmarshalJSON accepts any JSON value.
func (c *Cell) UnmarshalJSON(data []byte) error {
	switch {
	case len(data) > 0 && data[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return fmt.Errorf("the text of a cell: %w", err)
		}
		*c = Cell(s)
	case string(data) == "null":
		*c = ""
	default:
		*c = Cell(data)
	}
	return nil
}

type objectMeta struct {
	UID               string     `json:"uid"`
	Namespace         string     `json:"namespace"`
	Name              string     `json:"name"`
	ResourceVersion   string     `json:"resourceVersion"`
	CreationTimestamp time.Time  `json:"creationTimestamp"`
	DeletionTimestamp *time.Time `json:"deletionTimestamp"`
	Labels            Labels     `json:"labels"`
}

type listMeta struct {
	ResourceVersion    string `json:"resourceVersion"`
	Continue           string `json:"continue"`
	RemainingItemCount *int64 `json:"remainingItemCount"`
}

type answer struct {
	Kind     string      `json:"kind"`
	Metadata listMeta    `json:"metadata"`
	Columns  []Column    `json:"columnDefinitions"`
	Rows     []answerRow `json:"rows"`
	Items    []struct {
		Metadata objectMeta `json:"metadata"`
	} `json:"items"`
}

type answerRow struct {
	Cells  []Cell `json:"cells"`
	Object struct {
		Metadata objectMeta `json:"metadata"`
		Kind     string     `json:"kind"`
		Status   any        `json:"status"` // of whole objects
	} `json:"object"`
}

// Parse reads the response with a collection: a Table, or a List from a server without Tables. The ages of a List are computed with
// now.
func Parse(data []byte, now time.Time) (Table, error) {
	_, t, err := parse(data, now)
	return t, err
}

func parse(data []byte, now time.Time) (answer, Table, error) {
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return a, Table{}, fmt.Errorf("reading the server's table: %w", err)
	}
	t := Table{
		ResourceVersion: a.Metadata.ResourceVersion,
		Continue:        a.Metadata.Continue,
		Remaining:       a.Metadata.RemainingItemCount,
	}
	switch {
	case a.Kind == "Table":
		t.fillPrinted(a)
	case strings.HasSuffix(a.Kind, "List"):
		t.fillPlain(a, now)
	default:
		return a, Table{}, fmt.Errorf("reading the server's table: the response is neither a Table nor a list, but of kind %q", a.Kind)
	}
	return a, t, nil
}

func (t *Table) fillPrinted(a answer) {
	t.Printed = true
	t.Columns = a.Columns
	t.Rows = make([]Row, len(a.Rows))
	for i, r := range a.Rows {
		t.Rows[i] = newRow(r.Object.Metadata, r.Cells)
	}
}

func (t *Table) fillPlain(a answer, now time.Time) {
	t.Columns = plainColumns()
	t.Rows = make([]Row, len(a.Items))
	for i, item := range a.Items {
		m := item.Metadata
		t.Rows[i] = newRow(m, []Cell{Cell(m.Name), Cell(Age(m.CreationTimestamp, now))})
	}
}

// plainColumns are the columns of objects without a Table.
func plainColumns() []Column {
	return []Column{{Name: "Name", Type: "string", Format: "name"}, {Name: "Age", Type: "date"}}
}

// newRow is a row of a response. An object without a uid, which a server generates for the request, is identified by its name.
func newRow(m objectMeta, cells []Cell) Row {
	return Row{
		UID:             cmp.Or(m.UID, m.Namespace+"/"+m.Name),
		Namespace:       m.Namespace,
		Name:            m.Name,
		ResourceVersion: m.ResourceVersion,
		Created:         m.CreationTimestamp,
		Labels:          m.Labels,
		Deleting:        m.DeletionTimestamp != nil,
		Cells:           cells,
	}
}

// Cell is the row's cell in column i. It is empty if the server sent fewer cells than columns.
func (r Row) Cell(i int) string {
	if i < 0 || i >= len(r.Cells) {
		return ""
	}
	return string(r.Cells[i])
}

// Text is the row's text in a column, which is number i. The text of an age depends on the time, so the column of an age has none.
func (r Row) Text(c Column, i int) string {
	switch n := c.Own.Value; {
	case c.Own == Own{}:
		return r.Cell(i)
	case c.Own.Label != "":
		return r.Labels.Get(c.Own.Label)
	case r.Values != nil && n > 0 && n <= len(r.Values.Texts):
		return r.Values.Texts[n-1]
	}
	return ""
}

// Namespaced tells whether any row has a namespace.
func (t Table) Namespaced() bool {
	for _, r := range t.Rows {
		if r.Namespace != "" {
			return true
		}
	}
	return false
}

// Wide tells whether the server has columns for the wide view.
func (t Table) Wide() bool {
	for _, c := range t.Columns {
		if c.Priority > 0 {
			return true
		}
	}
	return false
}

// Visible returns the indexes of the columns to show: all in the wide view, otherwise those with priority 0.
func (t Table) Visible(wide bool) []int {
	shown := make([]int, 0, len(t.Columns))
	for i, c := range t.Columns {
		if wide || c.Priority == 0 {
			shown = append(shown, i)
		}
	}
	return shown
}

// ColumnIndex is the index of a column with this name, without regard to case; -1 if there is none.
func (t Table) ColumnIndex(name string) int {
	for i, c := range t.Columns {
		if strings.EqualFold(c.Name, name) {
			return i
		}
	}
	return -1
}
