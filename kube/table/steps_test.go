package table

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/rounds"
)

func manyRows(n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		name := fmt.Sprintf("web-%06d", i)
		rows[i] = Row{UID: name, Namespace: "shop", Name: name, Cells: []Cell{Cell(name), Cell(fmt.Sprint(i % 7)), "5m"}}
	}
	return rows
}

// TestArrangesInSteps: whatever happens to rows while they are put in order, in the end they are as if they had been put in
// order at once; and until then they are shown as before.
func TestArrangesInSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	orders, filters := []string{"", "Name", "-Name", "Restarts", "-Restarts"}, []string{"", "7", "web 99", "nothing"}
	s, all := NewStore(storeColumns), map[string]Row{}
	for _, row := range manyRows(5000) {
		all[row.UID] = row
		s.Put(row)
	}
	for round := range rounds.Of(12) {
		order, filter := orders[r.IntN(len(orders))], filters[r.IntN(len(filters))]
		before := s.order
		s.Rearrange(ParseOrder(order), filter)
		for s.Step() {
			if s.order != before {
				t.Fatal("the rows are shown in another order before it is done")
			}
			change(s, all, r)
		}
		if on, _ := s.Arranging(); on || s.order.String() != order {
			t.Fatalf("round %d: in order by %q, want %q", round, s.order, order)
		}
		if got, want := names(s.Window(0, s.Len())), anew(s, all); !slices.Equal(got, want) {
			t.Fatalf("round %d, order %q, filter %q: %d rows, want %d", round, order, filter, len(got), len(want))
		}
	}
}

// change lets something happen to a store, and to what it is compared with.
func change(s *Store, all map[string]Row, r *rand.Rand) {
	for range 20 {
		n := r.IntN(6000)
		name := fmt.Sprintf("web-%06d", n)
		if r.IntN(3) == 0 {
			s.Delete(name)
			delete(all, name)
			continue
		}
		row := Row{UID: name, Namespace: "shop", Name: name, Cells: []Cell{Cell(name), Cell(fmt.Sprint(r.IntN(9)))}}
		s.Put(row)
		all[name] = row
	}
}

func TestAnotherOrderBeforeTheLastIsDone(t *testing.T) {
	s := NewStore(storeColumns)
	s.Fill(manyRows(3000))
	s.Rearrange(ParseOrder("-Name"), "")
	s.Step()
	s.Rearrange(ParseOrder(""), "2999")
	for s.Step() {
	}
	if got := names(s.Window(0, 9)); !slices.Equal(got, []string{"web-002999"}) {
		t.Errorf("%v", got)
	}
	s.Rearrange(ParseOrder("-Name"), "")
	s.Rearrange(ParseOrder(""), "2999")
	if on, _ := s.Arranging(); on {
		t.Error("the way to what is there already takes steps")
	}
}

// TestASnapshotStays: whatever becomes of a sequence, what was taken of it stays as it was.
func TestASnapshotStays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tree := ranked{compare: func(a, b *item) int { return strings.Compare(a.row.Name, b.row.Name) }}
	content := func(t *ranked) (all []string) {
		t.each(0, func(i *item) bool { all = append(all, i.row.Name); return true })
		return all
	}
	type moment struct {
		tree *ranked
		want []string
	}
	var moments []moment
	for step := range 3000 {
		i := &item{row: Row{Name: fmt.Sprintf("%03d", r.IntN(500))}}
		if !tree.remove(i) {
			tree.insert(i)
		}
		if step%100 == 0 {
			moments = append(moments, moment{tree.snapshot(), content(&tree)})
		}
		if step%500 == 0 {
			checkTree(t, tree.root)
		}
	}
	for n, m := range moments {
		if got := content(m.tree); !slices.Equal(got, m.want) {
			t.Errorf("the snapshot %d has %d items, want %d", n, len(got), len(m.want))
		}
		checkTree(t, m.tree.root)
	}
}

// TestOneChangeCostsTheLogarithm: rows are compared a few times for each level of a tree of all of them, whatever the
// order and the filter, held or not.
func TestOneChangeCostsTheLogarithm(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	for _, n := range []int{1000, 30_000} {
		rows := manyRows(n)
		for _, arranged := range []struct{ order, filter string }{{"", ""}, {"-Restarts", ""}, {"Name", "1"}} {
			s := NewStore(storeColumns)
			s.Fill(rows)
			s.Arrange(ParseOrder(arranged.order), arranged.filter)
			s.Hold()
			compared := countComparisons(s)
			for i := range 100 {
				row := rows[(i*7919)%n]
				row.ResourceVersion = "2"
				s.Put(row)
			}
			trees := 1 // what is held is looked at, too
			if arranged.filter != "" {
				trees = 2
			}
			if most := 100 * (trees*2 + 1) * 2 * bits.Len(uint(n)); *compared > most {
				t.Errorf("%d rows by %q through %q: %d comparisons for 100 changes, want at most %d", n, arranged.order, arranged.filter, *compared, most)
			}
		}
	}
}

func countComparisons(s *Store) *int {
	n, compare := new(int), s.all.compare
	counting := func(a, b *item) int { *n++; return compare(a, b) }
	s.all.compare, s.shown.compare, s.held.rows.compare = counting, counting, counting
	return n
}

// TestAHoldIsWhatWasShown: rows that are held stay, in their order, as they are now or as they were last.
func TestAHoldIsWhatWasShown(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	s := NewStore(storeColumns)
	s.Fill(manyRows(300))
	s.Arrange(ParseOrder("-Restarts"), "web")
	before := names(s.Window(0, s.Len()))
	h := s.Hold()
	all := map[string]Row{}
	for range 50 {
		change(s, all, r)
	}
	if got := names(h.Window(0, h.Len())); !slices.Equal(got, before) {
		t.Errorf("held: %v, want %v", got, before)
	}
	back := 0
	s.Each(func(row *Row) bool {
		if !slices.Contains(before, row.Name) {
			back++
		}
		return true
	})
	if h.Back() != back {
		t.Errorf("%d rows are held back, want %d", h.Back(), back)
	}
}
