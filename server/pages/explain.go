package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// explain words why a request brought nothing, with the HTTP status that the page is to have.
func explain(err error) (int, components.Notice) {
	var (
		refused     *api.Error
		unreachable *upstream.Unreachable
		problem     *cluster.Problem
		tooLarge    *api.TooLarge
	)
	switch {
	case errors.As(err, &refused):
		return pageStatus(refused.Status.Code), refusal(refused.Status)
	case errors.As(err, &unreachable):
		return gatewayStatus(unreachable.Cause), components.Notice{
			Tone: components.Bad, Title: unreachableTitle(unreachable.Cause), Words: components.Sentence(unreachable.Text), Advice: unreachable.Advice,
		}
	case errors.As(err, &problem):
		return http.StatusBadGateway, components.Notice{
			Tone: components.Bad, Title: "This cluster cannot be asked", Words: components.Sentence(problem.Text), Advice: problem.Advice, Quoted: problem.Hint,
		}
	case errors.As(err, &tooLarge):
		return http.StatusBadGateway, components.Notice{
			Tone: components.Bad, Title: "The answer is too large to show", Words: tooLarge.Error(),
			Advice: "Ask for less: a selector, a namespace, or a smaller limit.",
		}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout, components.Notice{
			Tone: components.Warn, Title: "It took too long", Words: "The request was given up before the API server answered.",
		}
	default:
		return http.StatusBadGateway, components.Notice{
			Tone: components.Bad, Title: "The answer could not be read", Words: err.Error(),
		}
	}
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
		return "The API server cannot prove who it is"
	case upstream.Handshake, upstream.NotTLS:
		return "No encrypted connection to the API server"
	case upstream.Credentials:
		return "There are no credentials to ask with"
	case upstream.Closed:
		return "The connection to the API server broke"
	default:
		return "The API server does not answer"
	}
}

func gatewayStatus(cause upstream.Cause) int {
	if cause == upstream.Timeout {
		return http.StatusGatewayTimeout
	}
	return http.StatusBadGateway
}

// refusal words an API server's no. Its own sentence is always quoted.
func refusal(s status.Status) components.Notice {
	n := components.Notice{Tone: components.Warn, Quoted: s.Message, Why: why.Refusal(&s)}
	switch {
	case s.Code == http.StatusForbidden:
		n.Title, n.Words = denied(s)
		n.Advice = "Whoever administers the cluster’s roles can grant it."
	case s.Code == http.StatusUnauthorized:
		n.Title = "The API server does not accept these credentials"
		n.Words = "They may have expired, or belong to another cluster."
		n.Advice = "Renew the context’s credentials as your provider describes it, then reload."
	case s.Code == http.StatusNotFound:
		n.Title, n.Words = "Not found", "The API server has nothing at this path."
	case s.Code == http.StatusGone:
		n.Title = "This chunk is not to be had any more"
		n.Words = "The token that names the next chunk belongs to a snapshot that the server has compacted since."
		n.Advice = "Start the list anew: it will show the collection as it is now."
	case s.Code == http.StatusBadRequest:
		n.Title, n.Words = "The API server cannot read the request", "Something in the address, such as a selector, is malformed."
	case s.Code == http.StatusTooManyRequests:
		n.Title, n.Words, n.Advice = "The API server is busy", "It asks to be left alone for a moment.", retryAdvice(s)
	case s.Code >= http.StatusInternalServerError:
		n.Tone = components.Bad
		n.Title, n.Words = "The API server failed", fmt.Sprintf("It answered with status %d.", s.Code)
		n.Advice = retryAdvice(s)
	default:
		n.Title, n.Words = "The API server refused", fmt.Sprintf("It answered with status %d.", s.Code)
	}
	return n
}

func retryAdvice(s status.Status) string {
	if s.RetryAfterSeconds > 0 {
		return fmt.Sprintf("Try again in %d s.", s.RetryAfterSeconds)
	}
	return "Try again in a moment."
}

// denied words a 403 by what is missing, where the server tells.
func denied(s status.Status) (title, words string) {
	d, ok := s.Denied()
	if !ok || d.Verb == "" {
		return "Not allowed", "You may not see this."
	}
	what := d.Path
	if d.Resource != "" {
		what = d.Resource
		if d.Subresource != "" {
			what += "/" + d.Subresource
		}
		if d.Group != "" {
			what += "." + d.Group
		}
	}
	where := ""
	switch {
	case d.Namespace != "":
		where = " in the namespace " + d.Namespace
	case d.ClusterScope:
		where = " across the cluster"
	}
	return fmt.Sprintf("You may not %s %s%s", d.Verb, what, where),
		fmt.Sprintf("%s lacks the permission for the verb %q on %s.", orYou(d.User), d.Verb, what)
}

func orYou(user string) string {
	if user == "" {
		return "Your user"
	}
	return "The user " + user
}

// similar are types whose names share a beginning or a piece with the word, best first, at most five.
func similar(catalog discovery.Catalog, word string) []discovery.Type {
	word = strings.ToLower(word)
	var close []discovery.Type
	for n := len(word); n >= 3 && len(close) == 0; n-- {
		for _, t := range catalog.Listable() {
			if strings.Contains(t.Resource, word[:n]) && len(close) < 5 {
				close = append(close, t)
			}
		}
	}
	return close
}
