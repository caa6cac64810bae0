package pages

import (
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/representations"
)

// anyObject is an object for the representations laboratory to begin with. Every cluster has it.
var anyObject = apipath.Object("", "v1", "", "namespaces", "default")

// representations makes the representations laboratory. Without a path in its address, it begins with an object that exists.
func (v *visit) representations() (page.Page, error) {
	query := v.request.URL.Query()
	if !query.Has(representations.QueryPath) {
		example := anyObject
		if v.cluster.Origin() == cluster.FromPractice {
			example = ownedDeployment
		}
		query.Set(representations.QueryPath, example.String())
	}
	if err := v.loadSurroundings(); err != nil {
		return nil, err
	}
	return representations.New(v.frame(), query), nil
}
