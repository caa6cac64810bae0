package upstream

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// scripted is a raw TCP server: what each connection answers to its first, second, … request is written down.
type scripted struct {
	net.Listener
	mu       sync.Mutex
	conns    int
	requests []string
}

// act answers one request on a connection; false closes it.
type act func(c net.Conn, r *http.Request) bool

func say(text string) act {
	return func(c net.Conn, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		_, err := io.WriteString(c, text)
		return err == nil
	}
}

func sayAndClose(text string) act {
	return func(c net.Conn, r *http.Request) bool { say(text)(c, r); return false }
}

func hangUpUnanswered(net.Conn, *http.Request) bool { return false }

// serve starts a server whose n-th connection follows the n-th script, and the last script from then on.
func serve(t testing.TB, scripts ...[]act) *scripted {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{Listener: l}
	var wait sync.WaitGroup
	wait.Go(func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns++
			s.mu.Unlock()
			script := scripts[min(n, len(scripts)-1)]
			wait.Go(func() { s.follow(c, script) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); wait.Wait() })
	return s
}

func (s *scripted) follow(c net.Conn, script []act) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	r := bufio.NewReader(c)
	for n := 0; ; n++ {
		request, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.requests = append(s.requests, fmt.Sprintf("%s %s", request.Method, request.RequestURI))
		s.mu.Unlock()
		if !script[min(n, len(script)-1)](c, request) {
			return
		}
	}
}

func (s *scripted) counts() (conns, requests int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns, len(s.requests)
}

func (s *scripted) target(t testing.TB, cfg Config) *Target {
	t.Helper()
	target := New(&url.URL{Scheme: "http", Host: s.Addr().String()}, cfg)
	t.Cleanup(target.Close)
	return target
}

func request(t testing.TB, target *Target, method, path, body string) *http.Request {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, target.Base.String()+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
