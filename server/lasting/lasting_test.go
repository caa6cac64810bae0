package lasting

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// noted is what handlers do at the end of a request, in order.
type noted struct {
	mu  sync.Mutex
	all []string
}

func (n *noted) note(what string) func() {
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.all = append(n.all, what)
	}
}

func (n *noted) seen() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.all)
}

func TestWhenARequestIsOver(t *testing.T) {
	for name, c := range map[string]struct {
		ctx                   context.Context
		keep, endsFirst       bool
		afterReturn, afterEnd []string
	}{
		"a request that isn't kept":         {ctx: Context(context.Background()), afterReturn: []string{"inner", "outer"}, afterEnd: []string{"inner", "outer"}},
		"one that is kept":                  {ctx: Context(context.Background()), keep: true, afterEnd: []string{"inner", "outer"}},
		"one that ended before its handler": {ctx: Context(context.Background()), keep: true, endsFirst: true, afterReturn: []string{"inner", "outer"}, afterEnd: []string{"inner", "outer"}},
		"a server that knows nothing of it": {ctx: context.Background(), keep: true, afterReturn: []string{"inner", "outer"}, afterEnd: []string{"inner", "outer"}},
		"the same, and nothing is kept":     {ctx: context.Background(), afterReturn: []string{"inner", "outer"}, afterEnd: []string{"inner", "outer"}},
	} {
		t.Run(name, func(t *testing.T) {
			n := &noted{}
			end := func() {}
			func() {
				defer Done(c.ctx, n.note("outer"))
				func() {
					defer Done(c.ctx, n.note("inner"))
					if c.keep {
						end = Keep(c.ctx)
					}
					if c.endsFirst {
						end()
					}
				}()
			}()
			if got := n.seen(); !slices.Equal(got, c.afterReturn) {
				t.Errorf("after the handler: %q", got)
			}
			end()
			end()
			if got := n.seen(); !slices.Equal(got, c.afterEnd) {
				t.Errorf("after the end: %q", got)
			}
		})
	}
}

// TestAConnectionThatIsTakenOver: what is put off for one connection doesn't hold up the requests of others.
func TestAConnectionThatIsTakenOver(t *testing.T) {
	n := &noted{}
	ended := make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer Done(r.Context(), n.note(r.URL.Path))
		if r.URL.Path != "/taken" {
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		end := Keep(r.Context())
		go func() {
			defer close(ended)
			defer end()
			defer conn.Close()
			_, _ = conn.Read(make([]byte, 1))
		}()
	}))
	s.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context { return Context(ctx) }
	s.Start()
	defer s.Close()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("GET /taken HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		resp, err := http.Get(s.URL + "/other")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	for deadline := time.Now().Add(time.Minute); len(n.seen()) < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("only %q", n.seen())
		}
	}
	if got := n.seen(); !slices.Equal(got, []string{"/other", "/other"}) {
		t.Errorf("while the connection lasts: %q", got)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if got := n.seen(); !slices.Equal(got, []string{"/other", "/other", "/taken"}) {
		t.Errorf("afterwards: %q", got)
	}
}
