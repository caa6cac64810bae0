package guard

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	moment = 20 * time.Millisecond
	long   = time.Hour
	// patience is far more than anything here takes.
	patience = 20 * time.Second
)

// open serves a handler that reads no bodies, behind the guard, and gives the address.
func open(t *testing.T, opt Options, wrap func(net.Listener) net.Listener) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	opt.Listen = []string{l.Addr().String()}
	g := newGuard(t, opt)
	server := g.Server(g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") })))
	go func() { _ = server.Serve(wrap(l)) }()
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// send writes text on a connection of its own and gives all that comes back until the server ends the connection.
func send(t *testing.T, address, text string) (answer string, ended bool) {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, strings.NewReplacer("\n", "\r\n", "HOST", address, "BEARER", "Authorization: Bearer "+testToken).Replace(text)); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(c)
	return string(all), !errors.Is(err, os.ErrDeadlineExceeded)
}

// bodies that are announced and never come. The form is what the sign-in page sends.
var bodies = map[string]string{
	"a length":           "Content-Length: 20\n\n",
	"a part of it":       "Content-Length: 20\n\ntoken=x",
	"a great length":     "Content-Length: 3000000\n\n",
	"chunks":             "Transfer-Encoding: chunked\n\n",
	"a part of a chunk":  "Transfer-Encoding: chunked\n\n14\ntok",
	"a wish to continue": "Expect: 100-continue\nContent-Length: 20\n\n",
}

// unknown are the ways in which somebody without an identity is answered before a body is looked at.
var unknown = map[string]struct{ head, status string }{
	"an API request":      {"POST /clusters/one/api/v1/namespaces HTTP/1.1\nHost: HOST\n", "401"},
	"a page":              {"POST /-/theme HTTP/1.1\nHost: HOST\nAccept: text/html\n", "401"},
	"a wrong token":       {"PUT /clusters/one/api HTTP/1.1\nHost: HOST\nAuthorization: Bearer wrong\n", "4"}, // 429 after some,
	"a foreign Host":      {"POST / HTTP/1.1\nHost: evil.test\n", "403"},
	"a refused Origin":    {"POST /-/sign-in HTTP/1.1\nHost: HOST\nOrigin: http://evil.test\n", "403"},
	"a sign-out":          {"POST /-/sign-out HTTP/1.1\nHost: HOST\nOrigin: http://evil.test\n", "403"},
	"/healthz":            {"GET /healthz HTTP/1.1\nHost: HOST\n", "200"},
	"a static file":       {"GET /static/x HTTP/1.1\nHost: HOST\n", "200"},
	"the sign-in page":    {"GET /-/sign-in HTTP/1.1\nHost: HOST\n", "200"},
	"a visit":             {"GET /?code=wrong HTTP/1.1\nHost: HOST\n", "401"},
	"a link with a token": {"GET /?token=wrong HTTP/1.1\nHost: HOST\n", "303"},
	"an ambiguous path":   {"POST /a//b HTTP/1.1\nHost: HOST\n", "400"},
	"an upgrade":          {"GET /socket HTTP/1.1\nHost: HOST\nConnection: Upgrade\nUpgrade: websocket\n", "400"},
	"a method of proxies": {"TRACE / HTTP/1.1\nHost: HOST\n", "405"},
}

func TestExhaustion_BodiesThatNeverComeHoldNoConnectionOfAStranger(t *testing.T) {
	address := open(t, Options{StrangerTime: long, BodyTime: long, Linger: moment}, Listener)
	for who, c := range unknown {
		for what, rest := range bodies {
			t.Run(who+" with "+what, func(t *testing.T) {
				t.Parallel()
				answer, ended := send(t, address, c.head+rest)
				if !ended || !strings.HasPrefix(answer, "HTTP/1.1 "+c.status) || !strings.Contains(answer, "\r\nConnection: close\r\n") {
					t.Errorf("ended: %t, after %q", ended, answer)
				}
			})
		}
	}
}

func TestExhaustion_WhereABodyIsWantedItHasItsTime(t *testing.T) {
	const form = "POST /-/sign-in HTTP/1.1\nHost: HOST\nOrigin: http://HOST\nContent-Type: application/x-www-form-urlencoded\n"
	for name, c := range map[string]struct {
		opt          Options
		text, status string
	}{
		"the sign-in form":      {Options{StrangerTime: moment, BodyTime: long}, form + bodies["a part of it"], "408"},
		"the form in chunks":    {Options{StrangerTime: moment, BodyTime: long}, form + bodies["a part of a chunk"], "408"},
		"a form far too long":   {Options{StrangerTime: long, BodyTime: long}, form + bodies["a great length"], "413"},
		"a known client's":      {Options{StrangerTime: long, BodyTime: moment}, "POST / HTTP/1.1\nHost: HOST\nBEARER\n" + bodies["a part of a chunk"], "408"},
		"one that nobody reads": {Options{StrangerTime: long, BodyTime: long}, "POST / HTTP/1.1\nHost: HOST\nBEARER\n" + bodies["a part of it"], "200"},
		"before the guard sees": {Options{StrangerTime: moment, BodyTime: long}, "POST / HTTP/1.1\nHost: HOST\nExpect: nonsense\n" + bodies["a length"], "417"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.opt.Linger = moment
			answer, ended := send(t, open(t, c.opt, Listener), c.text)
			if !ended || !strings.HasPrefix(answer, "HTTP/1.1 "+c.status) {
				t.Errorf("ended: %t, after %q", ended, answer)
			}
		})
	}
}

// Somebody who opens connections without end loses the oldest ones, and keeps nobody out.
func TestExhaustion_StrangersHaveSoManyConnections(t *testing.T) {
	const most = 4
	address := open(t, Options{}, func(l net.Listener) net.Listener { return listener{l, newStrangers(most)} })
	connect := func(first string) net.Conn {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(patience))
		if first == "" {
			return c
		}
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+address+"\r\nAuthorization: Bearer "+first+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			t.Fatal(err)
		}
		return c
	}
	known, refused, silent := connect(testToken), connect("wrong"), connect("")
	for range 3 * most {
		connect("wrong")
	}
	for what, c := range map[string]net.Conn{"refused": refused, "silent": silent} {
		if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the %s connection is still open: %v", what, err)
		}
	}
	if _, err := io.WriteString(known, "GET / HTTP/1.1\r\nHost: "+address+"\r\nConnection: close\r\n\r\n"); err != nil {
		t.Error(err)
	}
	if answer, err := io.ReadAll(known); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 401") {
		t.Errorf("a known client's connection: %q, %v", answer, err)
	}
}

// deadlines is a connection that remembers its deadline for reading.
type deadlines struct {
	net.Conn
	mu   sync.Mutex
	read time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.read = t
	return d.Conn.SetReadDeadline(t)
}

func (d *deadlines) left() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.read.IsZero() {
		return 0
	}
	return time.Until(d.read)
}

type rememberDeadlines struct {
	net.Listener
	conns chan *deadlines
}

func (l rememberDeadlines) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	d := &deadlines{Conn: c}
	l.conns <- d
	return d, nil
}

// A request without a body, and one whose body is in, may take as long as they like: watches do.
func TestExhaustion_NoDeadlineHoldsOnceARequestIsIn(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	remembering := rememberDeadlines{l, make(chan *deadlines, 1)}
	g := newGuard(t, Options{Listen: []string{l.Addr().String()}, StrangerTime: 2 * long, BodyTime: 4 * long})
	lefts := make(chan [2]time.Duration, 1)
	server := g.Server(g.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		c := <-remembering.conns
		before := c.left()
		_, _ = io.Copy(io.Discard, r.Body)
		lefts <- [2]time.Duration{before, c.left()}
	})))
	go func() { _ = server.Serve(Listener(remembering)) }()
	defer server.Close()
	for text, waits := range map[string]bool{
		"\n": false, "Content-Length: 0\n\n": false, "Content-Length: 1\n\nx": true,
		"Transfer-Encoding: chunked\n\n1\nx\n0\n\n": false, // it was read before, since its length must be known
	} {
		answer, _ := send(t, l.Addr().String(), "POST / HTTP/1.1\nHost: HOST\nBEARER\nConnection: close\n"+text)
		if left := <-lefts; (left[0] > 2*long) != waits || left[1] != 0 || !strings.HasPrefix(answer, "HTTP/1.1 200") {
			t.Errorf("%q: %v were left, and %v after the body: %q", text, left[0], left[1], answer)
		}
	}
}
