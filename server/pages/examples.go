package pages

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/chunks"
	"github.com/fieldmark/fieldmark/web/lab/representations"
)

// ownedDeployment is a Deployment of the practice cluster that several managers own.
var ownedDeployment = apipath.Object("apps", "v1", "shop", "deployments", "storefront")

// exampleManifest conflicts on the practice cluster: argocd-controller owns the replicas of this Deployment there.
const exampleManifest = `# An example. argocd-controller owns the replicas of
# this Deployment. The preview writes nothing.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: storefront
  namespace: shop
spec:
  replicas: 5
`

// exampleOf is the manifest that the apply preview of a cluster begins with; empty: none. Only the practice cluster has one.
func exampleOf(c *cluster.Cluster) string {
	if c.Administers() {
		return exampleManifest
	}
	return ""
}

// anyObject is an object for the representations laboratory to begin with. Every cluster has it.
var anyObject = apipath.Object("", "v1", "", "namespaces", "default")

// compared makes the representations laboratory. Without a path in its address, it begins with an object that exists.
func compared(v *visit, f page.Frame) page.Page {
	query := v.request.URL.Query()
	if !query.Has(representations.QueryPath) {
		example := anyObject
		if v.cluster.Origin() == cluster.FromPractice {
			example = ownedDeployment
		}
		query.Set(representations.QueryPath, example.String())
	}
	return representations.New(f, query)
}

// someChunks is how many chunks the chunk stepper's first list has.
const someChunks = 4

// stepped makes the chunk stepper. Without a path and a limit in its address, it begins with a collection of several chunks.
func (p *Pages) stepped(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	query := r.URL.Query()
	lab(p, func(_ *visit, s page.Frame) page.Page {
		m := chunks.Parse(query)
		m.Frame = s.With(m.Problem)
		m.Shell.Path.Namespace = m.Target.Path.Namespace
		return m
	}, func(v *visit) {
		if !query.Has(chunks.QueryPath) && !query.Has(chunks.QueryLimit) {
			v.several(query)
		}
	})(w, r, slug, tool)
}

// several chooses a collection and a limit that is smaller than the collection. It sends one request, or a second one if there are few
// Pods: every cluster has many ClusterRoles.
func (v *visit) several(query url.Values) {
	for _, path := range []string{chunks.UsualPath, apipath.Collection("rbac.authorization.k8s.io", "v1", "", "clusterroles").String()} {
		body, err := v.get(path+"?limit=1", asMetadata)
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
