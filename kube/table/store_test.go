package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var storeColumns = []Column{{Name: "Name", Format: "name"}, {Name: "Restarts", Type: "integer"}, {Name: "Age"}}

func storeRow(r *rand.Rand) Row {
	n := r.IntN(60)
	name := fmt.Sprintf("web-%d", n)
	return Row{
		UID: fmt.Sprint("u", n), Namespace: fmt.Sprintf("ns-%d", n%3), Name: name,
		Created: now.Add(-time.Duration(n) * time.Minute),
		Cells:   []Cell{Cell(name), Cell(fmt.Sprint(r.IntN(4))), Cell(fmt.Sprint(n, "m"))},
	}
}

// TestStoreEqualsSortingAll: whatever happens to single rows, what the store shows is what filtering
// and sorting all rows anew would show.
func TestStoreEqualsSortingAll(t *testing.T) {
	orders := []string{"", "Name", "-Name", "Restarts", "-Restarts", "Age", "-Age", "Namespace", "nonsense"}
	filters := []string{"", "web-1", "ns-2", "nothing"}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		s := NewStore(storeColumns)
		all := map[string]Row{}
		for step := range 120 {
			row := storeRow(r)
			switch r.IntN(10) {
			case 0:
				s.Arrange(ParseOrder(orders[r.IntN(len(orders))]), filters[r.IntN(len(filters))])
			case 1, 2, 3:
				if _, there := all[row.UID]; s.Delete(row.UID) != there {
					t.Fatalf("Delete(%s) disagrees", row.UID)
				}
				delete(all, row.UID)
			case 4:
				s.Fill([]Row{row})
				all[row.UID] = row
			default:
				s.Put(row)
				all[row.UID] = row
			}
			if got, want := names(s.Window(0, s.Len())), anew(s, all); !slices.Equal(got, want) {
				t.Fatalf("round %d, step %d, order %q: got %v, want %v", round, step, s.order, got, want)
			}
		}
	}
}

// anew sorts and filters all rows from scratch, in the server's order first.
func anew(s *Store, all map[string]Row) []string {
	var rows []Row
	for _, row := range all {
		rows = append(rows, row)
	}
	plain := NewStore(storeColumns)
	slices.SortFunc(rows, plain.compare)
	filter := ""
	for _, w := range s.words {
		filter += w + " "
	}
	rows = Filter(rows, filter)
	if !s.order.Descending {
		s.table.Sort(rows, s.order)
		return names(rows)
	}
	if compare := s.table.comparison(s.order.Column); compare != nil {
		slices.SortStableFunc(rows, func(a, b Row) int { return compare(b, a) })
	}
	return names(rows)
}

func names(rows []Row) []string {
	all := []string{}
	for _, r := range rows {
		all = append(all, r.Name)
	}
	return all
}

func TestStoreFindsRows(t *testing.T) {
	s := NewStore(storeColumns)
	s.Fill([]Row{{UID: "a", Name: "a"}, {UID: "b", Name: "b"}, {UID: "c", Name: "c"}})
	if at, ok := s.Index("b"); !ok || at != 1 {
		t.Errorf("Index: %d, %v", at, ok)
	}
	if _, ok := s.Index("x"); ok {
		t.Error("Index found what is not there")
	}
	s.Retain(func(uid string) bool { return uid != "b" })
	if got := names(s.Window(-5, 99)); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("after Retain: %v", got)
	}
	if got := s.Window(7, 3); len(got) != 0 {
		t.Errorf("a window past the end: %v", got)
	}
	if r, ok := s.Get("c"); !ok || r.Name != "c" || s.Total() != 2 {
		t.Errorf("Get: %v %v of %d", r, ok, s.Total())
	}
}
