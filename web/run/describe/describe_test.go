package describe

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/describe"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func shown(t *testing.T, p page.Page) string {
	t.Helper()
	var text strings.Builder
	if err := page.Main(p).Render(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

const sample = pagetest.Text("some-text")

// Of a refused request, its part says which permission is missing. Other parts don't.
func TestEachPartSaysItsOwnRefusal(t *testing.T) {
	m := failing(sample)
	m = m.Refused("events", status.Parse(403, []byte(`{"kind":"Status","message":"events is forbidden: User \"v\" cannot list resource \"events\" in API group \"\" in the namespace \"shop\""}`))).
		Refused("claim/data", status.Status{Message: "No response arrived."})
	text := shown(t, m)
	part := func(id string) string {
		_, rest, _ := strings.Cut(text, `<section id="`+id+`"`)
		rest, _, _ = strings.Cut(rest, "</section>")
		return rest
	}
	if got := part("events"); strings.Count(got, `role="note"`) != 1 || !strings.Contains(got, "You don’t have permission to list events in the namespace shop.") {
		t.Error(got)
	}
	if got := part("volumes"); !strings.Contains(got, "The claim data couldn’t be read. No response arrived.") || strings.Contains(got, "permission") {
		t.Error(got)
	}
	if strings.Contains(part("containers"), `role="note"`) {
		t.Error("the containers are in the object, and say that something is missing")
	}
}

// received is a message with a version of the object.
func received(version, phase string) page.Received {
	return page.Received{Message: wire.Message{Type: wire.Rows, ID: subscription, Gen: 1, Objects: []json.RawMessage{fmt.Appendf(nil,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":%q},"status":{"phase":%q}}`, version, phase)}}}
}

func TestWhenTheObjectChangesThePartsAreReadAgain(t *testing.T) {
	p, begin := failing(sample).Awake(pagetest.Now)
	if len(begin) != 1 {
		t.Fatalf("%v", begin)
	}
	calls := func(did []page.Cmd) (n int) {
		for _, c := range did {
			if _, is := c.(page.Call); is {
				n++
			}
		}
		return n
	}
	p, did := p.Update(received("1", "Running"))
	if calls(did) != 0 {
		t.Error("the version that the server has sent is read again")
	}
	p, did = p.Update(received("2", "Succeeded"))
	if calls(did) != 0 || !strings.Contains(shown(t, p), "It has finished without an error") {
		t.Errorf("%d requests right after the page was made", calls(did))
	}
	p, did = p.Update(page.Tick{Now: pagetest.Now.Add(readEvery)})
	if calls(did) != 1 { // the pod has no claim any more
		t.Fatalf("%d requests after a change", calls(did))
	}
	p, _ = p.Update(received("3", "Succeeded"))
	if p, did = p.Update(page.Tick{Now: pagetest.Now.Add(3 * readEvery)}); calls(did) != 0 {
		t.Error("it asks again while a response is missing")
	}
	p, _ = p.Update(page.Response{ID: "events", Status: 200, Body: []byte(`{"kind":"EventList","items":[{"reason":"Started","message":"now","lastTimestamp":"2026-11-21T10:00:00Z"}]}`)})
	if text := shown(t, p); !strings.Contains(text, "Started") || strings.Contains(text, "Pulled") {
		t.Error(text)
	}
	if _, did = p.Update(page.Tick{Now: pagetest.Now.Add(3 * readEvery)}); calls(did) != 1 {
		t.Error("the change before the response is forgotten")
	}
	for gen := range uint32(2) {
		p, _ = p.Update(page.Received{Message: wire.Message{Type: wire.Synced, ID: subscription, Gen: gen + 1}})
	}
	if text := shown(t, p); !strings.Contains(text, "The object was deleted") || strings.Contains(text, "Delete…") {
		t.Error(text)
	}
	if _, did = p.Update(page.Tick{Now: pagetest.Now.Add(time.Hour)}); calls(did) != 0 {
		t.Error("a deleted object is read again")
	}
}

func TestAtMostSixRequests(t *testing.T) {
	for name, p := range samples(sample) {
		m, is := p.(Model)
		if !is {
			t.Fatal(name)
		}
		_, watches := m.Awake(pagetest.Now)
		if n := 1 + len(m.Asks()) + len(watches); n > describe.MostRequests {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}

func TestLinksLeadToDescriptions(t *testing.T) {
	m := failing(sample)
	for path, want := range map[string]string{
		apipath.Object("", "v1", "", "nodes", "node-1").String():           "/c/practice/api/v1/nodes/node-1?tab=describe",
		apipath.Object("", "v1", "shop", "configmaps", "a").String():       "/c/practice/api/v1/namespaces/shop/configmaps/a",
		apipath.Collection("", "v1", "shop", "pods").String() + "?limit=1": "/c/practice/api/v1/namespaces/shop/pods?limit=1",
		"": "",
	} {
		if got := m.link(path); got != want {
			t.Errorf("%s leads to %s", path, got)
		}
	}
}

// What can be done with the object stands in the head, as on its own page.
func TestTheHeadHasTheActions(t *testing.T) {
	text := shown(t, failing(sample))
	for _, want := range []string{`class="action-bar"`, "Edit…", "Act…", "API call", "Read again", "Delete…", `aria-current="page"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}
