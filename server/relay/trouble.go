package relay

import (
	"errors"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// trouble is why pages hear nothing of what they follow.
type trouble struct {
	why   status.Status
	sign  time.Time // the last sign of life of the API server
	retry time.Time // of the next attempt; past or zero: one is under way
}

// message tells a page, as it is now. The page's clock may be another, so it hears how long ago, and not when.
func (t *trouble) message(now time.Time) wire.Message {
	why := t.why
	return wire.Message{
		Type: wire.Waiting, Status: &why,
		RetryMillis: max(0, t.retry.Sub(now)).Milliseconds(), SilentMillis: max(0, now.Sub(t.sign)).Milliseconds(),
	}
}

// statusOf is a request's error as a Status: the API server's own, or one in our words where none came. Its
// code is never 0.
func statusOf(err error) status.Status {
	if refused, ok := errors.AsType[*api.Error](err); ok {
		return refused.Status
	}
	if large, ok := errors.AsType[*api.TooLarge](err); ok {
		return told(http.StatusRequestEntityTooLarge, large.Error())
	}
	if bad, ok := errors.AsType[*api.BadRequest](err); ok {
		return told(http.StatusBadRequest, bad.Error())
	}
	if unread, ok := errors.AsType[*unreadable](err); ok {
		return told(http.StatusBadGateway, unread.Error())
	}
	if bad, ok := errors.AsType[*api.BadAnswer](err); ok {
		return told(http.StatusBadGateway, bad.Error())
	}
	var known interface {
		error
		HTTPStatus() int
	}
	if !errors.As(err, &known) {
		known = upstream.Unreach(err)
	}
	if out, ok := known.(*upstream.Unreachable); ok {
		return told(out.HTTPStatus(), out.Words())
	}
	return told(known.HTTPStatus(), known.Error())
}

// told is a Status in our own words.
func told(code int, words string) status.Status { return status.Parse(code, []byte(words)) }

// unreadable is an answer that makes no sense. Its text may quote the answer.
type unreadable struct{ err error }

func (u *unreadable) Error() string {
	return "the API server's answer makes no sense: " + u.err.Error()
}

func (u *unreadable) Unwrap() error { return u.err }
