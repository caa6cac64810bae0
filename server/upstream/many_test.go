package upstream

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// peer is the server's end of an HTTP/2 connection, frame by frame.
type peer struct {
	t *testing.T
	*http2.Framer
	conn  net.Conn
	block bytes.Buffer
	heads *hpack.Encoder
}

// scriptedHTTP2 is a target whose n-th connection follows the n-th script, and the last script from then on. The settings have been exchanged.
func scriptedHTTP2(t *testing.T, scripts ...func(*peer)) *Target {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.EnableHTTP2 = true
	s.StartTLS()
	certificate := s.TLS.Certificates
	roots := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	s.Close()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certificate, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go converse(t, c, scripts[min(n, len(scripts)-1)])
		}
	}()
	return New(&url.URL{Scheme: "https", Host: l.Addr().String()}, Config{TLS: &tls.Config{RootCAs: roots, ServerName: "example.com", MinVersion: tls.VersionTLS12}})
}

func converse(t *testing.T, c net.Conn, script func(*peer)) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(c, preface); err != nil {
		return
	}
	p := &peer{t: t, Framer: http2.NewFramer(c, c), conn: c}
	p.ReadMetaHeaders = hpack.NewDecoder(table, nil)
	p.heads = hpack.NewEncoder(&p.block)
	_ = p.WriteSettings()
	script(p)
}

// request waits for the next request, and returns the number of its stream; 0: the client has closed the connection.
func (p *peer) request() (id uint32, fields []hpack.HeaderField) {
	for {
		f, err := p.ReadFrame()
		if err != nil {
			return 0, nil
		}
		if head, ok := f.(*http2.MetaHeadersFrame); ok {
			return head.StreamID, head.Fields
		}
	}
}

// until reads frames until one fits, or the connection ends.
func (p *peer) until(fits func(http2.Frame) bool) {
	for {
		if f, err := p.ReadFrame(); err != nil || fits(f) {
			return
		}
	}
}

// answer sends headers: names and values in turn.
func (p *peer) answer(id uint32, end bool, fields ...string) {
	p.block.Reset()
	for i := 0; i < len(fields); i += 2 {
		_ = p.heads.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	half := p.block.Len() / 2
	_ = p.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: p.block.Bytes()[:half], EndStream: end})
	_ = p.WriteContinuation(id, true, p.block.Bytes()[half:])
}

// ok answers a stream with a text, and waits for the next request.
func (p *peer) ok(id uint32, text string) {
	p.answer(id, false, ":status", "200", "content-type", "application/json")
	_ = p.WriteData(id, true, []byte(text))
}

// stay reads what the client sends until it goes.
func (p *peer) stay() { p.until(func(http2.Frame) bool { return false }) }

func streamed(t *testing.T, target *Target) (int, string, error) {
	t.Helper()
	resp, err := target.Transport.RoundTrip(request(t, target, http.MethodGet, "/x?watch=1", ""))
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// fine answers the first request of a connection.
func fine(p *peer) {
	id, _ := p.request()
	p.ok(id, "second")
	p.stay()
}

// conversations are what a server does with the first request of its first connection, and what the client gets.
var conversations = map[string]struct {
	first func(p *peer, id uint32)
	code  int
	text  string
	err   error
}{
	"a text in pieces": {func(p *peer, id uint32) {
		p.answer(id, false, ":status", "200")
		_ = p.WriteData(id, false, []byte("one "))
		_ = p.WriteDataPadded(id, false, []byte("two "), make([]byte, 9))
		_ = p.WriteData(id, true, []byte("three"))
	}, 200, "one two three", nil},
	"no text":             {func(p *peer, id uint32) { p.answer(id, true, ":status", "404") }, 404, "", nil},
	"responses before it": {func(p *peer, id uint32) { p.answer(id, false, ":status", "103"); p.ok(id, "ok") }, 200, "ok", nil},
	"trailers": {func(p *peer, id uint32) {
		p.answer(id, false, ":status", "200")
		_ = p.WriteData(id, false, []byte("ok"))
		p.answer(id, true, "late", "x")
	}, 200, "ok", nil},
	"settings and a ping": {func(p *peer, id uint32) {
		_ = p.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: 0}, http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1 << 15})
		_ = p.WritePing(false, [8]byte{7})
		p.until(func(f http2.Frame) bool {
			ping, is := f.(*http2.PingFrame)
			return is && ping.IsAck() && ping.Data == [8]byte{7}
		})
		p.ok(id, "ok")
	}, 200, "ok", nil},
	"frames of nobody": {func(p *peer, id uint32) {
		_ = p.WriteData(id+100, false, []byte("x"))
		_ = p.WriteWindowUpdate(id, 1)
		_ = p.WriteRawFrame(99, 0, id, []byte("?"))
		p.ok(id, "ok")
	}, 200, "ok", nil},
	"a refused stream":   {func(p *peer, id uint32) { _ = p.WriteRSTStream(id, http2.ErrCodeRefusedStream); fine(p) }, 200, "second", nil},
	"a server that goes": {func(p *peer, id uint32) { _ = p.WriteGoAway(id-1, http2.ErrCodeNo, nil); p.stay() }, 200, "second", nil},
	"a server that goes after it": {func(p *peer, id uint32) {
		_ = p.WriteGoAway(id, http2.ErrCodeNo, nil)
		p.ok(id, "first")
		p.stay()
	}, 200, "first", nil},
	"cut off": {func(p *peer, id uint32) {
		p.answer(id, false, ":status", "200")
		_ = p.WriteData(id, false, []byte("o"))
	}, 200, "o", io.ErrUnexpectedEOF},
	"cut off at once":    {func(*peer, uint32) {}, 0, "", io.ErrUnexpectedEOF},
	"given up":           {func(p *peer, id uint32) { _ = p.WriteRSTStream(id, http2.ErrCodeInternal); p.stay() }, 0, "", io.ErrUnexpectedEOF},
	"no status":          {func(p *peer, id uint32) { p.answer(id, false, "x", "y"); p.stay() }, 0, "", io.ErrUnexpectedEOF},
	"a switch":           {func(p *peer, id uint32) { p.answer(id, false, ":status", "101"); p.stay() }, 0, "", io.ErrUnexpectedEOF},
	"a name in capitals": {func(p *peer, id uint32) { p.answer(id, false, ":status", "200", "X", "y"); p.stay() }, 0, "", io.ErrUnexpectedEOF},
	"1xx without end": {func(p *peer, id uint32) {
		for range maxInformational + 1 {
			p.answer(id, false, ":status", "103")
		}
		p.stay()
	}, 0, "", io.ErrUnexpectedEOF},
	"a promise": {func(p *peer, id uint32) {
		_ = p.WritePushPromise(http2.PushPromiseParam{StreamID: id, PromiseID: 2, EndHeaders: true})
		p.stay()
	}, 0, "", errPromised},
}

// TestStreamsOfHTTP2 has servers that do what they may, and what they may not.
func TestStreamsOfHTTP2(t *testing.T) {
	for name, c := range conversations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := scriptedHTTP2(t, func(p *peer) { id, _ := p.request(); c.first(p, id) }, fine)
			code, text, err := streamed(t, target)
			if code != c.code || text != c.text || !errors.Is(err, c.err) {
				t.Errorf("%d %q, %v; want %d %q, %v", code, text, err, c.code, c.text, c.err)
			}
		})
	}
}

// TestAServerThatAlwaysRefusesAStream ends the attempts.
func TestAServerThatAlwaysRefusesAStream(t *testing.T) {
	var asked atomic.Int32
	target := scriptedHTTP2(t, func(p *peer) {
		for {
			id, _ := p.request()
			if id == 0 {
				return
			}
			asked.Add(1)
			_ = p.WriteRSTStream(id, http2.ErrCodeRefusedStream)
		}
	})
	if _, _, err := streamed(t, target); !errors.Is(err, errUnprocessed) || asked.Load() != maxAttempts {
		t.Errorf("%d attempts, %v", asked.Load(), err)
	}
}

// TestExhaustion_AServerThatIgnoresTheRoomOfAStream loses this stream, and no other.
func TestExhaustion_AServerThatIgnoresTheRoomOfAStream(t *testing.T) {
	flooded := make(chan bool, 1)
	target := scriptedHTTP2(t, func(p *peer) {
		id, _ := p.request()
		p.answer(id, false, ":status", "200")
		for range streamRoom/bareFrame + 1 {
			_ = p.WriteData(id, false, make([]byte, bareFrame))
		}
		p.until(func(f http2.Frame) bool {
			reset, is := f.(*http2.RSTStreamFrame)
			flooded <- is && reset.StreamID == id && reset.ErrCode == http2.ErrCodeFlowControl
			return is
		})
		id, _ = p.request()
		p.ok(id, "ok")
		p.stay()
	})
	resp, err := target.Transport.RoundTrip(request(t, target, http.MethodGet, "/x?watch=1", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for !<-flooded {
	}
	if kept, err := io.ReadAll(resp.Body); len(kept) > streamRoom || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d bytes were kept: %v", len(kept), err)
	}
	if code, text, err := streamed(t, target); code != 200 || text != "ok" || err != nil {
		t.Errorf("the next stream: %d %q %v", code, text, err)
	}
}

// TestStreamsShareConnections opens more streams than a connection may have.
func TestStreamsShareConnections(t *testing.T) {
	var conns atomic.Int32
	target := scriptedHTTP2(t, func(p *peer) {
		conns.Add(1)
		_ = p.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 2})
		_ = p.WritePing(false, [8]byte{1})
		for {
			id, _ := p.request()
			if id == 0 {
				return
			}
			p.answer(id, false, ":status", "200")
		}
	})
	// The first stream may begin before the limit is known, so the limit is proved by the sum of many.
	var open []*http.Response
	for range 9 {
		resp, err := target.Transport.RoundTrip(request(t, target, http.MethodGet, "/x?watch=1", ""))
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, resp)
	}
	if n := conns.Load(); n < 4 || n > 5 {
		t.Errorf("%d connections for %d streams", n, len(open))
	}
	for _, resp := range open {
		_ = resp.Body.Close()
	}
	target.Close()
	eventually(t, "connections without streams are closed", func() bool {
		p, _ := target.Transport.(*picker)
		p.many.mu.Lock()
		defer p.many.mu.Unlock()
		return len(p.many.trunks) == 0
	})
}

// TestALongStreamWithARealServer sends headers that don't fit into a frame, and reads more than a stream's room.
func TestALongStreamWithARealServer(t *testing.T) {
	token := "Bearer " + strings.Repeat("t", 3*bareFrame)
	left := make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != token || r.ProtoMajor != 2 || r.Header.Get("Connection") != "" || r.UserAgent() != "" {
			t.Errorf("%s with %d bytes of a token, %q, %q", r.Proto, len(r.Header.Get("Authorization")), r.Header.Get("Connection"), r.UserAgent())
		}
		for range 5 {
			_, _ = w.Write(bytes.Repeat([]byte("x"), streamRoom))
		}
		<-r.Context().Done()
		close(left)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	target := secureTarget(t, s, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := request(t, target, http.MethodGet, "/x?watch=1", "").WithContext(ctx)
	r.Header = http.Header{"Authorization": {token}, "Connection": {"keep-alive"}, "Te": {"trailers"}, "User-Agent": {""}}
	resp, err := target.Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 5*streamRoom)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := resp.Body.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
	<-left // the server learns of it
	if _, err := target.Transport.RoundTrip(r); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that has ended: %v", err)
	}
}

// TestBorrowedCredentials_NoTokenInTheTableOfHeaders sends two people's requests on one connection.
func TestBorrowedCredentials_NoTokenInTheTableOfHeaders(t *testing.T) {
	seen := make(chan []hpack.HeaderField, 2)
	target := scriptedHTTP2(t, func(p *peer) {
		for {
			id, fields := p.request()
			if id == 0 {
				return
			}
			seen <- fields
			p.ok(id, "")
		}
	})
	for _, token := range []string{"of-ada", "of-ben"} {
		r := request(t, target, http.MethodGet, "/x?watch=1", "")
		r.Header = http.Header{"Authorization": {"Bearer " + token}}
		resp, err := target.Transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		found := false
		for _, f := range <-seen {
			if f.Name == "authorization" {
				found = f.Sensitive && f.Value == "Bearer "+token
			}
		}
		if !found {
			t.Errorf("the token %s isn't sent, or can be kept in the table", token)
		}
	}
}

// TestAPingWithoutResponseEndsTheStreams has a server that takes everything and sends nothing.
func TestAPingWithoutResponseEndsTheStreams(t *testing.T) {
	target := scriptedHTTP2(t, func(p *peer) {
		id, _ := p.request()
		p.answer(id, false, ":status", "200")
		p.stay() // without responses to pings
	})
	p, _ := target.Transport.(*picker)
	p.many.pings = pings{time.Millisecond, 20 * time.Millisecond}
	if code, _, err := streamed(t, target); code != 200 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d, %v", code, err)
	}
}

// TestAStreamNotifies wakes somebody who waits without a goroutine.
func TestAStreamNotifies(t *testing.T) {
	more := make(chan struct{})
	target := scriptedHTTP2(t, func(p *peer) {
		id, _ := p.request()
		p.answer(id, false, ":status", "200")
		<-more
		_ = p.WriteData(id, true, []byte("x"))
		p.stay()
	})
	ctx, pulse := WithPulse(t.Context())
	woken := make(chan struct{})
	wake := func() { woken <- struct{}{} }
	pulse.Notify(wake) // there is no stream to wait for
	<-woken
	resp, err := target.Transport.RoundTrip(request(t, target, http.MethodGet, "/x?watch=1", "").WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if !pulse.Silent() {
		t.Error("not silent although nothing came")
	}
	pulse.Notify(wake)
	select {
	case <-woken:
		t.Error("woken although nothing came")
	default:
	}
	close(more)
	<-woken
	if pulse.Silent() {
		t.Error("silent although something came")
	}
	if text, err := io.ReadAll(resp.Body); string(text) != "x" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	pulse.Notify(wake) // it has ended
	<-woken
}
