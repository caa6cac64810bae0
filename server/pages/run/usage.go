package run

import (
	"context"
	"errors"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/server/rescue"
	"github.com/fieldmark/fieldmark/web/run/subject"
	"github.com/fieldmark/fieldmark/web/run/usage"
)

// usagePatience is how long the page waits for its first figures. The metrics API is another server, which may be down; the page says so, and in
// the browser it asks again.
const usagePatience = 2 * time.Second

// usage is the page of what a pod or a node uses, with the first figures.
func (v making) usage(s subject.Subject) usage.Model {
	m := usage.Model{Subject: s}
	asks := m.Asks()
	type response struct {
		body []byte
		err  error
	}
	responses := make([]response, len(asks))
	ctx, cancel := context.WithTimeout(v.Context(), usagePatience)
	defer cancel()
	var wg rescue.Group
	for i, ask := range asks {
		wg.Go(func() {
			answer, err := v.Client().Do(ctx, api.Request{Path: ask.Path})
			if responses[i].err = err; err == nil {
				responses[i].body = answer.Body
			}
		})
	}
	wg.Wait()
	for i, ask := range asks {
		if err := responses[i].err; err != nil {
			m = m.Refused(ask.ID, whyNoFigures(err))
			continue
		}
		m = m.Heard(ask.ID, responses[i].body)
	}
	return m
}

// whyNoFigures is why a request failed. Its code is 0 if the API server didn't respond.
func whyNoFigures(err error) status.Status {
	var answer *api.Error
	if errors.As(err, &answer) {
		return answer.Status
	}
	_, notice := visit.Explain(err)
	return status.Status{Message: notice.Title + "."}
}
