package relay

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// ice lies on the way to a server. While it is frozen nothing comes through, and no connection is closed.
type ice struct {
	mu     sync.Mutex
	thawn  *sync.Cond
	frozen bool
	broken bool
}

func newIce() *ice {
	i := &ice{}
	i.thawn = sync.NewCond(&i.mu)
	return i
}

func (i *ice) freeze(on bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.frozen = on
	i.thawn.Broadcast()
}

// breaks ends all connections.
func (i *ice) breaks() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.broken = true
	i.thawn.Broadcast()
}

func (i *ice) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &icyConn{c, i}, nil
}

type icyConn struct {
	net.Conn
	on *ice
}

func (c *icyConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.on.mu.Lock()
	defer c.on.mu.Unlock()
	for c.on.frozen && !c.on.broken {
		c.on.thawn.Wait()
	}
	if c.on.broken {
		return 0, io.EOF
	}
	return n, err
}

// icy is a house whose only cluster is a script behind ice, by HTTP/2 or HTTP/1.1. Silence is noticed soon.
func icy(t *testing.T, http2 bool, list, watch http.HandlerFunc) (*house, *script, *ice) {
	t.Helper()
	s := fake.Unstarted(t, list, watch)
	s.Version, s.EnableHTTP2 = says(`{}`), http2
	s.StartTLS()
	i := newIce()
	t.Cleanup(func() { i.freeze(false) })
	base, err := url.Parse(s.URL)
	must(t, err)
	target := upstream.New(base, upstream.Config{
		TLS: s.Client().Transport.(*http.Transport).TLSClientConfig, Dial: i.dial, PingAfter: 50 * time.Millisecond,
	})
	t.Cleanup(target.Close)
	h := newHouse(t, func(context.Context, string) (*upstream.Target, error) { return target, nil })
	h.relay.following.Pace.Silent = time.Second
	h.relay.pace.beat = 50 * time.Millisecond
	return h, s, i
}

var ways = map[string]bool{"HTTP/2, by its pings": true, "HTTP/1.1, by probes": false}

func TestASilentServerIsToldAndHeals(t *testing.T) {
	for name, http2 := range ways {
		t.Run(name, func(t *testing.T) {
			more := make(chan struct{})
			h, s, ice := icy(t, http2, fiveWithA, func(w http.ResponseWriter, r *http.Request) {
				says("")(w, r)
				w.(http.Flusher).Flush()
				after(more, stays(event("MODIFIED", "a", 6)))(w, r)
			})
			p := h.open()
			p.follow(1)
			p.began(1)
			frozen := time.Now()
			ice.freeze(true)
			m := p.want(1, wire.Waiting)
			ago := time.Duration(m.SilentMillis) * time.Millisecond
			if m.Status == nil || m.Status.Reason != status.Silent || m.Status.Message == "" || m.RetryMillis != 0 {
				t.Errorf("told: %+v %+v", m, m.Status)
			}
			if noticed := time.Since(frozen); ago < h.relay.following.Pace.Silent || ago > noticed+h.relay.following.Pace.Silent {
				t.Errorf("silent for %s, of a server frozen for %s", ago, noticed)
			}
			ice.freeze(false)
			if m := p.want(1, wire.Synced); m.Gen != 1 || m.ResourceVersion != "5" {
				t.Errorf("healed: %+v", m)
			}
			close(more)
			p.happened(1, "MODIFIED a 6")
			if got := s.Versions(); len(got) != 1 {
				t.Errorf("watched from %q: the watch was not gone on with", got)
			}
			if n := s.Probed(); n > 0 == http2 {
				t.Errorf("probed %d times", n)
			}
		})
	}
}

// TestAQuietServerIsNotSilent: a watch on which nothing happens is no silence, as long as its server gives signs of life.
func TestAQuietServerIsNotSilent(t *testing.T) {
	for name, http2 := range ways {
		t.Run(name, func(t *testing.T) {
			h, s, _ := icy(t, http2, fiveWithA, stays())
			h.relay.following.Pace.Silent = 2 * time.Second
			if !http2 { // a refusal is a sign of life as well
				s.Version = refuses(403, "Forbidden")
			}
			p := h.open()
			p.follow(1)
			p.began(1)
			for range int(3 * h.relay.following.Pace.Silent / h.relay.pace.beat / 2) { // as long as silence and a half
				if m, err := p.read(); err != nil || m.Type != wire.Beat {
					t.Fatalf("told: %+v (%v)", m, err)
				}
			}
		})
	}
}

// TestAPageThatComesLateHearsOfTheSilence joins a feed whose server is silent.
func TestAPageThatComesLateHearsOfTheSilence(t *testing.T) {
	h, _, ice := icy(t, true, fiveWithA, stays())
	p := h.open()
	p.follow(1)
	p.began(1)
	ice.freeze(true)
	first := p.want(1, wire.Waiting)
	p.follow(2)
	p.want(2, wire.Rows)
	if m := p.want(2, wire.Waiting); m.Status.Reason != status.Silent || m.SilentMillis < first.SilentMillis {
		t.Errorf("told: %+v %+v, and before %+v", m, m.Status, first)
	}
	ice.freeze(false)
	p.want(1, wire.Synced)
	p.want(2, wire.Synced)
}

// TestStaleCountsFromTheLastSignOfLife: a connection that breaks at last has been silent for long.
func TestStaleCountsFromTheLastSignOfLife(t *testing.T) {
	h, _, ice := icy(t, true, fiveWithA, stays())
	h.relay.following.Pace.Silent = patience // the break comes first
	p := h.open()
	p.follow(1)
	p.began(1)
	frozen := time.Now()
	ice.freeze(true)
	for range 20 { // beats: that long nothing comes of the server
		for m, err := p.read(); m.Type != wire.Beat; m, err = p.read() {
			must(t, err)
		}
	}
	ice.breaks()
	m := p.want(1, wire.Waiting)
	if ago := time.Duration(m.SilentMillis) * time.Millisecond; ago < time.Since(frozen)/2 {
		t.Errorf("silent for %s, frozen for %s", ago, time.Since(frozen))
	}
}
