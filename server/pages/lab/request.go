package lab

import (
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/request"
)

// requestPage is the page on which a request of one's own is sent.
func (v making) requestPage() (page.Page, error) {
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	return request.Model{Frame: v.Frame(), Draft: draft.Parse(v.Request().URL.Query()), Practice: v.Cluster().Origin() == cluster.FromPractice}, nil
}
