package fleet

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// reviewsPath takes questions about one's own rights. Sharing asks such a question for each person and path, again and again.
const reviewsPath = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"

// readReviews reads questions about rights that people send through Fieldmark.
func (s *study) readReviews(ctx context.Context) error {
	lab.Say("questions about rights")
	return s.one(ctx, func(ctx context.Context, f *fleet) (err error) {
		through := lab.TargetAt("Fieldmark", f.public, "/clusters/"+lab.ContextName, "", s.lab.Plan.Connections)
		ask := func(ctx context.Context, p *person) error {
			mine := through
			mine.Token = p.token
			_, _, err := mine.Do(ctx, "POST", reviewsPath, strings.NewReader(fmt.Sprintf(
				`{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":{"namespace":%q,"verb":"watch","resource":"configmaps"}}}`, p.team)))
			return err
		}
		if err := lab.Each(ctx, s.company.people, ask); err != nil { // Fieldmark asks once whose token it is
			return err
		}
		t := &tally{}
		s.reviews, err = f.during(ctx, func(ctx context.Context) error {
			arrive(ctx, float64(s.people)/10, s.lab.Plan.Hold, func(ctx context.Context, i int, due time.Time) {
				t.addCall(due, ask(ctx, s.company.people[i%s.people]))
			})
			return t.first
		})
		s.reviewed = len(t.times)
		return err
	})
}
