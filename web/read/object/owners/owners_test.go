package owners

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// An object that is gone can't be looked for again, and the time of the search is told by the reader's clock.
func TestShow(t *testing.T) {
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	a := tab.About{Now: noon.In(time.FixedZone("", 3600))}
	m := Model{Search: dependents.Search{At: noon, Finished: true}, Owners: []dependents.Ref{{Kind: "App", Name: "b", Controller: true, Blocks: true}}}
	show := func() string {
		var b strings.Builder
		if err := Show(m, a).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := show(); !strings.Contains(got, "13:00:00") || !strings.Contains(got, "Refresh") || !strings.Contains(got, "No objects found") {
		t.Error(got)
	}
	a.Gone = true
	if strings.Contains(show(), "Look again") {
		t.Error("an object that is gone can be looked for")
	}
	if len(tags(m.Owners[0])) != 1 || tags(dependents.Ref{Blocks: true}) != nil {
		t.Error("who blocks the deletion isn't told")
	}
}
