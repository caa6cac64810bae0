package app

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/web/page"
)

// scripted is a caller whose calls go on as the test says.
type scripted struct {
	made chan *made
}

type made struct {
	out  Outgoing
	head func(Head)
	part func(Part)
	end  chan error
	ctx  context.Context //nolint:containedctx // the test looks whether it was ended
}

func (s scripted) Call(ctx context.Context, o Outgoing, head func(Head), part func(Part)) error {
	m := &made{o, head, part, make(chan error, 1), ctx}
	s.made <- m
	select {
	case err := <-m.end:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// calls is an app with a page that makes calls, run by hand.
func calls(t *testing.T) (*App, desk, scripted) {
	t.Helper()
	d := desk{notes: &notes{}}
	a := New(&fakeScreen{}, nil, nil)
	by := scripted{make(chan *made, 8)}
	Calls(a, by)
	a.page = d
	return a, d, by
}

// handles handles so many events of calls.
func (a *App) handles(t *testing.T, n int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); n > 0; {
		event, ok := a.inbox.take()
		if !ok {
			if time.Now().After(end) {
				t.Fatalf("%d more events were to come", n)
			}
			time.Sleep(time.Millisecond)
			continue
		}
		a.handle(event)
		n--
	}
}

func TestCallIsToldAsItComes(t *testing.T) {
	a, d, by := calls(t)
	a.do(page.Call{ID: "a", Method: "GET", Cluster: "practice", Path: "/version", Coding: "identity", Keep: 7})
	m := <-by.made
	if m.out.Address != "/clusters/practice/version" || m.out.Keep != 7 || page.Field(m.out.Header, codingField) != "identity" {
		t.Errorf("it is made as %+v", m.out)
	}
	m.head(Head{200, []page.Header{{Name: "fieldmark-request", Value: "12"}}})
	m.part(Part{[]byte("one"), 3})
	m.part(Part{nil, 9})
	m.end <- nil
	a.handles(t, 4)
	opened, _ := d.heard[0].(page.Opened)
	first, _ := d.heard[1].(page.Arrived)
	second, _ := d.heard[2].(page.Arrived)
	ended, _ := d.heard[3].(page.Ended)
	if opened.Status != 200 || opened.Entry != "12" || string(first.Part) != "one" || second.Part != nil || second.Bytes != 9 || ended.How != page.Whole || ended.Bytes != 9 {
		t.Errorf("heard %+v", d.heard)
	}
}

func TestCallsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*testing.T, *App, *made)
		want page.Ending // empty: nothing is told
	}{
		"canceled": {func(_ *testing.T, a *App, _ *made) { a.do(page.Cancel{ID: "a"}) }, page.Canceled},
		"cut off":  {func(_ *testing.T, _ *App, m *made) { m.end <- errors.New("broken") }, page.CutOff},
		"already whole": {func(t *testing.T, a *App, m *made) {
			t.Helper()
			m.end <- nil
			a.handles(t, 1)
			a.do(page.Cancel{ID: "a"})
		}, page.Whole},
		"page left": {func(_ *testing.T, a *App, _ *made) { a.begin(desk{notes: &notes{}}) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, d, by := calls(t)
			a.do(page.Call{ID: "a"})
			m := <-by.made
			c.do(t, a, m)
			<-m.ctx.Done()
			if name != "already whole" {
				a.handles(t, 1)
			}
			var got page.Ending
			for _, h := range d.heard {
				if ended, ok := h.(page.Ended); ok {
					got = ended.How
				}
			}
			if got != c.want {
				t.Errorf("it ended %q", got)
			}
		})
	}
}

func TestCallOfTheSameIDTakesItsPlace(t *testing.T) {
	a, d, by := calls(t)
	a.do(page.Call{ID: "a", Path: "/1"})
	first := <-by.made
	a.do(page.Call{ID: "a", Path: "/2"})
	second := <-by.made
	<-first.ctx.Done()
	second.head(Head{Status: 200})
	second.end <- nil
	a.handles(t, 3) // the first one's end is among them
	if len(d.heard) != 2 {
		t.Errorf("heard %+v", d.heard)
	}
}
