package lab

import (
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/representations"
)

// anyObject is an object for the representations laboratory to begin with. Every cluster has it.
var anyObject = apipath.Object("", "v1", "", "namespaces", "default")

// representations makes the representations laboratory. Without a path in its address, it begins with an object that exists.
func (v making) representations() (page.Page, error) {
	query := v.Request().URL.Query()
	if !query.Has(representations.QueryPath) {
		example := anyObject
		if v.Cluster().Origin() == cluster.FromPractice {
			example = visit.OwnedDeployment()
		}
		query.Set(representations.QueryPath, example.String())
	}
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	return representations.New(v.Frame(), query), nil
}
