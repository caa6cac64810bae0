package upstream

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// attach gives the connection to the response's body, or back to the pool if there is no body.
func (x *exchange) attach(resp *http.Response) {
	keep := !resp.Close && !resp.Uncompressed
	if resp.Body == http.NoBody || resp.ContentLength == 0 {
		resp.Body = http.NoBody
		x.done(keep)
		return
	}
	resp.Body = &answer{x: x, body: resp.Body, keep: keep}
}

// done ends the exchange. The connection is reused only if no more bytes of this exchange can arrive on it.
func (x *exchange) done(keep bool) {
	if !x.release() || !keep || !x.allSent() || x.c.spoiled.Load() || x.c.r.Buffered() > 0 {
		x.c.close()
		return
	}
	x.c.uses++
	x.pool.put(x.c)
}

// sendGrace is how long the end of a response waits until the body of the request is sent. The server has received it already if it
// sent the whole response.
const sendGrace = 50 * time.Millisecond

func (x *exchange) allSent() bool {
	if x.sent == nil {
		return true
	}
	select {
	case <-x.sent:
		return x.sendErr == nil
	default:
	}
	patience := time.NewTimer(sendGrace)
	defer patience.Stop()
	select {
	case <-x.sent:
		return x.sendErr == nil
	case <-patience.C:
		return false
	}
}

// answer is a response body. If it is closed before its end, the connection is closed, too, because the rest may be long.
type answer struct {
	x    *exchange
	body io.Reader
	keep bool

	mu  sync.Mutex // Close may come from another goroutine than Read
	end error
}

var errClosedBody = errors.New("read on a closed response body")

// Read implements io.Reader.
func (a *answer) Read(p []byte) (int, error) {
	a.mu.Lock()
	end := a.end
	a.mu.Unlock()
	if end != nil {
		return 0, end
	}
	n, err := a.body.Read(p)
	if err != nil {
		err = a.finish(err)
	}
	return n, err
}

func (a *answer) finish(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.end != nil {
		return a.end
	}
	if err != io.EOF { //nolint:errorlint // io.Reader's contract is the bare value
		if cause := a.x.ctx.Err(); cause != nil {
			err = cause
		}
	}
	a.end = err
	a.x.done(a.keep && err == io.EOF) //nolint:errorlint // as above
	return err
}

// Close implements io.Closer.
func (a *answer) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.end == nil {
		a.end = errClosedBody
		a.x.done(false)
	}
	return nil
}
