package lab

import (
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/chunks"
)

// someChunks is how many chunks the chunk stepper's first list has.
const someChunks = 4

// chunks makes the chunk stepper. Without a path and a limit in its address, it begins with a collection of several chunks.
func (v making) chunks() (page.Page, error) {
	query := v.Request().URL.Query()
	var needs []func()
	if !query.Has(chunks.QueryPath) && !query.Has(chunks.QueryLimit) {
		needs = append(needs, func() { v.several(query) })
	}
	if err := v.LoadSurroundings(needs...); err != nil {
		return nil, err
	}
	m := chunks.Parse(query)
	m.Frame = v.Frame().With(m.Problem)
	m.Shell.Path.Namespace = m.Target.Path.Namespace
	return m, nil
}

// several chooses a collection and a limit that is smaller than the collection. It sends one request, or a second one if there are few
// Pods: every cluster has many ClusterRoles.
func (v making) several(query url.Values) {
	for _, path := range []string{chunks.UsualPath, apipath.Collection("rbac.authorization.k8s.io", "v1", "", "clusterroles").String()} {
		body, err := v.Get(path+"?limit=1", visit.AsMetadata)
		if err != nil {
			continue
		}
		first, err := chunk.Parse(body)
		if err != nil || first.Remaining == nil {
			continue
		}
		if all := *first.Remaining + int64(len(first.Items)); all >= 2*someChunks {
			query.Set(chunks.QueryPath, path)
			query.Set(chunks.QueryLimit, strconv.FormatInt(min((all+someChunks-1)/someChunks, chunks.UsualLimit), 10))
			return
		}
	}
}
