package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/usage"
)

// Order names the column to sort by and the direction. The zero Order keeps the server's order.
type Order struct {
	Column     string `json:"column,omitempty"`
	Descending bool   `json:"descending,omitempty"`
}

// NamespaceColumn is the name for sorting by namespace. The server sends no cell for it.
const NamespaceColumn = "Namespace"

// ParseOrder reads the notation of page addresses: the name of a column, with a minus before it for
// descending order.
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

// Sort sorts rows by a column. Equal rows keep their order. Numbers are compared as numbers, ages as ages, and other text in natural order
// (web-2 before web-10). If the column doesn't exist, nothing changes.
func (t Table) Sort(rows []Row, o Order) {
	compare := t.comparison(o)
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

func (t Table) comparison(o Order) func(a, b Row) int {
	key := t.key(o)
	if key == nil {
		return nil
	}
	return func(a, b Row) int { return key(&a).compare(key(&b)) }
}

// key returns the sort key of rows for an order; nil if there is no such column.
func (t Table) key(o Order) func(*Row) key {
	column := o.Column
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
	case t.Columns[i].Own != Own{}:
		return func(r *Row) key { return ownKey(r.Text(t.Columns[i], i), t.Columns[i].Own.Quantity, o.Descending) }
	default:
		if group, ok := condition.OfFormat(t.Columns[i].Format); ok {
			return func(r *Row) key { return troubleKey(group, r.Cell(i)) }
		}
		return func(r *Row) key { return keyOf(r.Cell(i)) }
	}
}

// troubleKey is the key of a condition: the worst comes first, and an object without conditions last.
func troubleKey(group, words string) key {
	if words == "" {
		return key{kind: nothing}
	}
	return key{kind: number, number: -float64(condition.Read(group, words)), text: words}
}

// ownKey is the key of a text in a column that the reader has added. Rows without a text come last, also in descending order.
func ownKey(words string, quantity, descending bool) key {
	if words == "" && descending {
		return key{kind: first}
	}
	if at, ok := Moment(words); ok {
		return key{kind: age, number: -float64(at.UnixMicro())}
	}
	if n, ok := usage.Quantity(words); ok && quantity {
		return key{kind: number, number: n}
	}
	return keyOf(words)
}

// key is the sort key of a cell, read once.
type key struct {
	text   string // the text, or the text after a number
	number float64
	kind   kind
}

type kind uint8

// The kinds, in their sort order. A number and a text must not be compared as texts, because the order would be cyclic: 1.10 is before 1.9 as a
// number, but as texts 1.9 is before 1.9.1, and 1.9.1 is before 1.10.
const (
	first kind = iota
	number
	age
	text
	nothing
)

func keyOf(cell string) key {
	if cell == "" {
		return key{kind: nothing}
	}
	if n, rest, ok := leadingNumber(cell); ok {
		return key{kind: number, number: n, text: rest}
	}
	if d, ok := ParseAge(cell); ok {
		return key{kind: age, number: float64(d)}
	}
	return key{kind: text, text: cell}
}

// leadingNumber reads a number that is the whole cell or its first word: "3 (5m ago)".
func leadingNumber(cell string) (n float64, rest string, ok bool) {
	first, rest, _ := strings.Cut(cell, " ")
	if first == "" {
		return 0, "", false
	}
	begins, ends := first[0], first[len(first)-1]
	if ends < '0' || ends > '9' || (begins > '9' || begins < '0') && strings.IndexByte("+-.", begins) < 0 {
		return 0, "", false
	}
	n, err := strconv.ParseFloat(first, 64)
	return n, rest, err == nil
}

// compare orders numbers before ages, ages before other text, and empty cells last. It compares numbers and ages by value, and text in
// natural order. It is a total order, because the trees of ranked need one.
func (k key) compare(other key) int {
	if c := cmp.Compare(k.kind, other.kind); c != 0 {
		return c
	}
	if c := cmp.Compare(k.number, other.number); c != 0 {
		return c
	}
	return Natural(k.text, other.text)
}

// Natural compares text. It compares digits as numbers. It ignores the case of ASCII letters, unless the texts are equal otherwise.
func Natural(a, b string) int {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	for same > 0 && a[same-1] >= '0' && a[same-1] <= '9' { // compare whole numbers
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

// naturalStep compares the next digits, or the next byte, and returns the rests of both.
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

// Filter keeps the rows in which every word of the query is in a visible place: name, namespace, a cell, or a label in the form key=value. Values of
// columns that the reader has added have the form column=value.
// It ignores case. An empty query keeps all rows.
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
	text := r.searchText()
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// searchText has all visible texts of the row in lower case, one in a line, so no word matches across two of them.
func (r Row) searchText() string {
	var b strings.Builder
	b.WriteString(r.Name)
	b.WriteByte('\n')
	b.WriteString(r.Namespace)
	for _, c := range r.Cells {
		b.WriteByte('\n')
		b.WriteString(string(c))
	}
	pair := func(name, value string) {
		b.WriteByte('\n')
		b.WriteString(name)
		b.WriteByte('=')
		b.WriteString(value)
	}
	for k, v := range r.Labels.All() {
		pair(k, v)
	}
	if r.Values != nil {
		for i, text := range r.Values.Texts {
			pair(r.Values.Names[i], text)
		}
	}
	return strings.ToLower(b.String())
}
