package events

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestTally(t *testing.T) {
	of := func(uid string) object.Object {
		return object.Object{Fields: map[string]any{"kind": "Pod", "metadata": map[string]any{"name": "web", "namespace": "shop", "uid": uid}}}
	}
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	tally, did := Tally{}.Tick(noon, "practice", of("a"))
	if len(did) != 0 {
		t.Fatal("it asks before the page is idle")
	}
	tally, did = tally.Tick(noon.Add(idle), "practice", of("a"))
	asked, ok := did[0].(page.Call)
	if !ok || !strings.HasPrefix(asked.Path, "/api/v1/namespaces/shop/events?fieldSelector=") || !strings.HasSuffix(asked.Path, "limit=20") {
		t.Fatalf("%+v", did)
	}
	if _, did = tally.Tick(noon.Add(2*idle), "practice", of("a")); len(did) != 0 || tally.Words(of("a")) != "" {
		t.Error("it asks twice, or knows the number without a response")
	}
	heard := tally.Heard(page.Response{ID: tallyID, Status: 200, Body: []byte(`{"metadata":{},"items":[{},{}]}`)})
	if heard.Words(of("a")) != "2" || heard.Words(of("b")) != "" {
		t.Error(heard)
	}
	if got := tally.Heard(page.Response{ID: tallyID, Status: 200, Body: []byte(`{"metadata":{"continue":"x"},"items":[{},{}]}`)}); got.Words(of("a")) != "2+" {
		t.Error(got)
	}
	for _, r := range []page.Response{
		{ID: tallyID, Status: 403, Body: []byte(`{"items":[]}`)}, {ID: tallyID, Status: 200, Body: []byte(`<html>`)}, {ID: "other", Status: 200, Body: []byte(`{"items":[]}`)}, {ID: tallyID},
	} {
		if got := tally.Heard(r); got.Words(of("a")) != "" {
			t.Errorf("%+v: %+v", r, got)
		}
	}
	if again, did := heard.Tick(noon.Add(3*idle), "practice", of("b")); len(did) != 1 || again.Words(of("b")) != "" {
		t.Error("it doesn’t count the events of a new object")
	}
	seen := heard.Seen(Model{Table: table.Table{Columns: []table.Column{{Name: "Reason"}}, Rows: make([]table.Row, 5)}}, of("a"))
	if seen.Words(of("a")) != "5" {
		t.Error(seen)
	}
}
