package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Order names the column to sort by and the direction. The zero Order keeps the server's order.
type Order struct {
	Column     string `json:"column,omitempty"`
	Descending bool   `json:"descending,omitempty"`
}

// NamespaceColumn is the name to sort by an object's namespace, which the server prints no cell for.
const NamespaceColumn = "Namespace"

// ParseOrder reads the notation used in page addresses: a column's name, with a minus before it for
// descending.
func ParseOrder(text string) Order {
	column, descending := strings.CutPrefix(text, "-")
	return Order{Column: column, Descending: descending}
}

// String is the inverse of ParseOrder.
func (o Order) String() string {
	if o.Descending {
		return "-" + o.Column
	}
	return o.Column
}

// Sort arranges rows by a column, equal ones in the order they had. Numbers sort as numbers, ages by
// age, other text in natural order (web-2 before web-10). A column that is not there changes nothing.
func (t Table) Sort(rows []Row, o Order) {
	compare := t.comparison(o.Column)
	if compare == nil {
		return
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		if o.Descending {
			a, b = b, a
		}
		return compare(a, b)
	})
}

func (t Table) comparison(column string) func(a, b Row) int {
	i := t.ColumnIndex(column)
	switch {
	case column == "":
		return nil
	case i < 0 && strings.EqualFold(column, NamespaceColumn):
		return func(a, b Row) int { return Natural(a.Namespace, b.Namespace) }
	case i < 0:
		return nil
	case strings.EqualFold(t.Columns[i].Name, "Age"):
		return func(a, b Row) int { return b.Created.Compare(a.Created) }
	default:
		return func(a, b Row) int { return compareCells(a.Cell(i), b.Cell(i)) }
	}
}

// compareCells puts empty cells last, compares numbers and ages by value where both are such, and
// anything else naturally.
func compareCells(a, b string) int {
	if (a == "") != (b == "") {
		return -cmp.Compare(len(a), len(b))
	}
	if x, err := strconv.ParseFloat(a, 64); err == nil {
		if y, err := strconv.ParseFloat(b, 64); err == nil {
			return cmp.Compare(x, y)
		}
	}
	if x, ok := ParseAge(a); ok {
		if y, ok := ParseAge(b); ok {
			return cmp.Compare(x, y)
		}
	}
	return Natural(a, b)
}

// Natural compares text with runs of digits taken as numbers, ignoring the case of ASCII letters unless that alone
// tells the two apart.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		c, restX, restY := naturalStep(x, y)
		if c != 0 {
			return c
		}
		x, y = restX, restY
	}
	if c := cmp.Compare(len(x), len(y)); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// naturalStep compares the next run of digits, or the next byte, and returns what is left of both.
func naturalStep(x, y string) (result int, restX, restY string) {
	dx, dy := digits(x), digits(y)
	if dx == 0 || dy == 0 {
		return cmp.Compare(lower(x[0]), lower(y[0])), x[1:], y[1:]
	}
	nx, ny := strings.TrimLeft(x[:dx], "0"), strings.TrimLeft(y[:dy], "0")
	if c := cmp.Compare(len(nx), len(ny)); c != 0 {
		return c, x[dx:], y[dy:]
	}
	return cmp.Compare(nx, ny), x[dx:], y[dy:]
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// Filter keeps the rows that hold every word of the query, each in any visible place: name,
// namespace, a cell, or a label written key=value. Case does not matter. An empty query keeps all.
func Filter(rows []Row, query string) []Row {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return rows
	}
	kept := make([]Row, 0, len(rows))
	for _, r := range rows {
		if r.holdsAll(words) {
			kept = append(kept, r)
		}
	}
	return kept
}

func (r Row) holdsAll(words []string) bool {
	text := r.text()
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// text is all that a filter looks at, lower case, a line for each: no word holds a line's end.
func (r Row) text() string {
	var b strings.Builder
	b.WriteString(r.Name + "\n" + r.Namespace)
	for _, c := range r.Cells {
		b.WriteString("\n" + string(c))
	}
	for k, v := range r.Labels {
		b.WriteString("\n" + k + "=" + v)
	}
	return strings.ToLower(b.String())
}
