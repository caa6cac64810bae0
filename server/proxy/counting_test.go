package proxy_test

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/upstream"
)

const (
	clusterCredential = "Bearer cluster-credential"
	fine              = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
)

// counter is a raw TCP API server. It keeps every byte that reached it, and answers each request with the same text.
type counter struct {
	net.Listener
	answer string

	mu    sync.Mutex
	got   bytes.Buffer
	conns int
}

func newCounter(t testing.TB, answer string) *counter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{Listener: l, answer: answer}
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wait.Go(func() { c.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); wait.Wait() })
	return c
}

func (c *counter) serve(conn net.Conn) {
	defer conn.Close()
	c.mu.Lock()
	c.conns++
	c.mu.Unlock()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	r := bufio.NewReader(io.TeeReader(conn, c))
	for {
		request, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return
		}
		if _, err := io.WriteString(conn, c.answer); err != nil {
			return
		}
	}
}

// Write implements io.Writer for the tee.
func (c *counter) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got.Write(p)
}

func (c *counter) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got.String()
}

func (c *counter) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got.Reset()
}

func (c *counter) connections() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conns
}

// credential is what a context's credentials do to a request.
type credential struct{ next http.RoundTripper }

func (c credential) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", clusterCredential)
	return c.next.RoundTrip(r)
}

// before builds guard and proxy before a counter.
func before(t testing.TB, answer string, change func(*guard.Options)) (*house, *counter) {
	t.Helper()
	c := newCounter(t, answer)
	target := upstream.New(&url.URL{Scheme: "http", Host: c.Addr().String()}, upstream.Config{
		Wrap: func(next http.RoundTripper) http.RoundTripper { return credential{next} },
	})
	t.Cleanup(target.Close)
	return build(t, target, change), c
}

// raw sends text as it is, on a connection of its own, and reads all that comes back. In the text, HOST stands for
// the house's address and COOKIE for a signed-in browser's cookie.
func (h *house) raw(t testing.TB, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	text = strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n", "HOST", h.addr, "BEARER", "Authorization: Bearer "+launchToken).Replace(text)
	if strings.Contains(text, "COOKIE") {
		text = strings.ReplaceAll(text, "COOKIE", "Cookie: "+h.signIn(t))
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		return "no answer: " + err.Error()
	}
	var out bytes.Buffer
	_ = resp.Write(&out)
	return out.String()
}

// signIn gives the cookie of a new session, as a Cookie header's value.
func (h *house) signIn(t testing.TB) string {
	t.Helper()
	r, _ := http.NewRequest(http.MethodPost, "http://"+h.addr+guard.SignInPath, strings.NewReader("token="+launchToken))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://"+h.addr)
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	cookies := resp.Cookies()
	if resp.StatusCode != http.StatusSeeOther || len(cookies) != 1 {
		t.Fatalf("signing in: %d, %v", resp.StatusCode, cookies)
	}
	return cookies[0].Name + "=" + cookies[0].Value
}

// port is the house's own.
func (h *house) port() string { return h.addr[strings.LastIndexByte(h.addr, ':')+1:] }

// refused is one thing to send and the answer it must get, without one byte upstream.
type refused struct {
	name, send string
	status     string // "403 Forbidden"
	words      string
}

func (h *house) refuses(t *testing.T, c *counter, cases []refused) {
	t.Helper()
	for _, one := range cases {
		t.Run(one.name, func(t *testing.T) {
			c.reset()
			answer := h.raw(t, one.send)
			if code := strings.TrimPrefix(strings.TrimPrefix(answer, "HTTP/1.1 "), "HTTP/1.0 "); !strings.HasPrefix(code, one.status) || !strings.Contains(answer, one.words) {
				t.Errorf("sent %q\ngot %q\nwant %s with %q", one.send, answer, one.status, one.words)
			}
			if got := c.text(); len(got) != 0 {
				t.Errorf("%d bytes reached the API server: %q", len(got), got)
			}
		})
	}
}

// passes sends something that must be answered by the API server, and gives what reached it.
func (h *house) passes(t *testing.T, c *counter, send string) (upstream, answer string) {
	t.Helper()
	c.reset()
	answer = h.raw(t, send)
	if !strings.HasPrefix(answer, "HTTP/1.1 2") {
		t.Errorf("sent %q\ngot %q", send, answer)
	}
	return c.text(), answer
}
