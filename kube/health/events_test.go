package health

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

var eventCatalog = discovery.Catalog{Groups: []discovery.Group{{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
	{Version: "v1", Resource: "events", Kind: "Event", Namespaced: true, Verbs: []string{"list"}},
	{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"get", "list"}},
}}}}}}

func TestGroupEvents(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 11, 23, 12, minute, 0, 0, time.UTC) }
	pod := Ref{Kind: "Pod", Namespace: "shop", Name: "web-1"}
	other := Ref{Kind: "Pod", Namespace: "shop", Name: "web-2"}
	groups := GroupEvents([]Event{
		{About: pod, Version: "v1", Reason: "Pulled", Count: 1, First: at(9), Last: at(9), Message: "pulled"},
		{About: pod, Version: "v1", Reason: "BackOff", Warning: true, Count: 4, First: at(1), Last: at(3), Message: "older"},
		{About: pod, Version: "v1", Reason: "BackOff", Warning: true, Count: 2, First: at(4), Last: at(5), Message: "newer"},
		{About: other, Version: "v1", Reason: "BackOff", Warning: true, Count: 1, First: at(7), Last: at(7), Message: "newer"},
	}, eventCatalog)
	if len(groups) != 3 || groups[0].About.Name != "web-2" || groups[2].Reason != "Pulled" {
		t.Fatalf("%+v", groups)
	}
	g := groups[1]
	if g.Count != 6 || !g.First.Equal(at(1)) || !g.Last.Equal(at(5)) || g.Message != "newer" || g.Others != 1 || g.About.Path != "/api/v1/namespaces/shop/pods/web-1" {
		t.Errorf("%+v", g)
	}
}

func TestEventSource(t *testing.T) {
	for _, warnings := range []bool{true, false} {
		s, ok := EventSource(eventCatalog, warnings)
		if got := s.Path("shop"); !ok || !strings.HasPrefix(got, "/api/v1/namespaces/shop/events?") || strings.Contains(got, "type%3DWarning") != warnings || !strings.Contains(got, "limit=500") {
			t.Errorf("%v: %v %s", warnings, ok, got)
		}
	}
	if _, ok := EventSource(discovery.Catalog{}, false); ok {
		t.Error("a server without Events has some")
	}
	s, _ := EventSource(eventCatalog, false)
	l, err := Read(s, []byte(`{"kind":"EventList","metadata":{"remainingItemCount":7},"items":[{"type":"Normal","reason":"Pulled","eventTime":"2026-11-23T12:00:00Z","metadata":{"creationTimestamp":"2026-11-23T12:00:01Z"}}]}`))
	if err != nil || l.Rest != 7 || len(l.Events) != 1 || l.Events[0].Warning || l.Events[0].First.Second() != 0 || l.Events[0].Count != 1 {
		t.Errorf("%+v %v", l, err)
	}
}
