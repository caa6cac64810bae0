package relay

import (
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func TestInitialStateThenEvents(t *testing.T) {
	second := make(chan struct{})
	h, s := scripted(t, turns(says(tableOf(5, "more", 1, row("a", 1), row("b", 2))), after(second, says(tableOf(5, "", 0, row("c", 3))))),
		stays(event("ADDED", "d", 6), event("MODIFIED", "a", 7), bookmark(9)))
	p := h.open()
	p.follow(1)
	first := p.want(1, wire.Rows)
	if len(first.Rows) != 2 || len(first.Columns) != 2 || first.Gen != 1 || *first.Remaining != 1 {
		t.Errorf("first: %+v", first)
	}
	close(second)
	if second := p.want(1, wire.Rows); len(second.Rows) != 1 || len(second.Columns) != 0 || *second.Remaining != 0 {
		t.Errorf("second: %+v", second)
	}
	if m := p.want(1, wire.Synced); m.ResourceVersion != "5" || m.Gen != 1 {
		t.Errorf("synced: %+v", m)
	}
	events := p.want(1, wire.Events)
	if len(events.Events) != 2 || events.ResourceVersion != "7" || events.Events[0].Row.Name != "d" {
		t.Errorf("events: %+v", events)
	}
	if m := p.want(1, wire.Bookmark); m.ResourceVersion != "9" {
		t.Errorf("bookmark: %+v", m)
	}
	p.send(wire.Request{Type: wire.Unsubscribe, ID: 1})
	p.want(1, wire.Closed)
	if asked := s.Requests(); len(asked) != 3 {
		t.Errorf("%q", asked)
	}
}
