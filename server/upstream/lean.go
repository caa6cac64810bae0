package upstream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// lean is an HTTP/1.1 client for one host and for requests with a single response. http.Transport hands each request to two
// goroutines of its connection, one that writes and one that reads. lean writes and reads on the caller's goroutine. Without it,
// Fieldmark's processor time for a small GET is a quarter to a third higher (docs/decisions/0040).
type lean struct {
	pool          pool
	headerTimeout time.Duration
}

func newLean(dial func(context.Context) (*conn, error), headerTimeout time.Duration) *lean {
	return &lean{pool: pool{dial: dial, now: time.Now}, headerTimeout: headerTimeout}
}

// RoundTrip implements http.RoundTripper.
func (l *lean) RoundTrip(r *http.Request) (*http.Response, error) {
	again := replayable(r)
	c, err := l.pool.get(r.Context(), again)
	if err != nil {
		closeBody(r)
		return nil, err
	}
	resp, err := l.exchange(c, r)
	if err != nil && c.uses > 0 && again && stale(err) && r.Context().Err() == nil {
		// The server closed the connection while it was idle; the other idle connections are probably closed, too.
		l.pool.closeIdle()
		if c, err = l.pool.fresh(r.Context()); err != nil {
			return nil, err
		}
		resp, err = l.exchange(c, r)
	}
	return resp, err
}

// replayable tells whether a request may be sent a second time: it only reads.
func replayable(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return r.Body == nil || r.Body == http.NoBody
	}
	return false
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}

// CloseIdleConnections drops the connections that nobody uses.
func (l *lean) CloseIdleConnections() { l.pool.closeIdle() }

// errUnanswered is the error if the connection ended before the first byte of a response.
var errUnanswered = errors.New("the connection ended before a response")

// stale tells whether the server had closed the connection before, and isn't only slow to respond.
func stale(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, errUnanswered) && !(errors.As(err, &timeout) && timeout.Timeout())
}

// exchange sends the request on c and reads the headers of the response. It owns c: afterwards c is closed, belongs to the response's
// body, or is back in the pool.
func (l *lean) exchange(c *conn, r *http.Request) (*http.Response, error) {
	x := &exchange{c: c, pool: &l.pool, ctx: r.Context()}
	x.release = context.AfterFunc(r.Context(), c.interrupt)
	if err := x.writeRequest(r); err != nil {
		return nil, x.fail(err)
	}
	c.await(l.headerTimeout)
	resp, err := x.head(r)
	if err != nil {
		return nil, x.fail(err)
	}
	x.attach(resp)
	return resp, nil
}

// exchange is one request on one connection.
type exchange struct {
	c       *conn
	pool    *pool
	ctx     context.Context // it lives exactly as long as the request
	release func() bool
	// sent is closed, after err is set, when the body has been sent; nil for requests without one.
	sent    chan struct{}
	sendErr error
}

func (x *exchange) fail(err error) error {
	x.release()
	x.c.close()
	if cause := x.ctx.Err(); cause != nil {
		return cause
	}
	if cause := x.sendFailed(); cause != nil {
		return fmt.Errorf("sending the body: %w", cause)
	}
	return err
}

// writeRequest writes the request. A body is sent in its own goroutine, because a server may respond early and stop reading.
func (x *exchange) writeRequest(r *http.Request) error {
	w := x.c.w
	writeHead(w, r)
	if r.Body == nil || r.Body == http.NoBody {
		closeBody(r)
		return unanswered(w.Flush())
	}
	x.sent = make(chan struct{})
	go x.sendBody(w, r)
	return nil
}

func (x *exchange) sendBody(w *bufio.Writer, r *http.Request) {
	x.sendErr = writeBody(w, r)
	close(x.sent)
	switch {
	case x.sendErr == nil:
	case w.Flush() == nil:
		x.c.interrupt() // reading the body failed, and the server would wait for its rest
	default:
		x.c.spoil() // the server stopped reading; it may have said why
	}
}

// sendFailed is the error of the sending, if it has ended with one.
func (x *exchange) sendFailed() error {
	if x.sent == nil {
		return nil
	}
	select {
	case <-x.sent:
		return x.sendErr
	default:
		return nil
	}
}

func unanswered(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errUnanswered, err)
}

// maxInformational bounds the 1xx responses before the final one.
const maxInformational = 16

func (x *exchange) head(r *http.Request) (*http.Response, error) {
	c := x.c
	c.limit = maxHead
	if _, err := c.r.Peek(1); err != nil {
		return nil, unanswered(err)
	}
	for range maxInformational {
		resp, err := http.ReadResponse(c.r, r)
		if err != nil {
			return nil, fmt.Errorf("reading the response headers: %w", err)
		}
		if resp.StatusCode == http.StatusSwitchingProtocols {
			return nil, errSwitched
		}
		if resp.StatusCode >= 200 {
			c.limit = noLimit
			return resp, nil
		}
	}
	return nil, errors.New("too many 1xx responses")
}
