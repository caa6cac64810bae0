package call

import (
	"fmt"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Unread explains a refusal that is shown instead of a page. It always quotes the API server's message.
func Unread(s *status.Status) components.Notice {
	if s.SignedOut() {
		return signedOut(s)
	}
	n := components.Notice{Tone: components.Warn, Quoted: s.Message, Why: why.Refusal(s), Refused: s.Told}
	switch {
	case s.Code == 403:
		n.Title, n.Words = denied(s)
		n.Advice = "Ask an administrator of the cluster for this permission."
	case s.Code == 401:
		n.Title = "The API server doesn’t accept these credentials"
		n.Words = "The credentials have expired, or they belong to another cluster."
		n.Advice = "Renew the credentials of the context as your provider describes it. Then reload this page."
	case s.Code == 404:
		n.Title, n.Words = "Not found", "The API server has nothing at this path."
	case s.Code == 410:
		n.Title = "This chunk has expired"
		n.Words = "The continue token belongs to a snapshot that the server has deleted."
		n.Advice = "Start the list again. It shows the collection as it is now."
	case s.Code == 400:
		n.Title, n.Words = "The API server can’t read the request", "A part of the address is malformed, for example a selector."
	case s.Code == 429:
		n.Title, n.Words, n.Advice = "The API server is busy", "The API server accepts no more requests for a moment.", retryAdvice(s)
	case s.Code >= 500:
		n.Tone = components.Bad
		n.Title, n.Words = "The API server failed", fmt.Sprintf("The response has status code %d.", s.Code)
		n.Advice = retryAdvice(s)
	default:
		n.Title, n.Words = "The API server refused the request", fmt.Sprintf("The response has status code %d.", s.Code)
	}
	return n
}

func retryAdvice(s *status.Status) string {
	if s.RetryAfterSeconds > 0 {
		return fmt.Sprintf("Try again in %d s.", s.RetryAfterSeconds)
	}
	return "Try again in a moment."
}

// denied explains a 403 by the missing permission, if the server names it.
func denied(s *status.Status) (title, words string) {
	d, ok := s.Denied()
	if !ok || d.Verb == "" {
		return "Not allowed", "You don’t have permission to see this."
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
		where = " in the whole cluster"
	}
	return fmt.Sprintf("You don’t have permission to %s %s%s", d.Verb, what, where),
		fmt.Sprintf("%s doesn’t have permission for the verb %q on %s.", orYou(d.User), d.Verb, what)
}

func orYou(user string) string {
	if user == "" {
		return "Your user"
	}
	return "The user " + user
}
