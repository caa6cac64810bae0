package guard

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"
)

// maxBody is the API server's own bound for a request body.
const maxBody = 3 << 20

// bodyDeadline bounds how long a client may take to send a body, so that slow ones don't pile up (case 20).
const bodyDeadline = time.Minute

// boundBody refuses bodies that are too long before one byte of them goes upstream (case 19). A body of unknown
// length is read up to the bound first, which makes its length known.
func boundBody(w http.ResponseWriter, r *http.Request) refusal {
	if r.Body == nil || r.Body == http.NoBody {
		return refusal{}
	}
	if r.ContentLength > maxBody {
		return tooLong()
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyDeadline)) // not every ResponseWriter can
	if r.ContentLength > 0 {
		r.Body = &timedBody{r.Body, control}
		return refusal{}
	}
	return known(r, maxBody, control)
}

func tooLong() refusal {
	return hangUp(http.StatusRequestEntityTooLarge, "Request entity too large: limit is 3145728") // the API server's own words
}

// known reads the whole body, up to max bytes, and puts it back.
func known(r *http.Request, max int64, control *http.ResponseController) refusal {
	body, err := io.ReadAll(io.LimitReader(r.Body, max+1))
	switch {
	case err != nil:
		return unread(err)
	case int64(len(body)) > max:
		return tooLong()
	}
	_ = control.SetReadDeadline(time.Time{})
	r.ContentLength, r.TransferEncoding = int64(len(body)), nil
	r.Body = http.NoBody
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	return refusal{}
}

func unread(err error) refusal {
	var slow interface{ Timeout() bool }
	if errors.As(err, &slow) && slow.Timeout() {
		return hangUp(http.StatusRequestTimeout, "The body did not arrive in time.")
	}
	return hangUp(http.StatusBadRequest, "The body could not be read.")
}

// timedBody lifts the deadline once the body is in: from then on net/http waits on the connection for the client to
// go away, and a deadline would look like that.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

func (b *timedBody) Close() error {
	_ = b.control.SetReadDeadline(time.Time{})
	return b.ReadCloser.Close()
}
