package api

import (
	"errors"
	"net/http"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// StatusOf reads a request's error as a Status. If the API server refused, that is its own Status. Otherwise the error's text is the
// message: errors say with a method HTTPStatus which code they mean, and any other error means that no response came. The code is
// never 0.
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

// HTTPStatus is the code that a TooLarge means to clients.
func (e *TooLarge) HTTPStatus() int { return http.StatusRequestEntityTooLarge }

// HTTPStatus is the code that a BadRequest means to clients.
func (e *BadRequest) HTTPStatus() int { return http.StatusBadRequest }

// HTTPStatus is the code that a BadAnswer means to clients.
func (e *BadAnswer) HTTPStatus() int { return http.StatusBadGateway }
