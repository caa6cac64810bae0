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
	key := t.key(column)
	if key == nil {
		return nil
	}
	return func(a, b Row) int { return key(&a).compare(key(&b)) }
}

// key is what rows are sorted by in a column; nil where there is no such column.
func (t Table) key(column string) func(*Row) key {
	i := t.ColumnIndex(column)
	switch {
	case column == "":
		return nil
	case i < 0 && strings.EqualFold(column, NamespaceColumn):
		return func(r *Row) key { return key{kind: text, text: r.Namespace} }
	case i < 0:
		return nil
	case strings.EqualFold(t.Columns[i].Name, "Age"):
		return func(r *Row) key { return key{kind: number, number: -float64(r.Created.UnixMicro())} }
	default:
		return func(r *Row) key { return keyOf(r.Cell(i)) }
	}
}

// key is what a cell is sorted by, read once.
type key struct {
	text   string
	number float64
	kind   kind
}

type kind uint8

const (
	text kind = iota
	number
	age
	nothing
)

func keyOf(cell string) key {
	if cell == "" {
		return key{kind: nothing}
	}
	k := key{text: cell}
	first, last := cell[0], cell[len(cell)-1]
	if last >= '0' && last <= '9' && (first <= '9' && first >= '0' || strings.IndexByte("+-.", first) >= 0) {
		if n, err := strconv.ParseFloat(cell, 64); err == nil {
			k.kind, k.number = number, n
		}
		return k
	}
	if d, ok := ParseAge(cell); ok {
		k.kind, k.number = age, float64(d)
	}
	return k
}

// compare puts empty cells last, compares numbers and ages by value where both are such, and anything else naturally.
func (k key) compare(other key) int {
	switch {
	case k.kind == nothing || other.kind == nothing:
		return cmp.Compare(k.kind/nothing, other.kind/nothing)
	case k.kind == other.kind && k.kind != text:
		return cmp.Compare(k.number, other.number)
	default:
		return Natural(k.text, other.text)
	}
}

// Natural compares text with runs of digits taken as numbers, ignoring the case of ASCII letters unless that alone
// tells the two apart.
func Natural(a, b string) int {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	for same > 0 && a[same-1] >= '0' && a[same-1] <= '9' { // a number is compared as a whole
		same--
	}
	x, y := a[same:], b[same:]
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
	b.WriteString(r.Name)
	b.WriteByte('\n')
	b.WriteString(r.Namespace)
	for _, c := range r.Cells {
		b.WriteByte('\n')
		b.WriteString(string(c))
	}
	for k, v := range r.Labels.All() {
		b.WriteByte('\n')
		b.WriteString(k)
		b.WriteByte('=')
		b.WriteString(v)
	}
	return strings.ToLower(b.String())
}
