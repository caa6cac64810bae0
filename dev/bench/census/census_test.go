package census

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
)

// TestTheScriptedServerHasAllManagersAndTypes reads the scripted API server as Fieldmark does. No other test runs it.
func TestTheScriptedServerHasAllManagersAndTypes(t *testing.T) {
	get := func(target string) []byte {
		w := httptest.NewRecorder()
		answerMany(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", target, w.Code)
		}
		return w.Body.Bytes()
	}
	catalog, err := discovery.ParseAggregated(get("/apis"))
	if err != nil {
		t.Fatal(err)
	}
	r := reading.New(reading.Plan{Types: reading.TypesOf(catalog, nil), Served: catalog.Serves}, reading.Send{
		Get: func(_ context.Context, target, _ string) ([]byte, *status.Status) { return get(target), nil },
		Now: time.Now, Panicked: func(p any) { t.Error(p) },
	})
	r.Run(t.Context())
	if report := r.Report(); len(report.Managers) != manyManagers || len(report.Types) != manyTypes || report.Types[0].Objects != objectsOfType {
		t.Errorf("%d managers, %d types, %+v", len(report.Managers), len(report.Types), report.Types[0])
	}
}

func TestTheSectionHasEachFigureWithItsGoal(t *testing.T) {
	all := formats()
	for i := range all {
		all[i].bytes, all[i].took, all[i].server, all[i].chunks = 40_000_000, []float64{20, 30, 25}, 1.5, 3*chunksAsked
	}
	one := pass{objects: 100_500, types: 61, first: 300 * time.Millisecond, whole: 20 * time.Second, before: 60 << 20, most: 80 << 20, fieldmark: 3, server: 9, quiet: []float64{5}, busy: []float64{7}}
	r := results{
		filled: 20 * time.Second, alone: []pass{one, one, one}, beside: one, verb: verb{took: []float64{21_000}, memory: 90_000}, formats: all, chunks: chunksAsked, chunk: 5 * time.Millisecond,
		pictures: []picture{{Arrived: 10, Painted: 40, Ready: 500, Document: 400_000, Memory: 20 << 20, Keys: []float64{12}, Computed: []float64{4}}},
		who:      whoCan{verb: []float64{400}, unasked: []float64{300}, page: []float64{200}},
	}
	var b strings.Builder
	r.WriteSection(&b, lab.Plan{Large: 100_000})
	for _, want := range []string{
		"**20 s** (goal ≤ 180 s)", "| seconds until all is read | **20.0** (20.0–20.0) | 20.0 | ≤ 60 |", "| most memory of Fieldmark | **80** (80–80) | 80 | ≤ 100 |",
		"| Protobuf | 1000 | **25.0** (20.0–30.0) | 12.5 |", "| painted, after the whole document has arrived | **30** (30–30) | ≤ 50 |",
		"| a key in the filter: until its frame | **12** (12–12) | ≤ 16 |", "from start to end | **400** (400–400) | ≤ 1,000 |", "in **21.0** (21.0–21.0) s",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, b.String())
		}
	}
}
