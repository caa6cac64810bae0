package report

import (
	"cmp"
	"slices"

	"github.com/fieldmark/fieldmark/kube/manager/writer"
)

// Writers are the managers of one kind.
type Writers struct {
	Kind   writer.Kind
	Names  []string // those with the most fields first
	Others int      // managers that had no room of their own
	Fields int
}

// ByKind are the managers of a census by their kinds, in the order of writer.Kinds. Kinds without a manager are left out.
func ByKind(r Report) []Writers {
	of := make([]Writers, len(writer.Kinds()))
	for _, m := range slices.SortedStableFunc(slices.Values(r.Managers), func(a, b Manager) int { return cmp.Compare(b.Fields, a.Fields) }) {
		w := &of[m.Writer.Place()]
		w.Fields += m.Fields
		if m.Others {
			w.Others += r.Folded
		} else {
			w.Names = append(w.Names, m.Name)
		}
	}
	for i, k := range writer.Kinds() {
		of[i].Kind = k
	}
	return slices.DeleteFunc(of, func(w Writers) bool { return len(w.Names)+w.Others == 0 })
}
