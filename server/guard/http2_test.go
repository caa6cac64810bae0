package guard

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// agreed is a listener whose connections say that TLS has agreed on HTTP/2. The real one is in server/kubectl.
type agreed struct{ net.Listener }

type agreedConn struct{ net.Conn }

func (agreedConn) Negotiated() string { return "h2" }

func (l agreed) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return agreedConn{c}, nil
}

func throughHTTP2(l net.Listener) net.Listener { return Listener(agreed{l}) }

// client2 speaks HTTP/2 and counts its connections.
func client2(t *testing.T) (*http.Client, *atomic.Int32) {
	t.Helper()
	var connections atomic.Int32
	only := new(http.Protocols)
	only.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: only, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		connections.Add(1)
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}, &connections
}

// never is a body that does not come, and ends with the test.
func never(t *testing.T) io.Reader {
	t.Helper()
	r, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close() })
	return r
}

// Over HTTP/2 a refusal ends its stream, and the others on the connection go on.
func TestExhaustion_BodiesThatNeverComeHoldNoStream(t *testing.T) {
	address := open(t, Options{StrangerTime: moment, BodyTime: long, Linger: long}, throughHTTP2)
	client, connections := client2(t)
	for name, c := range map[string]struct {
		method, path string
		field        []string
		length       int64
		code         int
	}{
		"an API request":    {"POST", "/clusters/one/api/v1/namespaces", nil, 20, 401},
		"without a length":  {"POST", "/clusters/one/api/v1/namespaces", nil, -1, 401},
		"a page":            {"POST", "/-/theme", []string{"Accept", "text/html"}, 20, 401},
		"a refused Origin":  {"POST", "/-/sign-in", []string{"Origin", "http://evil.test"}, 20, 403},
		"/healthz":          {"GET", "/healthz", nil, 20, 200},
		"a static file":     {"GET", "/static/x", nil, -1, 200},
		"a known client's":  {"POST", "/", []string{"Authorization", "Bearer " + testToken}, 4 << 20, 413},
		"the sign-in form":  {"POST", "/-/sign-in", []string{"Origin", "http://" + address, "Content-Type", "application/x-www-form-urlencoded"}, 20, 408},
		"a foreign Host":    {"POST", "/", []string{"Host", "evil.test"}, 20, 403},
		"an ambiguous path": {"POST", "/a//b", nil, 20, 400},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+address+c.path, never(t))
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = c.length
			for i := 0; i+1 < len(c.field); i += 2 {
				r.Header.Set(c.field[i], c.field[i+1])
			}
			if host := r.Header.Get("Host"); host != "" {
				r.Host = host
				r.Header.Del("Host")
			}
			answer, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != c.code || answer.ProtoMajor != 2 {
				t.Errorf("%s %d %s, %v", answer.Proto, answer.StatusCode, text, err)
			}
		})
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections were needed", n)
	}
}

// What HTTP/1.1 refuses by itself must not come in by HTTP/2.
func TestRequestSmuggling_HTTP2HasOneReadingToo(t *testing.T) {
	address := open(t, Options{}, throughHTTP2)
	client, _ := client2(t)
	for name, c := range map[string]struct {
		change func(*http.Request)
		code   int
	}{
		"as it should be":   {func(*http.Request) {}, 200},
		"CONNECT":           {func(r *http.Request) { r.Method, r.URL.Opaque = http.MethodConnect, address }, 405},
		"TRACE":             {func(r *http.Request) { r.Method = http.MethodTrace }, 405},
		"an encoded slash":  {func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/a/b", "/a%2fb" }, 400},
		"a needless escape": {func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/static/x", "/%73tatic/x" }, 400},
		"a foreign Host":    {func(r *http.Request) { r.Host = "evil.test" }, 403},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+testToken)
		c.change(r)
		answer, err := client.Do(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode != c.code || answer.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %v", name, answer.StatusCode, answer.Header)
		}
	}
}

func TestDoubledFieldsOfHTTP2(t *testing.T) {
	for name, c := range map[string]struct {
		header  http.Header
		doubled bool
	}{
		"neither":         {http.Header{}, false},
		"the same Host":   {http.Header{"Host": {"a:1"}}, false},
		"another Host":    {http.Header{"Host": {"b:1"}}, true},
		"two Hosts":       {http.Header{"Host": {"a:1", "a:1"}}, true},
		"a length":        {http.Header{"Content-Length": {"1"}}, false},
		"two lengths":     {http.Header{"Content-Length": {"1", "1"}}, true},
		"different names": {http.Header{"Content-Type": {"a", "b"}}, false},
	} {
		if got := doubled(&http.Request{ProtoMajor: 2, Host: "a:1", Header: c.header}); got != c.doubled {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A handler that gives up ends its own stream, not the connection.
func TestPanic_AnAbortedHandlerEndsItsStream(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := newGuard(t, Options{Listen: []string{l.Addr().String()}})
	server := g.Server(g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		if strings.HasPrefix(r.URL.Path, "/abort") {
			panic(http.ErrAbortHandler)
		}
	})))
	go func() { _ = server.Serve(throughHTTP2(l)) }()
	defer server.Close()
	client, connections := client2(t)
	for _, c := range []struct {
		path  string
		whole bool
	}{{"/", true}, {"/abort", false}, {"/", true}} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+testToken)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if (err == nil) != c.whole || string(text) != "half" || errors.Is(err, io.EOF) {
			t.Errorf("%s: %q, %v", c.path, text, err)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections were needed", n)
	}
}
