package follow

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// overHTTP2 starts the server with HTTP/2, and returns a group that reaches it.
func overHTTP2(t *testing.T, s *fake.Server) *Group {
	t.Helper()
	s.EnableHTTP2 = true
	s.StartTLS()
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	roots := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	target := upstream.New(base, upstream.Config{TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}})
	t.Cleanup(target.Close)
	g := group(s)
	g.Resolve = func(context.Context, string) (*upstream.Target, error) { return target, nil }
	return g
}

// working is how many goroutines run a Reflector.
func working() int {
	all := make([]byte, 4<<20)
	all = all[:runtime.Stack(all, true)]
	return strings.Count(string(all), "follow.(*Reflector).turn(")
}

// TestASilentWatchHasNoGoroutine follows one over HTTP/2 through everything that wakes it: an event, its end, a cut, and the end of the context.
func TestASilentWatchHasNoGoroutine(t *testing.T) {
	speak, end, cut := make(chan struct{}), make(chan struct{}), make(chan struct{})
	first := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-speak
		fake.Says(event("ADDED", "b", 11)+bookmark(12))(w, r)
		_ = http.NewResponseController(w).Flush()
		<-end
	}
	s := fake.Unstarted(t, fake.Says(listOf(10, "", object("a", 9))), fake.Turns(
		first, fake.After(cut, fake.Cuts(event("DELETED", "a", 13))), fake.Stays(event("ADDED", "c", 14)),
	))
	g := overHTTP2(t, s)
	n := newNotes()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool, 1)
	g.Reflector(Source{Session: "s", Cluster: "k", Question: pods, Limit: 500}, n, Had{}).Start(ctx, func(over bool, crash error) {
		ended <- over || crash != nil
	})
	asleep := func(when string) {
		t.Helper()
		for late := time.Now().Add(patience); working() > 0; time.Sleep(time.Millisecond) {
			if time.Now().After(late) {
				t.Fatalf("%s, a goroutine stays", when)
			}
		}
	}
	n.expect(t, "stream", "begin", "chunk a", "whole 10")
	asleep("before the first event")
	close(speak)
	n.expect(t, "ADDED b 11", "passed 12")
	asleep("after an event")
	close(end)
	close(cut)
	n.expect(t, "DELETED a 13", "wait 502", "ADDED c 14")
	asleep("after a cut")
	cancel()
	select {
	case bad := <-ended:
		if bad {
			t.Error("it ended with its login, or a panic")
		}
	case <-time.After(patience):
		t.Fatal("it doesn't end with its context")
	}
}

// panics is a sink with a bug.
type panics struct{ *notes }

func (panics) Passed(string) { panic("a bug") }

// TestASinkThatPanics ends its watch, and its Reflector says where.
func TestASinkThatPanics(t *testing.T) {
	left := make(chan struct{})
	s := fake.Unstarted(t, fake.Says(listOf(10, "")), func(w http.ResponseWriter, r *http.Request) {
		fake.Stays(bookmark(11))(w, r)
		close(left)
	})
	g := overHTTP2(t, s)
	crashed := make(chan error, 1)
	g.Reflector(Source{Session: "s", Cluster: "k", Question: pods, Limit: 500}, panics{newNotes()}, Had{}).Start(t.Context(), func(_ bool, crash error) {
		crashed <- crash
	})
	if err := <-crashed; err == nil || !strings.HasPrefix(err.Error(), "a bug\n") || !strings.Contains(err.Error(), "silent_test.go") {
		t.Errorf("the panic became %v", err)
	}
	<-left
}
