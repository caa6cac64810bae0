package upstream

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

func TestPlainReadsAnswers(t *testing.T) {
	for _, c := range []struct {
		name, method, answer string
		status               int
		body                 string
		reused               bool
	}{
		{"length", "GET", ok, 200, "ok", true},
		{"empty", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "", true},
		{"chunks", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n", 200, "ok", true},
		{"chunk extension", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\n\r\n", 200, "ok", true},
		{"head", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", 200, "", true},
		{"204", "DELETE", "HTTP/1.1 204 No Content\r\n\r\n", 204, "", true},
		{"304", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", 304, "", true},
		{"100 then 200", "GET", "HTTP/1.1 100 Continue\r\n\r\n" + ok, 200, "ok", true},
		{"103 twice", "GET", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + ok, 200, "ok", true},
		{"connection close", "GET", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", 200, "ok", false},
		{"1.0", "GET", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok", false},
		{"said too much", "GET", ok + "HTTP/1.1 200 OK\r\n", 200, "ok", false},
		{"500", "POST", "HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nno", 500, "no", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, []act{say(c.answer)})
			target := s.target(t, Config{})
			for range 2 {
				resp, err := target.Transport.RoundTrip(request(t, target, c.method, "/x", ""))
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if err != nil || resp.StatusCode != c.status || string(body) != c.body {
					t.Fatalf("got %d %q, %v", resp.StatusCode, body, err)
				}
			}
			if conns, _ := s.counts(); (conns == 1) != c.reused {
				t.Errorf("%d connections for two requests; want reuse %v", conns, c.reused)
			}
		})
	}
}

func TestPlainReadsToTheCloseOfTheConnection(t *testing.T) {
	s := serve(t, []act{sayAndClose("HTTP/1.1 200 OK\r\n\r\nall of it")})
	target := s.target(t, Config{})
	resp, err := target.Transport.RoundTrip(request(t, target, "GET", "/", ""))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "all of it" {
		t.Fatalf("got %q, %v", body, err)
	}
}

func TestPlainGivesTrailers(t *testing.T) {
	s := serve(t, []act{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n")})
	target := s.target(t, Config{})
	resp, err := target.Transport.RoundTrip(request(t, target, "GET", "/", ""))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.ReadAll(resp.Body)
	if resp.Trailer.Get("X-Sum") != "7" {
		t.Errorf("trailer: %v", resp.Trailer)
	}
}

func TestPlainTellsBrokenAnswers(t *testing.T) {
	for name, answer := range map[string]string{
		"nothing":            "",
		"half a head":        "HTTP/1.1 200 OK\r\nContent-Le",
		"not HTTP":           "SSH-2.0-OpenSSH_9\r\n\r\n",
		"short body":         "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
		"short chunk":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nhalf",
		"no last chunk":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
		"unasked switch":     "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
		"endless 1xx":        strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 50_000) + ok,
		"two lengths":        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
		"a head without end": "HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Long: "+strings.Repeat("x", 1000)+"\r\n", 2000) + "\r\n",
		"a line without end": "HTTP/1.1 200 " + strings.Repeat("O", 2<<20),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, []act{sayAndClose(answer)})
			target := s.target(t, Config{})
			resp, err := target.Transport.RoundTrip(request(t, target, "GET", "/", ""))
			if err == nil {
				_, err = io.ReadAll(resp.Body)
			}
			if err == nil {
				t.Fatal("no error")
			}
			if u := Unreach(err); u.HTTPStatus() != http.StatusBadGateway {
				t.Errorf("explained as %d: %v", u.HTTPStatus(), err)
			}
		})
	}
}

func TestPlainRetriesOnAStaleConnectionOnce(t *testing.T) {
	for _, c := range []struct {
		name, method, body string
		scripts            [][]act
		fails              bool
		conns, requests    int
	}{
		{"a GET on a connection that ends", "GET", "", [][]act{{say(ok), hangUpUnanswered}, {say(ok)}}, false, 2, 3},
		{"a POST is not repeated", "POST", "x", [][]act{{say(ok), hangUpUnanswered}, {say(ok)}}, true, 1, 2},
		{"an answer that began is not repeated", "GET", "", [][]act{{say(ok), sayAndClose("H")}, {say(ok)}}, true, 1, 2},
		{"a second failure is told", "GET", "", [][]act{{say(ok), hangUpUnanswered}, {hangUpUnanswered}}, true, 2, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.scripts...)
			target := s.target(t, Config{})
			if _, err := roundTrip(t, target, "GET", ""); err != nil {
				t.Fatal(err)
			}
			body, err := roundTrip(t, target, c.method, c.body)
			if c.fails != (err != nil) || err == nil && body != "ok" {
				t.Errorf("got %q, %v", body, err)
			}
			if conns, requests := s.counts(); conns != c.conns || requests != c.requests {
				t.Errorf("%d connections, %d requests; want %d, %d", conns, requests, c.conns, c.requests)
			}
		})
	}
}

func TestPlainFirstUseIsNotRepeated(t *testing.T) {
	s := serve(t, []act{hangUpUnanswered})
	if _, err := roundTrip(t, s.target(t, Config{}), "GET", ""); err == nil {
		t.Fatal("no error")
	}
	if conns, requests := s.counts(); conns != 1 || requests != 1 {
		t.Errorf("%d connections, %d requests", conns, requests)
	}
}

// A request that can't be repeated must not meet a connection that the server has closed meanwhile.
func TestPlainPostAvoidsAClosedConnection(t *testing.T) {
	s := serve(t, []act{sayAndClose(ok)}, []act{say(ok)})
	var first net.Conn
	target := s.target(t, Config{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if first == nil {
			first = c
		}
		return c, err
	}})
	if _, err := roundTrip(t, target, "GET", ""); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end of the connection has arrived", func() bool { _, err := first.Write(nil); return errors.Is(err, net.ErrClosed) })
	if body, err := roundTrip(t, target, "POST", "x"); err != nil || body != "ok" {
		t.Fatalf("got %q, %v", body, err)
	}
}

func TestPlainSendsBodies(t *testing.T) {
	echo := func(c net.Conn, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		if err != nil {
			return false
		}
		w := &chunker{c}
		_, _ = w.Write([]byte(strings.Join(r.TransferEncoding, "") + ":"))
		_, _ = w.Write(body)
		_, err = io.WriteString(c, "0\r\n\r\n")
		return err == nil
	}
	s := serve(t, []act{echo})
	target := s.target(t, Config{})
	long := strings.Repeat("0123456789", 30_000)
	for _, c := range []struct {
		body   string
		length int64
		want   string
	}{
		{"x", 1, ":x"}, {long, int64(len(long)), ":" + long}, {"x", -1, "chunked:x"}, {long, -1, "chunked:" + long},
	} {
		r := request(t, target, "POST", "/", c.body)
		r.ContentLength = c.length
		resp, err := target.Transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(resp.Body); err != nil || string(got) != c.want {
			t.Errorf("got %.20q (%d bytes), %v; want %.20q", got, len(got), err, c.want)
		}
	}
	if conns, _ := s.counts(); conns != 1 {
		t.Errorf("%d connections", conns)
	}
}

type chunker struct{ w io.Writer }

func (c *chunker) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	_, err := io.WriteString(c.w, hex(len(p))+"\r\n"+string(p)+"\r\n")
	return len(p), err
}

func hex(n int) string {
	const digits = "0123456789abcdef"
	if n < 16 {
		return digits[n : n+1]
	}
	return hex(n/16) + digits[n%16:n%16+1]
}

func TestPlainTellsABodyOfTheWrongLength(t *testing.T) {
	s := serve(t, []act{say(ok)})
	target := s.target(t, Config{})
	r := request(t, target, "POST", "/", "four")
	r.ContentLength = 10
	if resp, err := target.Transport.RoundTrip(r); err == nil {
		t.Errorf("a body that is too short was answered: %d", resp.StatusCode)
	}
	r = request(t, target, "POST", "/", "more than four")
	r.ContentLength = 4
	resp, err := target.Transport.RoundTrip(r)
	if err == nil {
		_, _ = io.ReadAll(resp.Body)
	}
	if _, err := roundTrip(t, target, "GET", ""); err != nil {
		t.Error(err)
	}
}

// An answer may come while the body is still being sent: 413, for example. It must arrive, and the connection, with
// half a request on it, must not be used again.
func TestPlainTakesEarlyAnswers(t *testing.T) {
	over := make(chan struct{})
	defer close(over)
	early := func(c net.Conn, _ *http.Request) bool {
		_, _ = io.WriteString(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
		<-over
		return false
	}
	s := serve(t, []act{early}, []act{say(ok)})
	target := s.target(t, Config{})
	slow, hold := io.Pipe()
	defer hold.Close()
	r := request(t, target, "POST", "/", "x")
	r.Body, r.ContentLength = slow, -1
	resp, err := target.Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 413 || string(body) != "no" {
		t.Errorf("got %d %q", resp.StatusCode, body)
	}
	if body, err := roundTrip(t, target, "GET", ""); err != nil || body != "ok" {
		t.Errorf("got %q, %v", body, err)
	}
	if conns, _ := s.counts(); conns != 2 {
		t.Errorf("%d connections", conns)
	}
}

func TestPlainDropsHalfReadAnswers(t *testing.T) {
	s := serve(t, []act{say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + strings.Repeat("x", 100000))}, []act{say(ok)})
	target := s.target(t, Config{})
	resp, err := target.Transport.RoundTrip(request(t, target, "GET", "/", ""))
	if err != nil {
		t.Fatal(err)
	}
	var some [10]byte
	_, _ = io.ReadFull(resp.Body, some[:])
	_ = resp.Body.Close()
	if _, err := resp.Body.Read(some[:]); err == nil {
		t.Errorf("read after close: %v", err)
	}
	if body, err := roundTrip(t, target, "GET", ""); err != nil || body != "ok" {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestPlainEndsWithItsContext(t *testing.T) {
	silent := func(c net.Conn, _ *http.Request) bool { _, _ = c.Read(make([]byte, 1)); return false }
	half := func(c net.Conn, r *http.Request) bool {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
		return silent(c, r)
	}
	for name, script := range map[string]act{"before the answer": silent, "inside the answer": half} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, []act{script})
			target := s.target(t, Config{})
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			started := time.Now()
			resp, err := target.Transport.RoundTrip(request(t, target, "GET", "/", "").WithContext(ctx))
			if err == nil {
				_, err = io.ReadAll(resp.Body)
			}
			if !errors.Is(err, context.Canceled) || time.Since(started) > 5*time.Second {
				t.Errorf("after %v: %v", time.Since(started), err)
			}
		})
	}
}

func TestPlainGivesUpOnASilentServer(t *testing.T) {
	s := serve(t, []act{say(ok), func(c net.Conn, _ *http.Request) bool { _, _ = c.Read(make([]byte, 1)); return false }})
	target := s.target(t, Config{HeaderTimeout: 100 * time.Millisecond})
	if _, err := roundTrip(t, target, "GET", ""); err != nil {
		t.Fatal(err)
	}
	_, err := roundTrip(t, target, "GET", "")
	if u := Unreach(err); u.HTTPStatus() != http.StatusGatewayTimeout {
		t.Errorf("got %v", err)
	}
	if _, requests := s.counts(); requests != 2 {
		t.Errorf("%d requests: a slow answer is no reason to ask again", requests)
	}
}

func roundTrip(t testing.TB, target *Target, method, body string) (string, error) {
	t.Helper()
	resp, err := target.Transport.RoundTrip(request(t, target, method, "/", body))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return string(answer), err
}
