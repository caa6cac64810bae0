package managers

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func all(int, int) func(entry) bool { return func(entry) bool { return true } }

// What a census says of cells and entries is in the sheet of a document, too.
func TestASheetHasTheCellsOfItsCensus(t *testing.T) {
	r := counted(400, 150, 8)
	data, err := json.Marshal(SheetOf(r))
	if err != nil {
		t.Fatal(err)
	}
	var s Sheet
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	cells := s.cells(all)
	if len(cells) != len(r.Cells) {
		t.Fatalf("%d cells, want %d", len(cells), len(r.Cells))
	}
	for i, want := range r.Cells {
		got := cells[i]
		if got.manager != want.Manager || got.typ != want.Type || got.objects != want.Objects || got.fields != want.Fields || got.last != want.Last.Unix() {
			t.Fatalf("cell %d is %+v, want %+v", i, got, want)
		}
		for j, e := range want.Entries {
			if g := got.entries[j]; g.Operation != e.Operation || g.Subresource != e.Subresource || g.APIVersion != e.APIVersion || g.fields != e.Fields {
				t.Fatalf("entry %d of cell %d is %+v, want %+v", j, i, g, e)
			}
		}
	}
	if len(data) > 120_000 {
		t.Errorf("the sheet of 400 managers and 150 types has %d bytes", len(data))
	}
}

// A sheet of another build, or one that was cut off, shows what can be read.
func TestBrokenNumbersAreSkipped(*testing.T) {
	whole := SheetOf(hostileCensus("x"))
	for n := range whole.Cells {
		cut := *whole
		cut.Cells = whole.Cells[:n]
		cut.cells(all)
		cut.Cells = slices.Clone(whole.Cells)
		for _, wrong := range []byte{0, 1, 0x7e, 0x7f, 0x80, 0xff} {
			cut.Cells[n] = wrong
			cut.cells(all)
		}
	}
}

func names(rows []row) (all []string) {
	for _, r := range rows {
		all = append(all, r.Name)
	}
	return all
}

func TestFilters(t *testing.T) {
	now := pagetest.Now
	old, young := now.Add(-48*time.Hour), now.Add(-time.Minute)
	entry := func(operation, subresource string, fields int, last time.Time) report.Entry {
		return report.Entry{Operation: operation, Subresource: subresource, APIVersion: "v1", Objects: 2, Fields: fields, Last: last}
	}
	s := SheetOf(report.Report{
		Began: now, Types: []report.Type{{Resource: "pods"}, {Resource: "deployments", Group: "apps"}},
		Managers: []report.Manager{
			{Name: "kubelet", Writer: writer.System, Fields: 30, Objects: 3, Last: young},
			{Name: "helm", Writer: writer.Helm, Fields: 7, Objects: 2, Last: old},
			{Name: "idle", Objects: 1},
		},
		Cells: []report.Cell{
			{Manager: 0, Type: 0, Objects: 3, Fields: 30, Entries: []report.Entry{entry("Update", "status", 20, young), entry("Update", "", 10, old)}},
			{Manager: 1, Type: 1, Objects: 2, Fields: 7, Entries: []report.Entry{entry("Apply", "", 7, old)}},
		},
	})
	for name, c := range map[string]struct {
		q      Query
		want   []string
		fields int
	}{
		"none":               {Query{}, []string{"kubelet", "helm", "idle"}, 30},
		"a manager":          {Query{Text: "KUBE"}, []string{"kubelet"}, 30},
		"a type":             {Query{Text: "apps"}, []string{"helm"}, 7},
		"a subresource":      {Query{Subresource: "status"}, []string{"kubelet"}, 20},
		"no subresource":     {Query{Subresource: mainResource}, []string{"kubelet", "helm"}, 10},
		"an operation":       {Query{Operation: "Apply"}, []string{"helm"}, 7},
		"the last hour":      {Query{Wrote: "hour"}, []string{"kubelet"}, 20},
		"the last week":      {Query{Wrote: "week"}, []string{"kubelet", "helm"}, 30},
		"a kind":             {Query{Kind: "helm"}, []string{"helm"}, 7},
		"an unknown kind":    {Query{Kind: writer.Unknown.ID()}, nil, 0},
		"sorted by names":    {Query{Sort: "name"}, []string{"helm", "idle", "kubelet"}, 7},
		"the other way":      {Query{Sort: "-name"}, []string{"kubelet", "idle", "helm"}, 30},
		"by the last write":  {Query{Sort: "last"}, []string{"kubelet", "helm", "idle"}, 30},
		"after the last one": {Query{Page: 7}, []string{"kubelet", "helm", "idle"}, 30},
	} {
		a := s.arrange(c.q, now)
		if got := names(a.rows); !slices.Equal(got, c.want) || len(got) > 0 && a.rows[0].fields != c.fields {
			t.Errorf("%s: %v, the first with %+v", name, got, a.rows)
		}
		if again := ParseQuery(c.q.Values()); again != c.q {
			t.Errorf("%s: the address says %+v", name, again)
		}
	}
}

func TestTheAddressIgnoresWhatItCantHave(t *testing.T) {
	q := ParseQuery(map[string][]string{"operation": {"Delete"}, "wrote": {"once"}, "sort": {"size"}, "page": {"-3"}, "kind": {"x"}})
	if q != (Query{Kind: "x"}) {
		t.Errorf("%+v", q)
	}
	if q := ParseQuery(map[string][]string{"manager": {""}, "type": {"pods"}}); !reflect.DeepEqual(ParseQuery(q.Values()), q) || !q.opens() {
		t.Errorf("a manager without a name: %+v", q)
	}
}

// Managers of a kind stand below each other, and the types of a group beside each other.
func TestBlocks(t *testing.T) {
	s := SheetOf(counted(23, 61, 6))
	rows, columns, left := s.blocks(s.arrange(Query{}, pagetest.Now).rows, 30, 1000, func(row, cell) int { return 1 })
	if len(columns) != 30 || left == 0 {
		t.Errorf("%d columns, and %d left out", len(columns), left)
	}
	for i := 1; i < len(rows); i++ {
		if rows[i-1].Writer.Place() > rows[i].Writer.Place() {
			t.Errorf("%s stands before %s", rows[i-1].Name, rows[i].Name)
		}
	}
	seen := map[string]bool{}
	for i, c := range columns {
		if i > 0 && columns[i-1].group != c.group && seen[c.group] {
			t.Errorf("the types of %q stand apart", c.group)
		}
		seen[c.group] = true
	}
}
