package guard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// maxBody is the API server's own bound for a request body.
const maxBody = 3 << 20

// arriving is the body of a request that is being received. A deadline applies from the first byte of the request. So no client can
// occupy a connection with a body that never arrives (threat: exhaustion):
//
//	request begins ── StrangerTime ──▶ its sender is known ── BodyTime ──▶ body is in, no deadline
//	                       └── or it is refused, or not wanted: Linger, then the connection ends
//
// net/http sets the first of them (Server.ReadTimeout), because it reads bodies itself before and after handlers.
type arriving struct {
	io.ReadCloser
	control *http.ResponseController

	mu sync.Mutex // a transport may still read when the handler has returned
	in bool       // it has arrived completely, or nobody reads the rest
	// over says that the request has ended. Deadlines must not be set after that: they would apply to the next request.
	over bool
}

type arrivingKey struct{}

// arrival gives a request a body with deadlines; done is called when the request is answered. Without a body the
// deadline is removed: net/http waits on the connection for the client to disconnect, and would take the deadline for
// that.
func (g *Guard) arrival(w http.ResponseWriter, r *http.Request) (_ *http.Request, done func()) {
	control := http.NewResponseController(w)
	if r.Body == nil || r.Body == http.NoBody {
		_ = control.SetReadDeadline(time.Time{}) // some ResponseWriters don't support deadlines
		return r, func() {}
	}
	b := &arriving{ReadCloser: r.Body, control: control}
	r = r.WithContext(context.WithValue(r.Context(), arrivingKey{}, b)) // a copy: net/http looks at the type of its own body
	r.Body = b
	return r, func() { b.endBody(g.opt.Linger) }
}

func arrivingOf(r *http.Request) *arriving {
	b, _ := r.Context().Value(arrivingKey{}).(*arriving)
	return b
}

// unread tells whether a part of the request's body may still arrive.
func unread(r *http.Request) bool {
	b := arrivingOf(r)
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.in
}

func (b *arriving) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.arrived()
	}
	return n, err
}

func (b *arriving) Close() error {
	err := b.ReadCloser.Close()
	if err == nil {
		b.arrived()
	}
	return err
}

// arrived removes the deadline.
func (b *arriving) arrived() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.in = true; !b.over {
		_ = b.control.SetReadDeadline(time.Time{})
	}
}

// within sets how long the rest may take.
func (b *arriving) within(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.in && !b.over {
		_ = b.control.SetReadDeadline(time.Now().Add(d))
	}
}

func (b *arriving) endBody(linger time.Duration) {
	b.within(linger)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
}

// hangUpIfUnread closes the connection after the response if a part of the body may still arrive. net/http reads on for a moment, so
// that a client that is still sending sees the response. Over HTTP/2 only the stream ends.
func (g *Guard) hangUpIfUnread(w http.ResponseWriter, r *http.Request) {
	if !unread(r) {
		return
	}
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
	arrivingOf(r).within(g.opt.Linger)
}

// boundBody refuses bodies that are too long, before any part of them is sent to the API server (threat: oversized input). A body of
// unknown length is first read up to the bound. So its length is known then.
func (g *Guard) boundBody(r *http.Request) Refusal {
	b := arrivingOf(r)
	if b == nil {
		return Refusal{}
	}
	if r.ContentLength > maxBody {
		return tooLong()
	}
	b.within(g.opt.BodyTime)
	if r.ContentLength > 0 {
		return Refusal{}
	}
	return known(r, maxBody)
}

func tooLong() Refusal {
	return hangUp(http.StatusRequestEntityTooLarge, "Request entity too large: limit is 3145728") // the API server's own words
}

// known reads the whole body, up to max bytes, and puts it back.
func known(r *http.Request, max int64) Refusal {
	body, err := io.ReadAll(io.LimitReader(r.Body, max+1))
	switch {
	case err != nil:
		return notIn(err)
	case int64(len(body)) > max:
		return tooLong()
	}
	r.ContentLength, r.TransferEncoding = int64(len(body)), nil
	r.Body = http.NoBody
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	return Refusal{}
}

// notIn says why a body could not be read.
func notIn(err error) Refusal {
	var slow interface{ Timeout() bool }
	if errors.As(err, &slow) && slow.Timeout() {
		return hangUp(http.StatusRequestTimeout, "The body of the request did not arrive in time. Send the request again.")
	}
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return hangUp(http.StatusRequestEntityTooLarge, "The body of the request is too long.")
	}
	return hangUp(http.StatusBadRequest, "Fieldmark can't read the body of the request.")
}
