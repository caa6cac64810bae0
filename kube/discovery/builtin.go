package discovery

import "slices"

// builtIn are the groups with which Kubernetes 1.37 and earlier come.
var builtIn = []string{
	"", "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps", "authentication.k8s.io", "authorization.k8s.io",
	"autoscaling", "batch", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "extensions",
	"flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io", "policy", "rbac.authorization.k8s.io",
	"resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}

// BuiltIn tells whether a group is one of Kubernetes itself, which the API server serves from its own storage. Custom resources aren't built
// in, and neither are the groups of aggregated API servers.
func BuiltIn(group string) bool { return slices.Contains(builtIn, group) }
