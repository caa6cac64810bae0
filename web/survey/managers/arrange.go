package managers

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// row is a manager with what the filter lets through.
type row struct {
	Manager
	at      int // index in the sheet
	objects int
	fields  int
	last    int64
	cells   []cell // by type
	known   bool   // something of it matches
}

// arranged is what the page shows of a sheet: the managers that match, those of the current page of the table, and the picture of these.
type arranged struct {
	matching int   // managers
	all      int   // managers of the census
	pages    int   // of the table
	page     int   // from 1
	rows     []row // of this page, in the order of the table
	types    int   // that have a cell in the picture's rows
}

// orders are the orders of the table, by their values in addresses. Those of numbers and times begin with the largest.
var orders = map[string]func(a, b row) int{
	"name":    func(a, b row) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) },
	"kind":    func(a, b row) int { return cmp.Compare(a.Writer.Place(), b.Writer.Place()) },
	"objects": func(a, b row) int { return cmp.Compare(b.objects, a.objects) },
	"fields":  func(a, b row) int { return cmp.Compare(b.fields, a.fields) },
	"alone":   func(a, b row) int { return cmp.Compare(b.Alone, a.Alone) },
	"last":    func(a, b row) int { return cmp.Compare(b.last, a.last) },
}

// byFields is the order without another one.
const byFields = "fields"

// arrange filters, sorts and cuts the managers of a sheet.
func (s *Sheet) arrange(q Query, now time.Time) arranged {
	rows := s.rows(q, now)
	name, reversed := strings.CutPrefix(q.Sort, "-")
	order := orders[name]
	if order == nil {
		order = orders[byFields]
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		by := order(a, b)
		if reversed {
			by = -by
		}
		return cmp.Or(by, orders[byFields](a, b), strings.Compare(a.Name, b.Name))
	})
	a := arranged{matching: len(rows), all: len(s.Managers), pages: max((len(rows)+AtOnce-1)/AtOnce, 1)}
	a.page = min(max(q.Page, 1), a.pages)
	a.rows = rows[min((a.page-1)*AtOnce, len(rows)):min(a.page*AtOnce, len(rows))]
	seen := map[int]bool{}
	for _, r := range a.rows {
		for _, c := range r.cells {
			seen[c.typ] = true
		}
	}
	a.types = len(seen)
	return a
}

// rows are the managers of which something matches. Without a filter, that is all of them.
func (s *Sheet) rows(q Query, now time.Time) []row {
	all := make([]row, len(s.Managers))
	for i, m := range s.Managers {
		all[i] = row{Manager: m, at: i, known: !q.filters()}
		if !q.filters() {
			all[i].objects, all[i].fields, all[i].last = m.Objects, m.Fields, m.Last
		}
	}
	for _, c := range s.cells(s.matching(q, now)) {
		r := &all[c.manager]
		r.known, r.cells = true, append(r.cells, c)
		if q.filters() {
			r.objects += c.objects
			r.fields += c.fields
			r.last = max(r.last, c.last)
		}
	}
	return slices.DeleteFunc(all, func(r row) bool { return !r.known })
}

// column is a type in the picture.
type column struct {
	typ   int
	group string
	// mean is where its squares are in the middle, so that types with the same managers stand beside each other.
	mean, weight float64
	fields       int
	bytes        int // of its squares
}

// blocks arranges rows and types for the picture: managers by kind, the types of a group beside each other, and types with the same managers, too. It
// leaves out the types with the fewest fields if there are more than most, or if their squares weigh more bytes than there is room for. It says how
// many.
func (s *Sheet) blocks(rows []row, most, room int, weigh func(row, cell) int) (arranged []row, columns []column, left int) {
	arranged = slices.Clone(rows)
	slices.SortStableFunc(arranged, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.Writer.Place(), b.Writer.Place()), cmp.Compare(b.fields, a.fields), strings.Compare(a.Name, b.Name))
	})
	all := make([]column, len(s.Types))
	for place, r := range arranged {
		for _, c := range r.cells {
			col := &all[c.typ]
			weight := math.Log2(float64(c.fields) + 2)
			col.mean += weight * float64(place)
			col.weight += weight
			col.fields += c.fields
			col.bytes += weigh(r, c)
		}
	}
	for typ, c := range all {
		if c.weight > 0 {
			c.typ, c.group = typ, groupOf(s.Types[typ].Name)
			columns = append(columns, c)
		}
	}
	slices.SortFunc(columns, func(a, b column) int { return cmp.Or(cmp.Compare(b.fields, a.fields), cmp.Compare(a.typ, b.typ)) })
	kept := 0
	for kept < min(len(columns), most) && (kept == 0 || room >= columns[kept].bytes) {
		room -= columns[kept].bytes
		kept++
	}
	left = len(columns) - kept
	columns = columns[:kept]
	sortColumns(columns)
	return arranged, columns, left
}

// sortColumns puts groups, and the types of each group, into the order of the middles of their squares.
func sortColumns(columns []column) {
	mean, weight := map[string]float64{}, map[string]float64{}
	for _, c := range columns {
		mean[c.group] += c.mean
		weight[c.group] += c.weight
	}
	slices.SortFunc(columns, func(a, b column) int {
		return cmp.Or(
			cmp.Compare(mean[a.group]/weight[a.group], mean[b.group]/weight[b.group]), strings.Compare(a.group, b.group),
			cmp.Compare(a.mean/a.weight, b.mean/b.weight), cmp.Compare(a.typ, b.typ),
		)
	})
}

func groupOf(typ string) string {
	_, group, _ := strings.Cut(typ, ".")
	return group
}
