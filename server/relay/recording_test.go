package relay

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// asks makes a request that is recorded, and leaves its answer open.
func (h *house) asks(session, cluster, path string, answer io.Reader) io.ReadCloser {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, "https://api.test"+path, nil)
	must(h.t, err)
	resp, err := h.tap.Transport(answering{answer}, wiretap.Who{Session: session, Cluster: cluster, Origin: wiretap.Client}).RoundTrip(r)
	must(h.t, err)
	return resp.Body
}

func (h *house) asked(session, cluster, path string) {
	h.t.Helper()
	body := h.asks(session, cluster, path, strings.NewReader("{}"))
	_, err := io.ReadAll(body)
	must(h.t, err)
}

type answering struct{ io.Reader }

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(a), Request: r}, nil
}

// lines waits until the page has been told of requests that suffice, and gives all of them.
func (p *page) lines(id uint32, suffice func(map[uint64]record.Line) bool) map[uint64]record.Line {
	p.t.Helper()
	known := map[uint64]record.Line{}
	for !suffice(known) {
		m := p.want(id, wire.Recorded)
		for _, l := range m.Lines {
			known[l.ID] = l
		}
		p.send(wire.Request{Type: wire.Credit, ID: id, N: 1})
	}
	return known
}

func TestTheRecordIsToldWhileItGrows(t *testing.T) {
	h := newHouse(t, nil)
	h.tap.Share("programs")
	for n := range 5 {
		h.asked("s", "k", fmt.Sprint("/api/v1/nodes/", n))
	}
	h.asked("other", "k", "/api/v1/other")
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", As: wire.Requests, N: 3})
	first := p.want(1, wire.Recorded)
	if !first.Anew || len(first.Lines) != 3 || first.Lines[0].Path != "/api/v1/nodes/2" || first.Lines[2].Path != "/api/v1/nodes/4" || !first.Lines[2].Done {
		t.Fatalf("at first: %+v", first)
	}
	h.asked("s", "another", "/api/v1/elsewhere")
	h.asked("other", "k", "/api/v1/other")
	h.asked("programs", "k", "/api/v1/kubectl")
	p.lines(1, func(known map[uint64]record.Line) bool {
		for _, l := range known {
			if l.Path == "/api/v1/other" || l.Path == "/api/v1/elsewhere" {
				t.Errorf("told of %+v", l)
			}
		}
		return len(known) == 1
	})
	events, out := io.Pipe()
	body := h.asks("s", "k", "/api/v1/pods?watch=1", events)
	go func() { _, _ = io.Copy(io.Discard, body) }()
	counted := func(n int64, done bool) {
		p.lines(1, func(known map[uint64]record.Line) bool {
			for _, l := range known {
				if l.Verb == "watch" && l.Events == n && l.Done == done {
					return true
				}
			}
			return false
		})
	}
	counted(0, false)
	_, _ = io.WriteString(out, "{}\n")
	counted(1, false)
	_, _ = io.WriteString(out, "{}\n{}\n")
	counted(3, false)
	must(t, out.Close())
	counted(3, true)
	p.send(wire.Request{Type: wire.Unsubscribe, ID: 1})
	p.want(1, wire.Closed)
	h.asked("s", "k", "/api/v1/later")
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", As: wire.Requests})
	if m := p.want(1, wire.Recorded); !m.Anew || len(m.Lines) != 8 {
		t.Errorf("after it began anew: %+v", m)
	}
}

// TestTheRecordWaitsForCredit: a page that takes nothing in is told what it missed as it is by then, each request once.
func TestTheRecordWaitsForCredit(t *testing.T) {
	h := newHouse(t, nil)
	h.relay.pace.lines = time.Millisecond
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", As: wire.Requests})
	p.want(1, wire.Recorded)
	for n := range wire.Window - 1 {
		h.asked("s", "k", fmt.Sprint("/api/v1/nodes/", n))
		for done := false; !done; {
			m := p.want(1, wire.Recorded)
			done = m.Lines[len(m.Lines)-1].Done
			if !done {
				p.send(wire.Request{Type: wire.Credit, ID: 1, N: 1})
			}
		}
	}
	for n := range 700 {
		h.asked("s", "k", fmt.Sprint("/api/v1/pods/", n))
	}
	p.send(wire.Request{Type: wire.Credit, ID: 1, N: 50})
	told, last := 0, uint64(0)
	for last < wire.Window-1+700 {
		for _, l := range p.want(1, wire.Recorded).Lines {
			if l.Done {
				told++
			}
			last = max(last, l.ID)
		}
	}
	if told < 699 {
		t.Errorf("%d told", told)
	}
}

func TestNoRecordIsToldWhereNoneIsKept(t *testing.T) {
	h := newHouse(t, nil)
	h.relay.opt.Tap = nil
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", As: wire.Requests})
	if m := p.want(1, wire.Failed); m.Status.Code != http.StatusNotFound {
		t.Errorf("%+v", m.Status)
	}
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", As: wire.Requests}) // the id is free
	p.want(1, wire.Failed)
}
