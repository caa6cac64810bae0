package api

import (
	"errors"
	"net/http"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// StatusOf reads a request's error as a Status. If the API server refused the request, it is the API server's Status.
// Otherwise the message is the error's text, and the code is that of the error's method HTTPStatus. An error without this method
// means that no response arrived. The code is never 0.
func StatusOf(err error) status.Status {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused.Status
	}
	var known interface {
		error
		HTTPStatus() int
	}
	if !errors.As(err, &known) {
		known = upstream.Unreach(err)
	}
	words := known.Error()
	if out, ok := known.(*upstream.Unreachable); ok {
		words = out.Words()
	}
	return status.Parse(known.HTTPStatus(), []byte(words))
}

// HTTPStatus is the status code that clients get for this error: 413.
func (e *TooLarge) HTTPStatus() int { return http.StatusRequestEntityTooLarge }

// HTTPStatus is the status code that clients get for this error: 400.
func (e *BadRequest) HTTPStatus() int { return http.StatusBadRequest }

// HTTPStatus is the status code that clients get for this error: 502.
func (e *BadAnswer) HTTPStatus() int { return http.StatusBadGateway }
