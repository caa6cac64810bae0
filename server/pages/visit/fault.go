package visit

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web/call"
)

// Explain returns a notice that says why a request failed, and the status code for the page.
func Explain(err error) (int, components.Notice) {
	var (
		refused     *api.Error
		unreachable *upstream.Unreachable
		problem     *cluster.Problem
		tooLarge    *api.TooLarge
	)
	switch {
	case errors.As(err, &refused):
		return pageStatus(refused.Status.Code), call.Unread(&refused.Status)
	case errors.As(err, &unreachable):
		return gatewayStatus(unreachable.Cause), components.Notice{
			Tone: components.Bad, Title: unreachableTitle(unreachable.Cause), Words: components.Sentence(unreachable.Text), Advice: unreachable.Advice,
		}
	case Pending(err):
		errors.As(err, &problem)
		return http.StatusServiceUnavailable, components.Notice{
			Tone: components.Busy, Title: "This cluster isn’t ready yet", Words: components.Sentence(problem.Text), Advice: problem.Advice,
		}
	case errors.As(err, &problem):
		return http.StatusBadGateway, components.Notice{
			Tone: components.Bad, Title: "Fieldmark can’t connect to this cluster", Words: components.Sentence(problem.Text), Advice: problem.Advice, Quoted: problem.Hint,
		}
	case errors.As(err, &tooLarge):
		return http.StatusBadGateway, components.Notice{
			Tone: components.Bad, Title: "The response is too large to show", Words: tooLargeWords(tooLarge),
			Advice: "Request fewer objects: use a selector, a namespace, or a smaller limit.",
		}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout, components.Notice{
			Tone: components.Warn, Title: "The request took too long", Words: "The request was canceled before the API server responded.",
		}
	default:
		return http.StatusBadGateway, components.Notice{
			Tone: components.Bad, Title: "Fieldmark can’t read the response", Words: components.Sentence(err.Error()),
		}
	}
}

func tooLargeWords(e *api.TooLarge) string {
	if e.Compressed {
		return fmt.Sprintf("The decompressed response is larger than %s.", components.Bytes(e.Limit))
	}
	return fmt.Sprintf("The response is larger than %s.", components.Bytes(e.Limit))
}

// Pending tells whether a cluster can't be asked because it is being compiled, or starting: it will be ready by itself.
func Pending(err error) bool {
	problem, ok := errors.AsType[*cluster.Problem](err)
	return ok && problem.Pending
}

// pageStatus is an API server's refusal as the page's own status. A redirect is not followed, and not passed on.
func pageStatus(code int) int {
	if code < http.StatusBadRequest {
		return http.StatusBadGateway
	}
	return code
}

func unreachableTitle(cause upstream.Cause) string {
	switch cause {
	case upstream.Untrusted:
		return "The API server’s certificate isn’t trusted"
	case upstream.Handshake, upstream.NotTLS:
		return "No encrypted connection to the API server"
	case upstream.Credentials:
		return "There are no credentials for this cluster"
	case upstream.Closed:
		return "The connection to the API server broke"
	default:
		return "The API server doesn’t respond"
	}
}

func gatewayStatus(cause upstream.Cause) int {
	if cause == upstream.Timeout {
		return http.StatusGatewayTimeout
	}
	return http.StatusBadGateway
}
