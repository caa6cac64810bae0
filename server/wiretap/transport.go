package wiretap

import (
	"errors"
	"io"
	"net/http"
	"strconv"
)

// EntryHeader is the response header with the number of the request's Entry in its session. It replaces a header of that name from the
// API server.
const EntryHeader = "Fieldmark-Request"

// Transport records the requests through next, on behalf of who. Wrap it around the transport that adds credentials, so that
// credentials never pass it.
func (l *Log) Transport(next http.RoundTripper, who Who) http.RoundTripper {
	if l == nil {
		return next
	}
	return &transport{l, next, who}
}

type transport struct {
	log  *Log
	next http.RoundTripper
	who  Who
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	x := t.log.startExchange(t.who, r)
	if r.Body != nil && r.Body != http.NoBody {
		tapped := *r // a RoundTripper must not change the caller's request
		tapped.Body = &requestBody{r.Body, x}
		r = &tapped
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		x.endExchange(err)
		return nil, err
	}
	x.answered(resp)
	resp.Header[EntryHeader] = []string{strconv.FormatUint(x.id, 10)}
	resp.Body = x.tapAnswer(resp)
	return resp, nil
}

func (x *exchange) tapAnswer(resp *http.Response) io.ReadCloser {
	if both, ok := resp.Body.(io.ReadWriteCloser); ok && resp.StatusCode == http.StatusSwitchingProtocols {
		return &upgraded{both, x}
	}
	return &answerBody{ReadCloser: resp.Body, x: x, count: x.counter()}
}

type requestBody struct {
	io.ReadCloser
	x *exchange
}

func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.x.saw(&b.x.request, p[:n])
	if errors.Is(err, io.EOF) {
		b.x.request.ended.Store(true)
	}
	return n, err
}

type answerBody struct {
	io.ReadCloser
	x     *exchange
	begun bool
	count func([]byte) int // of the events in a part; nil: they are not counted
}

func (b *answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.saw(p[:n])
	switch err {
	case nil:
	case io.EOF:
		b.x.answer.ended.Store(true)
		b.x.whole()
	default:
		b.x.endExchange(err)
	}
	return n, err
}

func (b *answerBody) saw(p []byte) {
	if len(p) == 0 {
		return
	}
	b.x.saw(&b.x.answer, p)
	if !b.begun {
		b.begun = true
		b.x.begins(p)
	}
	if b.count != nil {
		b.x.events.Add(int64(b.count(p)))
	}
	if b.x.coding != "" {
		b.x.ends(p)
	}
}

func (b *answerBody) Close() error {
	b.x.endExchange(nil)
	return b.ReadCloser.Close()
}

// upgraded is the connection after a 101; only its bytes are counted.
type upgraded struct {
	io.ReadWriteCloser
	x *exchange
}

func (u *upgraded) Read(p []byte) (int, error) {
	n, err := u.ReadWriteCloser.Read(p)
	u.x.answer.bytes.Add(int64(n))
	return n, err
}

func (u *upgraded) Write(p []byte) (int, error) {
	n, err := u.ReadWriteCloser.Write(p)
	u.x.request.bytes.Add(int64(n))
	return n, err
}

func (u *upgraded) Close() error {
	u.x.endExchange(nil)
	return u.ReadWriteCloser.Close()
}

// CloseWrite passes a half-close on, so that one side of a stream may end before the other.
func (u *upgraded) CloseWrite() error {
	if half, ok := u.ReadWriteCloser.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return http.ErrNotSupported
}
