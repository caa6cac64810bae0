package relay

import (
	"errors"
	"net/http"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
)

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
