package relay

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// streamed is a house whose cluster gives whole states with watches.
func streamed(t *testing.T, list, watch, whole http.HandlerFunc) (*house, *script) {
	t.Helper()
	h, s := scripted(t, list, watch)
	s.Whole = whole
	return h, s
}

// headed is an event with columns, as the first of a watch.
func headed(event string) string { return strings.Replace(event, `"rows"`, columns+`,"rows"`, 1) }

// ends marks the end of the whole state.
func ends(version int) string {
	return strings.Replace(bookmark(version), `"metadata":{"uid"`, `"metadata":{"annotations":{"k8s.io/initial-events-end":"true"},"uid"`, 1)
}

func TestAWholeStateComesWithTheWatch(t *testing.T) {
	lines := make(chan string)
	h, s := streamed(t, nil, nil, fed(lines))
	p := h.open()
	p.follow(1)
	lines <- headed(event("ADDED", "a", 1)) + event("ADDED", "b", 2)
	if m := p.want(1, wire.Rows); len(m.Rows) != 2 || len(m.Columns) != 2 || m.Remaining != nil {
		t.Errorf("the first: %+v", m)
	}
	lines <- event("ADDED", "c", 3) + ends(9)
	if got := p.arrives(1, 1); !slices.Equal(got, []string{"c"}) {
		t.Errorf("the rest: %q", got)
	}
	if m := p.want(1, wire.Synced); m.ResourceVersion != "9" {
		t.Errorf("%+v", m)
	}
	lines <- event("MODIFIED", "a", 10)
	p.happened(1, "MODIFIED a 10")
	asked := s.Requests()
	if len(asked) != 1 || !strings.Contains(asked[0], "sendInitialEvents=true") || !strings.Contains(asked[0], "resourceVersionMatch=NotOlderThan") {
		t.Errorf("%q", asked)
	}
}

func TestAnEmptyStateComesWithTheWatch(t *testing.T) {
	h, _ := streamed(t, nil, nil, stays(headed(ends(9)), event("ADDED", "a", 10)))
	p := h.open()
	p.follow(1)
	if m := p.want(1, wire.Rows); len(m.Rows) != 0 || len(m.Columns) != 2 || *m.Remaining != 0 {
		t.Errorf("%+v", m)
	}
	p.want(1, wire.Synced)
	p.happened(1, "ADDED a 10")
}

func TestPagesLearnHowMuchIsToCome(t *testing.T) {
	lines := make(chan string)
	h, s := streamed(t, nil, nil, fed(lines))
	s.Counts = says(`{"kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"5","remainingItemCount":1000000},"items":[{}]}`)
	h.relay.pace.count = 0
	p := h.open()
	p.follow(1)
	lines <- headed(event("ADDED", "a", 1))
	for m := p.want(1, wire.Rows); m.Remaining == nil; m = p.want(1, wire.Rows) {
		lines <- event("ADDED", "b", 2) // once more, until the answer is there
		p.send(wire.Request{Type: wire.Credit, ID: 1, N: 1})
	}
}

// Whatever a server makes of the question, the state is listed then, and it is not asked again for a while.
func TestServersThatGiveNoWholeStates(t *testing.T) {
	for name, whole := range map[string]http.HandlerFunc{
		"422": refuses(422, "Invalid"), "400": refuses(400, "BadRequest"),
		"silent": stays(), "unmarked": stays(headed(event("ADDED", "a", 1)), bookmark(5)),
		"without an answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			h, s := streamed(t, fiveWithA, stays(event("ADDED", "b", 6)), whole)
			if strings.ContainsAny(name, "aeiou") { // it takes too long
				h.relay.following.Pace.Stream = time.Second
			} else {
				h.relay.following.Pace.Stream = patience
			}
			for _, session := range []string{"one", "two"} {
				p := h.dial(session)
				p.want(0, wire.Hello)
				p.follow(1)
				m := p.next(1)
				for ; m.Type == wire.Rows || m.Type == wire.Gap || m.Type == wire.Waiting; m = p.next(1) {
					t.Logf("%s of generation %d", m.Type, m.Gen)
				}
				if m.Type != wire.Synced || m.ResourceVersion != "5" {
					t.Errorf("%+v", m)
				}
				p.happened(1, "ADDED b 6")
			}
			streams := slices.DeleteFunc(s.Requests(), func(uri string) bool { return !strings.Contains(uri, "sendInitialEvents") })
			if len(streams) != 1 {
				t.Errorf("%q", streams)
			}
		})
	}
}

func TestWhoMayListButNotWatch(t *testing.T) {
	h, _ := streamed(t, fiveWithA, refuses(403, "Forbidden"), refuses(403, "Forbidden"))
	p := h.open()
	p.follow(1)
	if got := p.arrives(1, 1); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%q", got)
	}
	if m := p.want(1, wire.Failed); m.Status.Code != 403 {
		t.Errorf("%+v", m.Status)
	}
}

// A stream that breaks off before its end is of no use: what was told of it is void.
func TestAStreamThatBreaksOff(t *testing.T) {
	told := make(chan struct{})
	h, _ := streamed(t, nil, nil, turns(func(w http.ResponseWriter, r *http.Request) {
		says(headed(event("ADDED", "a", 1)))(w, r)
		w.(http.Flusher).Flush()
		<-told
		panic(http.ErrAbortHandler)
	}, stays(headed(event("ADDED", "b", 2)), ends(9))))
	p := h.open()
	p.follow(1)
	if m := p.want(1, wire.Rows); len(m.Rows) != 1 || m.Gen != 1 {
		t.Errorf("%+v", m)
	}
	close(told)
	m := p.next(1)
	if m.Type == wire.Waiting { // a page that is told late isn't told what is over
		m = p.next(1)
	}
	if m.Type != wire.Gap || m.Reason != watch.Restarted || m.Gen != 2 {
		t.Errorf("%+v", m)
	}
	if got := p.arrives(1, 2); !slices.Equal(got, []string{"b"}) {
		t.Errorf("%q", got)
	}
	p.want(1, wire.Synced)
}
