package upstream

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// frozen passes connections on to a server until it is told to hold still: then nothing comes, and nothing is closed.
type frozen struct {
	mu    sync.Mutex
	thawn *sync.Cond
	still bool
}

func newFrozen() *frozen {
	f := &frozen{}
	f.thawn = sync.NewCond(&f.mu)
	return f
}

func (f *frozen) freeze(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.still = on
	f.thawn.Broadcast()
}

func (f *frozen) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := dial(ctx, network, address)
	return &frozenConn{c, f}, err
}

// frozenConn reads nothing while it is frozen.
type frozenConn struct {
	net.Conn
	of *frozen
}

func (c *frozenConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	for c.of.still {
		c.of.thawn.Wait()
	}
	return n, err
}

// streamTo opens a stream on which nothing comes.
func streamTo(t *testing.T, http2 bool, cfg Config) (*Pulse, *http.Response) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	s.EnableHTTP2 = http2
	s.StartTLS()
	t.Cleanup(s.Close)
	target := secureTarget(t, s, cfg)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	ctx, pulse := WithPulse(ctx)
	if !pulse.Heard().IsZero() {
		t.Error("heard before there is a connection")
	}
	resp, err := target.Transport.RoundTrip(request(t, target, http.MethodGet, "/?watch=1", "").WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return pulse, resp
}

// eventually waits for something that comes by itself.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestAStreamThatSaysNothingIsHeardByItsPings(t *testing.T) {
	ice := newFrozen()
	pulse, resp := streamTo(t, true, Config{Dial: ice.dial, PingAfter: time.Millisecond})
	if !pulse.Pinged() {
		t.Fatal("it has no pings")
	}
	goesOn := func() func() bool {
		before := pulse.Heard()
		return func() bool { return !before.IsZero() && pulse.Heard().After(before) }
	}
	eventually(t, "pings are answered", goesOn())
	ice.freeze(true)
	eventually(t, "the silence is noticed", func() bool { return time.Since(pulse.Heard()) > 50*time.Millisecond })
	ice.freeze(false)
	eventually(t, "pings are answered again", goesOn())
	gone := make(chan error, 1)
	go func() {
		_, err := io.ReadAll(resp.Body)
		gone <- err
	}()
	select {
	case err := <-gone:
		t.Errorf("the stream ended: %v", err)
	default:
	}
}

func TestHTTP1HasNoPings(t *testing.T) {
	pulse, _ := streamTo(t, false, Config{PingAfter: time.Millisecond})
	if pulse.Pinged() || pulse.Heard().IsZero() {
		t.Errorf("pinged %v, heard %v", pulse.Pinged(), pulse.Heard())
	}
}
