package visit

import (
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/cluster"
)

// OwnedDeployment is a Deployment of the practice cluster that several managers own.
func OwnedDeployment() apipath.Path {
	return apipath.Object("apps", "v1", "shop", "deployments", "storefront")
}

// exampleManifest conflicts on the practice cluster: another manager owns the replicas of this Deployment there, at first argocd-controller.
const exampleManifest = `# An example. Another manager owns the
# replicas of this Deployment. The preview
# writes nothing.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: storefront
  namespace: shop
spec:
  replicas: 5
`

// ExampleManager is the field manager of the example. The reader's own one may own the field already, and then the example would not conflict.
const ExampleManager = "example"

// ExampleOf is the manifest that the apply preview of a cluster begins with; empty: none. Only the practice cluster has one.
func ExampleOf(c *cluster.Cluster) string {
	if c.Administers() {
		return exampleManifest
	}
	return ""
}
