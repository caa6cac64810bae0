package run

import (
	"context"
	"errors"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
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
	ctx, cancel := context.WithTimeout(v.Context(), usagePatience)
	defer cancel()
	requests := make([]api.Request, len(asks))
	for i, ask := range asks {
		requests[i].Path = ask.Path
	}
	for i, r := range v.sendAll(ctx, requests) {
		if r.no != nil {
			m = m.Refused(asks[i].ID, *r.no)
			continue
		}
		m = m.Heard(asks[i].ID, r.body)
	}
	return m
}

// response is the body of a response, or why there is none.
type response struct {
	body []byte
	no   *status.Status
}

// sendAll sends requests at the same time. Their responses are in their order.
func (v making) sendAll(ctx context.Context, requests []api.Request) []response {
	all := make([]response, len(requests))
	var wg rescue.Group
	for i, r := range requests {
		wg.Go(func() {
			if answer, err := v.Client().Do(ctx, r); err != nil {
				all[i].no = new(whyNot(err))
			} else {
				all[i].body = answer.Body
			}
		})
	}
	wg.Wait()
	return all
}

// whyNot is why a request failed. Its code is 0 if the API server didn't respond.
func whyNot(err error) status.Status {
	var answer *api.Error
	if errors.As(err, &answer) {
		return answer.Status
	}
	_, notice := visit.Explain(err)
	return status.Status{Message: notice.Title + "."}
}
