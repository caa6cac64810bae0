package proxy_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/upstream"
)

// soon fails a test that waits for something that never comes.
func soon[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(5 * time.Second):
		t.Fatal("never came: " + what)
		panic("unreachable")
	}
}

func (h *house) request(t *testing.T, method, path string, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+h.addr+"/clusters/one"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+launchToken)
	return r
}

func do(t *testing.T, r *http.Request) *http.Response {
	t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// Both HTTP versions upstream: watches take HTTP/2 where the server has it.
func eachVersion(t *testing.T, handler http.Handler, test func(t *testing.T, h *house)) {
	for _, version := range []string{"HTTP/1.1", "HTTP/2"} {
		t.Run(version, func(t *testing.T) {
			s := httptest.NewUnstartedServer(handler)
			s.EnableHTTP2 = version == "HTTP/2"
			s.StartTLS()
			t.Cleanup(s.Close)
			test(t, build(t, targetOf(t, s, nil), nil))
		})
	}
}

func TestWatchEventsAreFlushedAtOnce(t *testing.T) {
	next := make(chan string)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.(http.Flusher).Flush()
		for {
			select {
			case event := <-next:
				_, _ = io.WriteString(w, event+"\n")
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	})
	eachVersion(t, handler, func(t *testing.T, h *house) {
		resp := do(t, h.request(t, "GET", "/api/v1/pods?watch=1", nil))
		r := bufio.NewReader(resp.Body)
		for _, event := range []string{`{"type":"ADDED"}`, `{"type":"MODIFIED"}`} {
			next <- event
			line := make(chan string, 1)
			go func() { text, _ := r.ReadString('\n'); line <- text }()
			if got := soon(t, "the event", line); got != event+"\n" {
				t.Errorf("got %q", got)
			}
		}
		entries := h.tap.Entries(h.guard.ClientSession().ID, 0)
		if len(entries) != 1 || entries[0].Events != 2 || entries[0].Done || entries[0].Verb != "watch" {
			t.Errorf("the record while it runs: %+v", entries)
		}
	})
}

func TestAClientThatGoesCancelsUpstream(t *testing.T) {
	for _, path := range []string{"/api/v1/pods?watch=1", "/api/v1/pods", "/api/v1/namespaces/x/pods/web/log?follow=true"} {
		came, gone := make(chan struct{}, 1), make(chan struct{}, 1)
		handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			came <- struct{}{}
			<-r.Context().Done()
			gone <- struct{}{}
		})
		eachVersion(t, handler, func(t *testing.T, h *house) {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				resp, err := http.DefaultTransport.RoundTrip(h.request(t, "GET", path, nil).WithContext(ctx))
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			}()
			soon(t, "the request", came)
			cancel()
			soon(t, "the end", gone)
		})
	}
}

func TestAnUpstreamCutInMidstreamIsNoWholeAnswer(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 100_000))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	for _, path := range []string{"/api/v1/pods", "/api/v1/pods?watch=1"} {
		eachVersion(t, handler, func(t *testing.T, h *house) {
			resp := do(t, h.request(t, "GET", path, nil))
			if n, err := io.Copy(io.Discard, resp.Body); err == nil {
				t.Errorf("%d bytes of an answer that was cut looked like all of it", n)
			}
		})
	}
}

func TestEverythingElsePassesUnchanged(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Audit-Id", "a-1")
		w.Header().Set("Trailer", "Warning")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, strings.Join([]string{
			r.Method, r.URL.RequestURI(), r.Header.Get("Accept"), r.Header.Get("Accept-Encoding"), r.Header.Get("Content-Type"), r.Header.Get("User-Agent"), string(body),
		}, "|"))
		w.Header().Set("Warning", `299 - "late"`)
	})
	eachVersion(t, handler, func(t *testing.T, h *house) {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"} {
			for _, length := range []int64{4, -1} {
				r := h.request(t, method, "/apis/apps/v1/namespaces/x/deployments/web?fieldManager=me&a=%2F", io.NopCloser(strings.NewReader("body")))
				r.ContentLength = length
				r.Header["User-Agent"] = []string{"kubectl/v1"}
				r.Header.Set("Accept", "application/json;as=Table")
				r.Header.Set("Content-Type", "application/apply-patch+yaml")
				r.Header.Set("Accept-Encoding", "identity")
				resp := do(t, r)
				got, err := io.ReadAll(resp.Body)
				want := method + "|/apis/apps/v1/namespaces/x/deployments/web?fieldManager=me&a=%2F|application/json;as=Table|identity|application/apply-patch+yaml|kubectl/v1|body"
				if err != nil || string(got) != want || resp.StatusCode != 202 || resp.Header.Get("Audit-Id") != "a-1" || resp.Trailer.Get("Warning") != `299 - "late"` {
					t.Errorf("got %d %q %v %v, %v\nwant %q", resp.StatusCode, got, resp.Header, resp.Trailer, err, want)
				}
			}
		}
	})
}

func TestNoAcceptEncodingAndNoNameAreMadeUp(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, agent := r.Header["User-Agent"]
		_, encoding := r.Header["Accept-Encoding"]
		if agent || encoding {
			w.WriteHeader(http.StatusTeapot)
		}
	})
	eachVersion(t, handler, func(t *testing.T, h *house) {
		for _, path := range []string{"/api/v1/pods", "/api/v1/pods?watch=1"} {
			answer := h.raw(t, "GET /clusters/one"+path+" HTTP/1.1\nHost: HOST\nBEARER\n\n")
			if !strings.HasPrefix(answer, "HTTP/1.1 200") {
				t.Errorf("%s: %q", path, answer)
			}
		}
	})
}

// switching answers an upgrade and then echoes in capitals, until the client has said all it has to say.
func switching(w http.ResponseWriter, r *http.Request) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "+r.Header.Get("Upgrade")+
		"\r\nX-Stream-Protocol-Version: "+r.Header.Get("X-Stream-Protocol-Version")+"\r\nSet-Cookie: a=b\r\n\r\n")
	for {
		line, err := buffered.ReadString('\n')
		if err != nil {
			_, _ = io.WriteString(conn, "BYE\n")
			return
		}
		_, _ = io.WriteString(conn, strings.ToUpper(line))
	}
}

func TestUpgradesPassBothWays(t *testing.T) {
	eachVersion(t, http.HandlerFunc(switching), func(t *testing.T, h *house) {
		for _, protocol := range []string{"websocket", "SPDY/3.1"} {
			conn, r, head := h.upgrade(t, protocol)
			if !strings.HasPrefix(head, "HTTP/1.1 101") || !strings.Contains(head, "Upgrade: "+protocol) || !strings.Contains(head, "X-Stream-Protocol-Version: v5") || strings.Contains(head, "Set-Cookie") {
				t.Fatalf("got %q", head)
			}
			for _, word := range []string{"one\n", "two\n"} {
				_, _ = io.WriteString(conn, word)
				if got, err := r.ReadString('\n'); err != nil || got != strings.ToUpper(word) { //nolint:gocritic // the case is what matters
					t.Fatalf("got %q, %v", got, err)
				}
			}
			// Half of it may end while the other half has something left to say.
			_ = conn.(*net.TCPConn).CloseWrite()
			if got, err := io.ReadAll(r); err != nil || string(got) != "BYE\n" {
				t.Errorf("after the half-close: %q, %v", got, err)
			}
			_ = conn.Close()
		}
		deadline := time.Now().Add(5 * time.Second)
		for _, e := range h.tap.Entries(h.guard.ClientSession().ID, 0) {
			for ; !e.Done && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
				e, _ = h.tap.Entry(h.guard.ClientSession().ID, e.ID)
			}
			if !e.Done || e.Status != 101 || e.Request.Bytes != 8 || e.Answer.Bytes != 12 {
				t.Errorf("the record: %+v", e)
			}
		}
	})
}

func (h *house) upgrade(t *testing.T, protocol string) (net.Conn, *bufio.Reader, string) {
	t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	_, _ = io.WriteString(conn, "POST /clusters/one/api/v1/namespaces/x/pods/web/exec?command=sh HTTP/1.1\r\nHost: "+h.addr+"\r\nAuthorization: Bearer "+launchToken+
		"\r\nConnection: Upgrade\r\nUpgrade: "+protocol+"\r\nX-Stream-Protocol-Version: v5\r\nContent-Length: 0\r\n\r\n")
	r := bufio.NewReader(conn)
	var head strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		head.WriteString(line)
		if line == "\r\n" {
			return conn, r, head.String()
		}
	}
}

func TestAnEndedUpgradeClosesBothSides(t *testing.T) {
	gone := make(chan struct{}, 1)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switching(w, r)
		gone <- struct{}{}
	}))
	t.Cleanup(s.Close)
	h := build(t, targetOf(t, s, nil), nil)
	conn, _, _ := h.upgrade(t, "websocket")
	_ = conn.Close()
	soon(t, "the end upstream", gone)

	s = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := http.NewResponseController(w).Hijack()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nbye")
		_ = conn.Close()
	}))
	t.Cleanup(s.Close)
	h = build(t, targetOf(t, s, nil), nil)
	started := time.Now()
	_, r, _ := h.upgrade(t, "websocket")
	if rest, _ := io.ReadAll(r); string(rest) != "bye" || time.Since(started) > 3*time.Second {
		t.Errorf("after %v: %q", time.Since(started), rest)
	}
}

func TestTroubleIsToldApart(t *testing.T) {
	silent := newCounter(t, "") // it reads, and says nothing
	tlsServer := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(tlsServer.Close)
	needsCert := httptest.NewUnstartedServer(http.NotFoundHandler())
	needsCert.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	needsCert.StartTLS()
	t.Cleanup(needsCert.Close)
	closed, _ := net.Listen("tcp", "127.0.0.1:0")
	_ = closed.Close()

	trusting := x509.NewCertPool()
	trusting.AddCert(tlsServer.Certificate())
	fails := func(err error) upstream.Config {
		return upstream.Config{Dial: func(context.Context, string, string) (net.Conn, error) { return nil, err }}
	}
	const leak = "hush-hush"
	for _, c := range []struct {
		name, base string
		cfg        upstream.Config
		code       int
		words      string
	}{
		{"refused", "https://" + closed.Addr().String(), upstream.Config{}, 503, "Nothing listens"},
		{"not trusted", tlsServer.URL, upstream.Config{}, 502, "does not trust"},
		{"wrong name", tlsServer.URL, upstream.Config{TLS: &tls.Config{RootCAs: trusting, ServerName: "other.test"}}, 502, "is not for the name"},
		{"expired", tlsServer.URL, upstream.Config{TLS: &tls.Config{RootCAs: trusting, Time: func() time.Time { return time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC) }}}, 502, "expired"},
		{"certificate wanted", needsCert.URL, upstream.Config{TLS: &tls.Config{RootCAs: trusting}}, 502, "handshake"},
		{"not TLS", "https://" + silentHTTP(t), upstream.Config{}, 502, "does not use TLS"},
		{"silent", "http://" + silent.Addr().String(), upstream.Config{HeaderTimeout: 100 * time.Millisecond}, 504, "in time"},
		{"unresolved", "https://nowhere.invalid", fails(&net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true}), 502, "is not known"},
		{"plugin", "https://x.test", plugin("getting credentials: exec: executable aws failed with exit code 1"), 502, "credentials plugin of this context failed"},
		{"plugin's output", "https://x.test", plugin("getting credentials: decoding stdout: " + leak), 502, "credentials plugin of this context failed. Run the plugin"},
		{"odd", "https://x.test", fails(errors.New(leak)), 502, "Try again"},
	} {
		for _, way := range []string{"", "?watch=1", "/web/exec"} {
			base, _ := url.Parse(c.base)
			target := upstream.New(base, c.cfg)
			h := build(t, target, nil)
			send := "GET " + pods + way + " HTTP/1.1\nHost: HOST\nBEARER\n"
			if way == "/web/exec" {
				send += "Connection: Upgrade\nUpgrade: websocket\n"
			}
			if way == "?watch=1" && c.name == "silent" {
				continue // a watch may be silent
			}
			answer := h.raw(t, send+"\n")
			if !strings.HasPrefix(answer, "HTTP/1.1 "+itoa(c.code)) || !strings.Contains(answer, c.words) || !strings.Contains(answer, `"kind":"Status"`) || strings.Contains(answer, leak) {
				t.Errorf("%s%s: got %q\nwant %d with %q", c.name, way, answer, c.code, c.words)
			}
			for _, e := range h.tap.Entries(h.guard.ClientSession().ID, 0) {
				if e.Error == "" || !e.Done || strings.Contains(e.Error, leak) {
					t.Errorf("%s%s: the record: %+v", c.name, way, e)
				}
			}
			target.Close()
		}
	}
}

// plugin stands for client-go's credentials plugin, which fails before anything is sent.
func plugin(text string) upstream.Config {
	return upstream.Config{Wrap: func(http.RoundTripper) http.RoundTripper { return broken{errors.New(text)} }}
}

type broken struct{ err error }

func (b broken) RoundTrip(*http.Request) (*http.Response, error) { return nil, b.err }

func silentHTTP(t *testing.T) string {
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// The server's base context ends when it stops: watches and upgraded connections, which would last for hours, end with it.
func TestGracefulStop_StreamsEndWhenTheServerStops(t *testing.T) {
	came := make(chan struct{}, 2)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came <- struct{}{}
		if r.Header.Get("Upgrade") != "" {
			switching(w, r)
			return
		}
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	base, stop := context.WithCancel(context.Background())
	h := build(t, targetOf(t, s, nil), nil, func(s *http.Server) { s.BaseContext = func(net.Listener) context.Context { return base } })

	_, exec, _ := h.upgrade(t, "SPDY/3.1")
	watch := make(chan error, 1)
	go func() {
		resp, err := http.DefaultTransport.RoundTrip(h.request(t, "GET", "/api/v1/pods?watch=1", nil))
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		watch <- err
	}()
	soon(t, "the exec", came)
	soon(t, "the watch", came)
	stop()
	if err := soon(t, "the end of the watch", watch); err == nil {
		t.Error("a watch that was cut off looked like one that ended")
	}
	ended := make(chan error, 1)
	go func() { _, err := io.Copy(io.Discard, exec); ended <- err }()
	_ = soon(t, "the end of the exec", ended)
}
