package relay

import (
	"context"
	"errors"
	"net/http"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// maxReview bounds the response to a review, in bytes.
const maxReview = 1 << 20

// errPanicked is the error of a check that panicked. It has no answer.
var errPanicked = errors.New("Fieldmark had an internal error; its log has the details") //nolint:staticcheck // a name begins it

// review asks the API server whether a session may watch and list a source, with the session's own credentials. It asks the authorizer
// (SelfSubjectAccessReview), because that costs the same for collections of any size. An error says that it may not, or why nobody knows.
func (r *Relay) review(ctx context.Context, s follow.Source) error {
	client, err := r.following.Client(ctx, s, wiretap.Check)
	if err != nil {
		return err
	}
	for _, of := range access.Following(s.Question.Collection, s.Question.Selectors) {
		answer, err := client.Do(ctx, api.Request{
			Method: http.MethodPost, Path: access.ReviewPath, Accept: accept.JSON, ContentType: accept.JSON, Body: of.Review(), MaxBytes: maxReview,
		})
		if err != nil {
			return err
		}
		said, ok := access.ParseReview(answer.Body)
		switch {
		case !ok:
			return &api.BadAnswer{Why: "it is no SelfSubjectAccessReview"}
		case said.Allowed && !said.Denied:
		case said.Error != "":
			return &api.BadAnswer{Why: said.Error}
		default:
			return notAllowed{}
		}
	}
	return nil
}

// notAllowed is the error if the API server would refuse the session's own requests.
type notAllowed struct{}

func (notAllowed) Error() string { return "the API server doesn't allow it" }

// HTTPStatus is the code of such a refusal.
func (notAllowed) HTTPStatus() int { return http.StatusForbidden }
