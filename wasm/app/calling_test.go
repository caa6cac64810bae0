package app

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// scripted is a caller whose calls go on as the test says.
type scripted struct {
	made chan *made
}

type made struct {
	out  Outgoing
	keep int64
	head func(Head)
	part func(Part)
	end  chan error
	ctx  context.Context
}

func (s scripted) Call(ctx context.Context, o Outgoing, keep int64, head func(Head), part func(Part)) error {
	m := &made{o, keep, head, part, make(chan error, 1), ctx}
	s.made <- m
	select {
	case err := <-m.end:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wired is what every answer has had on the wire.
const wired = 5

func (scripted) Wire(context.Context, string) int64 { return wired }

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
	for end := time.Now().Add(30 * time.Second); n > 0; time.Sleep(time.Millisecond) {
		for n > 0 {
			event, ok := a.inbox.take()
			if !ok {
				break
			}
			a.handle(event)
			n--
		}
		if n > 0 && time.Now().After(end) {
			t.Fatalf("%d more events were to come", n)
		}
	}
}

func TestCallIsToldAsItComes(t *testing.T) {
	a, d, by := calls(t)
	a.do(page.Call{Parts: true, ID: "a", Method: "GET", Cluster: "practice", Path: "/version", Coding: "identity", Keep: 7})
	m := <-by.made
	if m.out.Address != "/clusters/practice/version" || m.keep != 7 || request.Field(m.out.Header, codingField) != "identity" {
		t.Errorf("it is made as %+v", m.out)
	}
	m.head(Head{Status: 200, Header: []request.Header{{Name: "fieldmark-request", Value: "12"}}})
	m.part(Part{[]byte("one"), 3})
	m.part(Part{nil, 9})
	m.end <- nil
	a.handles(t, 4)
	opened, _ := d.heard[0].(page.Opened)
	first, _ := d.heard[1].(page.Arrived)
	second, _ := d.heard[2].(page.Arrived)
	ended, _ := d.heard[3].(page.Ended)
	if opened.Status != 200 || opened.Entry != "12" || string(first.Part) != "one" || second.Part != nil || second.Bytes != 9 || ended.How != page.Whole || ended.Bytes != 9 || ended.Wire != wired {
		t.Errorf("heard %+v", d.heard)
	}
}

func TestAResponseThatIsReadAgainIsKept(t *testing.T) {
	a, _, by := calls(t)
	for _, reread := range []bool{false, true} {
		a.do(page.Call{Parts: true, ID: "a", Method: "GET", Cluster: "practice", Path: "/version", Reread: reread})
		if got := request.Field((<-by.made).out.Header, rereadField); (got != "") != reread {
			t.Errorf("read again %v: %q", reread, got)
		}
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
		"page left": {func(_ *testing.T, a *App, _ *made) { a.startPage(desk{notes: &notes{}}) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, d, by := calls(t)
			a.do(page.Call{Parts: true, ID: "a", Path: "/a"})
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
	a.do(page.Call{Parts: true, ID: "a", Path: "/1"})
	first := <-by.made
	a.do(page.Call{Parts: true, ID: "a", Path: "/2"})
	second := <-by.made
	<-first.ctx.Done()
	second.head(Head{Status: 200})
	second.end <- nil
	a.handles(t, 3) // the first one's end is among them
	if len(d.heard) != 2 {
		t.Errorf("heard %+v", d.heard)
	}
}

// Paths come from permalinks, too: what a browser would read otherwise is not asked for at all.
func TestCallsStayBelowTheirCluster(t *testing.T) {
	for path, want := range map[string]bool{
		"/api/v1/pods": true, "/": true, "/version": true, "/api/v1/pods?a=/../../x#y": true, "/apis/a..b/v1/c.": true, "/api/v1/namespaces/a%2fb": true, "/...": true,
		"": false, "api/v1": false, "-viewer/api/v1/pods": false, "@evil.test/": false, "/..": false, "/../../-/sign-out": false, "/api/../../../c/x": false,
		"/.": false, "/%2e%2E/x": false, "/.%2e/x": false, "/%2E./x": false, `/\..\x`: false, `/..\x`: false, "/.\t./x": false, "/a\nb": false, "/ x": false, "/x#/y": false,
	} {
		a, _, by := calls(t)
		a.do(page.Call{Parts: true, ID: "a", Method: "POST", Cluster: "practice", Path: path})
		if want {
			if m := <-by.made; m.out.Address != "/clusters/practice"+path {
				t.Errorf("%q: %q", path, m.out.Address)
			}
			continue
		}
		a.handles(t, 1)
		a.do(page.Call{ID: "whole", Method: "POST", Cluster: "practice", Path: path})
		a.handles(t, 1)
		if sent := a.screen.(*fakeScreen).sent(); len(sent) > 0 {
			t.Errorf("%q: %q was asked for", path, sent[0].Address)
		}
		select {
		case m := <-by.made:
			t.Errorf("%q: %q was asked for", path, m.out.Address)
		default:
		}
	}
}

// TestWatchesAreAskedForPlain: of a stream in several gzip members, browsers would read the first one only.
func TestWatchesAreAskedForPlain(t *testing.T) {
	for call, want := range map[*page.Call]string{
		{Method: "GET", Path: "/api/v1/pods?watch=1&sendInitialEvents=true"}: "identity",
		{Method: "GET", Path: "/api/v1/watch/pods"}:                          "identity",
		{Method: "GET", Path: "/api/v1/pods?watch=1", Coding: "gzip"}:        "gzip",
		{Method: "GET", Path: "/api/v1/pods?watch=false"}:                    "",
		{Method: "GET", Path: "/api/v1/pods"}:                                "",
		{Method: "POST", Path: "/api/v1/pods?watch=1"}:                       "",
	} {
		if got := coding(*call); got != want {
			t.Errorf("%+v is asked for as %q", call, got)
		}
	}
}

func TestCallsOfAPageThatBegins(t *testing.T) {
	a, _, by := calls(t)
	a.do(page.Call{Parts: true, ID: "of the page before", Path: "/version"})
	former := <-by.made
	a.startPage(desk{notes: &notes{}, awake: []page.Cmd{page.Call{Parts: true, ID: "at once", Path: "/version"}}})
	<-former.ctx.Done()
	if m := <-by.made; m.ctx.Err() != nil {
		t.Error("its first call is ended as those of the page before it are")
	}
}
