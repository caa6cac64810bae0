package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// reviewsPath takes questions about one's own rights. Sharing asks such a question for each person and path, again and again.
const reviewsPath = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"

// readReviews reads questions about rights that people send through Fieldmark.
func (s *study) readReviews(ctx context.Context) error {
	say("questions about rights")
	return s.one(ctx, func(ctx context.Context, f *fleet) (err error) {
		through := httpTarget("Fieldmark", f.public, "/clusters/"+contextName, "", s.lab.plan.connections)
		ask := func(ctx context.Context, p *person) error {
			mine := through
			mine.token = p.token
			_, _, err := mine.do(ctx, "POST", reviewsPath, strings.NewReader(fmt.Sprintf(
				`{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":{"namespace":%q,"verb":"watch","resource":"configmaps"}}}`, p.team)))
			return err
		}
		if err := each(ctx, s.company.people, ask); err != nil { // Fieldmark asks once whose token it is
			return err
		}
		t := &tally{}
		s.reviews, err = f.during(ctx, func(ctx context.Context) error {
			arrive(ctx, float64(s.people)/10, s.lab.plan.hold, func(ctx context.Context, i int, due time.Time) {
				t.addCall(due, ask(ctx, s.company.people[i%s.people]))
			})
			return t.first
		})
		s.reviewed = len(t.times)
		return err
	})
}
