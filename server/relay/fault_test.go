package relay

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// began waits until the initial state is there and followed.
func (p *page) began(id uint32) {
	p.t.Helper()
	p.want(id, wire.Rows)
	p.want(id, wire.Synced)
}

// happened waits for events, and words them.
func (p *page) happened(id uint32, want ...string) wire.Message {
	p.t.Helper()
	m := p.want(id, wire.Events)
	if got := words(m.Events); !slices.Equal(got, want) {
		p.t.Errorf("%q happened, want %q", got, want)
	}
	return m
}

var fiveWithA = says(tableOf(5, "", 0, row("a", 1)))

// Whatever breaks a watch, it is resumed after the last version seen, and what is told in between is why.
func TestABrokenWatchIsResumed(t *testing.T) {
	six := event("MODIFIED", "a", 6)
	for name, c := range map[string]struct {
		broken http.HandlerFunc
		code   int
		from   string
	}{
		"cut between lines": {cuts(six), 502, "6"},
		"after a bookmark":  {cuts(six, bookmark(9)), 502, "9"},
		"malformed row":     {stays(six, strings.Replace(event("ADDED", "b", 7), `"rows":[`, `"rows":[7,`, 1)), 502, "6"},
		"event of two rows": {stays(six, strings.Replace(event("ADDED", "b", 7), `"rows":[`, `"rows":[`+row("c", 7)+",", 1)), 502, "6"},
		"error event":       {stays(six, failure(500, "InternalError")), 500, "6"},
		"429":               {refuses(429, "TooManyRequests"), 429, "5"},
	} {
		t.Run(name, func(t *testing.T) {
			heard := make(chan struct{}) // a page that is told late is not told of trouble that is over
			h, s := scripted(t, fiveWithA, turns(c.broken, after(heard, stays(event("ADDED", "z", 10)))))
			p := h.open()
			p.follow(1)
			p.want(1, wire.Rows)
			m := p.next(1)
			for m.Type == wire.Synced || m.Type == wire.Events || m.Type == wire.Bookmark {
				m = p.next(1)
			}
			if m.Type != wire.Waiting || m.Status == nil || m.Status.Code != c.code || m.RetryMillis <= 0 || m.Status.Message == "" {
				t.Errorf("told: %+v %+v", m, m.Status)
			}
			close(heard)
			if m := p.want(1, wire.Synced); m.ResourceVersion != c.from || m.Gen != 1 {
				t.Errorf("resumed: %+v", m)
			}
			p.happened(1, "ADDED z 10")
			if got := s.Versions(); !slices.Equal(got, []string{"5", c.from}) {
				t.Errorf("watched from %q", got)
			}
		})
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	h, _ := scripted(t, turns(refuses(429, "TooManyRequests", "Retry-After", "1"), fiveWithA), stays())
	p := h.open()
	p.follow(1)
	if m := p.want(1, wire.Waiting); m.RetryMillis != 1000 || m.Status.Code != 429 || !m.Status.Told {
		t.Errorf("%+v %+v", m, m.Status)
	}
	p.began(1)
}

func TestAListIsTakenUpWhereItBroke(t *testing.T) {
	for _, code := range []int{500, 503, 504} {
		h, s := scripted(t, turns(says(tableOf(5, "two", 1, row("a", 1))), refuses(code, ""), says(tableOf(5, "", 0, row("b", 2)))), stays())
		p := h.open()
		p.follow(1)
		p.want(1, wire.Rows)
		p.want(1, wire.Waiting)
		if m := p.want(1, wire.Rows); m.Rows[0].Name != "b" || m.Gen != 1 {
			t.Errorf("%+v", m)
		}
		p.want(1, wire.Synced)
		if asked := s.Requests(); len(asked) != 4 || !strings.Contains(asked[2], "continue=two") {
			t.Errorf("%q", asked)
		}
	}
}

func TestExpiredBeginsAnew(t *testing.T) {
	for name, gone := range map[string]http.HandlerFunc{
		"answer": refuses(410, "Expired"), "event": stays(failure(410, "Gone")), "event by its reason": stays(failure(0, "Expired")),
	} {
		t.Run(name, func(t *testing.T) {
			h, s := scripted(t, turns(fiveWithA, says(tableOf(20, "", 0, row("b", 9)))), turns(cuts(event("MODIFIED", "a", 6)), gone, stays()))
			p := h.open()
			p.follow(1)
			p.began(1)
			p.happened(1, "MODIFIED a 6")
			m := p.next(1)
			for m.Type == wire.Waiting || m.Type == wire.Synced {
				m = p.next(1)
			}
			if m.Type != wire.Gap || m.Reason != watch.Expired || m.Gen != 2 {
				t.Errorf("%+v", m)
			}
			if m := p.want(1, wire.Rows); m.Gen != 2 || len(m.Columns) == 0 || m.Rows[0].Name != "b" {
				t.Errorf("%+v", m)
			}
			if m := p.want(1, wire.Synced); m.Gen != 2 || m.ResourceVersion != "20" {
				t.Errorf("%+v", m)
			}
			if got := s.Versions(); !slices.Equal(got, []string{"5", "6", "20"}) {
				t.Errorf("watched from %q", got)
			}
		})
	}
}

func TestAnExpiredChunkBeginsAnew(t *testing.T) {
	told := make(chan struct{})
	h, _ := scripted(t, turns(says(tableOf(5, "two", 1, row("a", 1))), after(told, refuses(410, "Expired")), says(tableOf(9, "", 0, row("b", 8)))), stays())
	p := h.open()
	p.follow(1)
	p.want(1, wire.Rows)
	close(told)
	if m := p.want(1, wire.Gap); m.Reason != watch.Expired || m.Gen != 2 {
		t.Errorf("%+v", m)
	}
	if m := p.want(1, wire.Rows); m.Gen != 2 || len(m.Rows) != 1 {
		t.Errorf("%+v", m)
	}
	if m := p.want(1, wire.Synced); m.ResourceVersion != "9" {
		t.Errorf("%+v", m)
	}
}

// Permission is asked for with every watch: once it is withdrawn, the next one says so (threat: withdrawn permission).
func TestWithdrawnPermission_PermissionWithdrawn(t *testing.T) {
	h, _ := scripted(t, fiveWithA, turns(says(event("MODIFIED", "a", 6)), refuses(403, "Forbidden"), stays()))
	p := h.open()
	p.follow(1)
	p.began(1)
	p.happened(1, "MODIFIED a 6")
	if m := p.want(1, wire.Failed); m.Status.Code != 403 || m.Status.Reason != "Forbidden" || m.Status.Message != "no" || !m.Status.Told {
		t.Errorf("%+v %+v", m, m.Status)
	}
	p.follow(1) // the id is free again
	p.began(1)
}

func TestAServerThatDoesNotAnswerAWatch(t *testing.T) {
	hangs := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	h, _ := scripted(t, fiveWithA, turns(hangs, stays()))
	h.relay.following.Pace.Head = time.Second
	p := h.open()
	p.follow(1)
	p.want(1, wire.Rows)
	if m := p.want(1, wire.Waiting); m.Status.Code != 504 || !strings.Contains(m.Status.Message, "does not respond in time") {
		t.Errorf("%+v", m.Status)
	}
	m := p.next(1)
	for m.Type == wire.Waiting {
		m = p.next(1)
	}
	if m.Type != wire.Synced {
		t.Errorf("%+v", m)
	}
}

// A watch that ends as watches do is opened again without a word.
func TestACleanEndIsNotTold(t *testing.T) {
	h, s := scripted(t, fiveWithA, turns(says(event("MODIFIED", "a", 6)), says(""), says(event("MODIFIED", "a", 7)), stays(event("MODIFIED", "a", 8))))
	p := h.open()
	p.follow(1)
	p.began(1)
	var last string
	for last != "8" {
		m := p.want(1, wire.Events) // and nothing else
		last = m.ResourceVersion
	}
	if got := s.Versions(); !slices.Equal(got, []string{"5", "6", "6", "7"}) {
		t.Errorf("watched from %q", got)
	}
}

func TestColumnsThatChange(t *testing.T) {
	other := strings.Replace(event("MODIFIED", "a", 6), `"rows"`, `"columnDefinitions":[{"name":"Name","type":"string","format":"name"}],"rows"`, 1)
	told := make(chan struct{})
	h, _ := scripted(t, turns(fiveWithA, says(tableOf(7, "", 0, row("a", 6)))), func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		after(told, stays(other))(w, r)
	})
	p := h.open()
	p.follow(1)
	p.began(1)
	close(told)
	if m := p.want(1, wire.Gap); m.Reason != watch.Restarted || m.Gen != 2 {
		t.Errorf("%+v", m)
	}
	p.began(1)
	p.happened(1, "MODIFIED a 6") // a server whose list and watch differ for good must not keep us listing
}

// unanswered resolves to something with a status, as the program's own resolving does.
type unanswered struct{ code int }

func (u unanswered) Error() string   { return fmt.Sprintf("it is %d", u.code) }
func (u unanswered) HTTPStatus() int { return u.code }

func TestClustersThatCannotBeAsked(t *testing.T) {
	s := newScript(t, fiveWithA, stays())
	asked := 0
	h := newHouse(t, func(ctx context.Context, slug string) (*upstream.Target, error) {
		asked++
		switch {
		case slug != "k":
			return nil, unanswered{404}
		case asked < 3:
			return nil, unanswered{503}
		case asked == 3:
			base := &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
			return upstream.New(base, upstream.Config{}), nil
		}
		return s.Resolve(ctx, slug)
	})
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 9, Cluster: "other", Path: pods, As: wire.Table})
	if m := p.want(9, wire.Failed); m.Status.Code != 404 || m.Status.Message != "it is 404" || m.Status.Told {
		t.Errorf("%+v", m.Status)
	}
	p.follow(1)
	if m := p.want(1, wire.Waiting); m.Status.Code != 503 || m.Status.Message != "it is 503" {
		t.Errorf("%+v", m.Status)
	}
	if m := p.want(1, wire.Waiting); m.Status.Code != 503 || !strings.Contains(m.Status.Message, "Nothing listens at the API server's address") {
		t.Errorf("%+v", m.Status)
	}
	p.began(1)
}

func TestAPanicEndsTheConnectionAlone(t *testing.T) {
	s := newScript(t, fiveWithA, stays())
	h := newHouse(t, func(ctx context.Context, slug string) (*upstream.Target, error) {
		if slug == "panics" {
			panic("a secret")
		}
		return s.Resolve(ctx, slug)
	})
	other, p := h.open(), h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "panics", Path: pods, As: wire.Table})
	if end := p.closed(); int(end.Code) != internal || strings.Contains(end.Reason, "secret") {
		t.Errorf("closed with %+v", end)
	}
	other.follow(1)
	other.began(1)
}

// Lists are answered at once, and the watch late: the page has the rows of the lists, and is told that the watch isn't answered. Then it goes on.
func TestAWatchThatIsAnsweredLate(t *testing.T) {
	held, seen := make(chan struct{}), make(chan struct{}) // seen: the page has the first list
	h, _ := scripted(t, turns(fiveWithA, after(seen, says(tableOf(8, "", 0, row("a", 1), row("b", 8))))),
		after(held, stays(event("ADDED", "b", 8), event("MODIFIED", "a", 9))))
	h.relay.following.Pace.Answer = 10 * time.Millisecond
	p := h.open()
	p.follow(1)
	p.want(1, wire.Rows)
	close(seen)
	if m := p.want(1, wire.Gap); m.Reason != watch.Unanswered {
		t.Errorf("%+v", m)
	}
	if m := p.want(1, wire.Rows); len(m.Rows) != 2 {
		t.Errorf("%+v", m.Rows)
	}
	for range 2 {
		if m := p.want(1, wire.Waiting); m.Status.Reason != status.Unanswered {
			t.Errorf("%+v", m.Status)
		}
	}
	close(held)
	m := p.next(1)
	for m.Type == wire.Waiting {
		m = p.next(1)
	}
	if m.Type != wire.Synced {
		t.Errorf("%+v", m)
	}
	p.happened(1, "MODIFIED a 9")
}

// So it is with a single object: it is read by lists of this object alone until the watch is answered.
func TestAnObjectWhoseWatchIsAnsweredLate(t *testing.T) {
	pod := func(version int) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"%[1]d"},"items":[{"metadata":{"name":"a","uid":"u","resourceVersion":"%[1]d"}}]}`, version)
	}
	held, seen := make(chan struct{}), make(chan struct{}) // seen: the page has the first list
	h, s := scripted(t, turns(says(pod(5)), after(seen, says(pod(8)))), after(held, stays(`{"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","uid":"u","resourceVersion":"9"}}}`+"\n")))
	h.relay.following.Pace.Answer = 10 * time.Millisecond
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods + "/a", As: wire.Object})
	p.want(1, wire.Rows)
	close(seen)
	if m := p.want(1, wire.Gap); m.Reason != watch.Unanswered {
		t.Errorf("%+v", m)
	}
	if m := p.want(1, wire.Rows); len(m.Objects) != 1 || !strings.Contains(string(m.Objects[0]), `"resourceVersion":"8"`) {
		t.Errorf("%+v", m)
	}
	if m := p.want(1, wire.Waiting); m.Status.Reason != status.Unanswered {
		t.Errorf("%+v", m.Status)
	}
	close(held)
	m := p.next(1)
	for m.Type != wire.Events {
		m = p.next(1)
	}
	if len(m.Events) != 1 || m.ResourceVersion != "9" {
		t.Errorf("%+v", m)
	}
	for _, target := range s.Requests() {
		if !strings.HasPrefix(target, pods+"?") || !strings.Contains(target, "fieldSelector=metadata.name%3Da") {
			t.Errorf("it asked for %s", target)
		}
	}
}
