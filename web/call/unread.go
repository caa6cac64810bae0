package call

import (
	"fmt"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Unread says why there is nothing to read, where a page should be. The API server's own sentence is always quoted.
func Unread(s *status.Status) components.Notice {
	n := components.Notice{Tone: components.Warn, Quoted: s.Message, Why: why.Refusal(s), Refused: s.Told}
	switch {
	case s.Code == 403:
		n.Title, n.Words = denied(s)
		n.Advice = "Whoever administers the cluster’s roles can grant it."
	case s.Code == 401:
		n.Title = "The API server does not accept these credentials"
		n.Words = "They may have expired, or belong to another cluster."
		n.Advice = "Renew the context’s credentials as your provider describes it, then reload."
	case s.Code == 404:
		n.Title, n.Words = "Not found", "The API server has nothing at this path."
	case s.Code == 410:
		n.Title = "This chunk is not to be had any more"
		n.Words = "The token that names the next chunk belongs to a snapshot that the server has compacted since."
		n.Advice = "Start the list anew: it will show the collection as it is now."
	case s.Code == 400:
		n.Title, n.Words = "The API server cannot read the request", "Something in the address, such as a selector, is malformed."
	case s.Code == 429:
		n.Title, n.Words, n.Advice = "The API server is busy", "It asks to be left alone for a moment.", retryAdvice(s)
	case s.Code >= 500:
		n.Tone = components.Bad
		n.Title, n.Words = "The API server failed", fmt.Sprintf("It answered with status %d.", s.Code)
		n.Advice = retryAdvice(s)
	default:
		n.Title, n.Words = "The API server refused", fmt.Sprintf("It answered with status %d.", s.Code)
	}
	return n
}

func retryAdvice(s *status.Status) string {
	if s.RetryAfterSeconds > 0 {
		return fmt.Sprintf("Try again in %d s.", s.RetryAfterSeconds)
	}
	return "Try again in a moment."
}

// denied words a 403 by what is missing, where the server tells.
func denied(s *status.Status) (title, words string) {
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
