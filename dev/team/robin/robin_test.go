package robin

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestDeadReplicaGetsNoSecondTry: the request that a dead replica didn't take goes to another one, also when other requests have taken the turns between
// the two tries.
func TestDeadReplicaGetsNoSecondTry(t *testing.T) {
	living := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer living.Close()
	dead, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = dead.Close()
	p := &Proxy{served: map[string]int{}}
	p.Lead(dead.Addr().String(), strings.TrimPrefix(living.URL, "http://"))
	between := func(r *http.Request) (*http.Response, error) {
		response, err := http.DefaultTransport.RoundTrip(r)
		p.turn("") // another request
		return response, err
	}
	for range 4 {
		r := httptest.NewRequest(http.MethodGet, "http://"+p.turn("").Host, http.NoBody)
		response, err := (&patient{p, trip(between)}).RoundTrip(r)
		if err != nil {
			t.Fatalf("the second try: %v", err)
		}
		_ = response.Body.Close()
		p.turn("") // so that each request begins with the dead replica
	}
}

// TestOnlyReplicaIsTriedAgain: a proxy with one replica has no other.
func TestOnlyReplicaIsTriedAgain(t *testing.T) {
	p := &Proxy{served: map[string]int{}}
	p.Lead("127.0.0.1:1")
	if got := p.turn("127.0.0.1:1").Host; got != "127.0.0.1:1" {
		t.Errorf("the next try goes to %s", got)
	}
}

type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestManyAtATime: while half of the replicas are dead, every request is served.
func TestManyAtATime(t *testing.T) {
	living := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer living.Close()
	listener, _, err := Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	authority := httptest.NewTLSServer(http.NotFoundHandler())
	defer authority.Close()
	p := Serve(listener, &tls.Config{Certificates: authority.TLS.Certificates, MinVersion: tls.VersionTLS13}, slog.New(slog.DiscardHandler), "127.0.0.1:1", strings.TrimPrefix(living.URL, "http://"))
	defer func() { _ = p.Stop() }()
	const requests = 60
	failed := make(chan string, requests)
	for range requests {
		go func() {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+listener.Addr().String(), http.NoBody)
			response, err := authority.Client().Do(r)
			if err != nil {
				failed <- err.Error()
				return
			}
			_ = response.Body.Close()
			failed <- response.Status
		}()
	}
	for range requests {
		if got := <-failed; got != "204 No Content" {
			t.Errorf("a request: %s", got)
		}
	}
}
