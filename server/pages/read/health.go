package read

import (
	"context"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
)

const (
	// healthTime bounds the lists of the overview. A list that takes longer becomes a gap.
	healthTime = 4 * time.Second
	// healthBytes bounds each of them.
	healthBytes = 8 << 20
)

// health reads the lists of health.Sources at the same time, and summarizes them. A list that can't be read doesn't hide the others.
func (v making) health(catalog discovery.Catalog, namespace string) *health.Report {
	ctx, cancel := context.WithTimeout(v.Context(), healthTime)
	defer cancel()
	sources, left := health.Sources(catalog, namespace)
	lists, gaps := make([]*health.List, len(sources)), make([]health.Gap, len(sources))
	var wg rescue.Group
	for i, s := range sources {
		wg.Go(func() { lists[i], gaps[i] = v.healthOf(ctx, s, namespace) })
	}
	wg.Wait()
	var read []health.List
	var missing []health.Gap
	for i := range sources {
		if lists[i] == nil {
			missing = append(missing, gaps[i])
			continue
		}
		read = append(read, *lists[i])
	}
	r := health.Summarize(read, catalog, v.Now())
	r.Gaps = append(missing, r.Gaps...)
	r.Custom.Left = left
	return &r
}

func (v making) healthOf(ctx context.Context, s health.Source, namespace string) (*health.List, health.Gap) {
	gap := health.Gap{Resource: s.Type.FullName()}
	answer, err := v.Client().Do(ctx, api.Request{Path: s.Path(namespace), Accept: s.Accept(), MaxBytes: healthBytes})
	if err == nil {
		var list health.List
		if list, err = health.Read(s, answer.Body); err == nil {
			return &list, gap
		}
	}
	if gap.Forbidden = api.Code(err) == http.StatusForbidden; !gap.Forbidden {
		_, notice := visit.Explain(err)
		gap.Why = components.Sentence(notice.Title)
	}
	return nil, gap
}
