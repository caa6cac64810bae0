package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/rounds"
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
	for round := range rounds.Of(60) {
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
	slices.SortFunc(rows, func(a, b Row) int { return plain.all.compare(&item{row: a}, &item{row: b}) })
	filter := ""
	for _, w := range s.words {
		filter += w + " "
	}
	rows = Filter(rows, filter)
	if !s.order.Descending {
		s.table.Sort(rows, s.order)
		return names(rows)
	}
	if compare := s.table.comparison(s.order); compare != nil {
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
	s.Mark()
	s.Fill([]Row{{UID: "a", Name: "a"}, {UID: "c", Name: "c"}})
	s.RetainMarked()
	if got := names(s.Window(-5, 99)); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("after RetainMarked: %v", got)
	}
	if got := s.Window(7, 3); len(got) != 0 {
		t.Errorf("a window past the end: %v", got)
	}
	if r, ok := s.Get("c"); !ok || r.Name != "c" || s.Total() != 2 {
		t.Errorf("Get: %v %v of %d", r, ok, s.Total())
	}
}

// TestRankedIsBalancedAndInOrder: whatever goes in and out, places and values agree, and no way is long.
func TestRankedIsBalancedAndInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tree := ranked{compare: func(a, b *item) int { return strings.Compare(a.row.Name, b.row.Name) }}
	var want []string
	for step := range 4000 {
		name := fmt.Sprintf("%04d", r.IntN(600))
		at, there := slices.BinarySearch(want, name)
		switch i := (&item{row: Row{Name: name}}); {
		case there && r.IntN(3) > 0:
			if !tree.remove(i) {
				t.Fatalf("step %d: %s was not found", step, name)
			}
			want = slices.Delete(want, at, at+1)
		case there:
			if got, ok := tree.rank(i); got != at || !ok {
				t.Fatalf("step %d: %s is at %d (%v), want %d", step, name, got, ok, at)
			}
		default:
			if tree.remove(i) {
				t.Fatalf("step %d: %s was removed, and was not there", step, name)
			}
			tree.insert(i)
			want = slices.Insert(want, at, name)
		}
		if tree.len() != len(want) {
			t.Fatalf("step %d: %d items, want %d", step, tree.len(), len(want))
		}
		if step%97 == 0 {
			checkTree(t, tree.root)
			from := r.IntN(len(want) + 1)
			var got []string
			tree.each(from, func(i *item) bool { got = append(got, i.row.Name); return true })
			if !slices.Equal(got, want[from:]) {
				t.Fatalf("step %d, from %d: %v, want %v", step, from, got, want[from:])
			}
		}
	}
}

func checkTree(t *testing.T, n *node) {
	t.Helper()
	if n == nil {
		return
	}
	if l, r := n.left.weight(), n.right.weight(); l+r > 3 && (l > delta*r || r > delta*l) {
		t.Fatalf("subtrees of %d and %d", l, r)
	}
	checkTree(t, n.left)
	checkTree(t, n.right)
}

func BenchmarkStorePut(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := NewStore(storeColumns)
			rows := make([]Row, n)
			for i := range rows {
				name := fmt.Sprintf("web-%06d", i)
				rows[i] = Row{UID: name, Name: name, Cells: []Cell{Cell(name), "1", "5m"}}
			}
			s.Fill(rows)
			i := 0
			for b.Loop() {
				i = (i + 7919) % n
				s.Put(rows[i])
			}
		})
	}
}

// TestOrdersAreTotal: whatever stands in a column, rows can be found again to be deleted.
func TestOrdersAreTotal(t *testing.T) {
	cells := []string{"1.9", "1.10", "1.9.1", "5m", "3 (5m ago)", "12", "", "<none>", "v2", "1.9 x", "-1", "2h5m", "1e3", "1.90"}
	var all []key
	for _, c := range cells {
		all = append(all, keyOf(c))
	}
	for _, a := range all {
		for _, b := range all {
			if a.compare(b) != -b.compare(a) {
				t.Errorf("%+v and %+v", a, b)
			}
			for _, c := range all {
				if a.compare(b) < 0 && b.compare(c) < 0 && a.compare(c) >= 0 {
					t.Errorf("%+v before %+v before %+v before the first", a, b, c)
				}
			}
		}
	}
	if keyOf("3 (5m ago)").compare(keyOf("12")) >= 0 || keyOf("0").compare(keyOf("3 (5m ago)")) >= 0 {
		t.Error("numbers with words behind them do not stand among the numbers")
	}
}

// TestRowsWithoutUID: what servers make up when asked is known by its name.
func TestRowsWithoutUID(t *testing.T) {
	read, err := Parse([]byte(`{"kind":"Table","columnDefinitions":[{"name":"Name"}],"rows":[
		{"cells":["a"],"object":{"metadata":{"name":"a","namespace":"n"}}},{"cells":["b"],"object":{"metadata":{"name":"b","namespace":"n"}}}]}`), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	s := NewStore(read.Columns)
	s.Fill(read.Rows)
	if s.Total() != 2 {
		t.Errorf("%d rows of 2", s.Total())
	}
}
