package reference

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// GroupResource names a type without its version.
type GroupResource struct{ Group, Resource string }

var (
	// users are types whose objects run pods, and so use configuration, volumes and accounts.
	users = []GroupResource{{"apps", "deployments"}, {"apps", "statefulsets"}, {"apps", "daemonsets"}, {"batch", "cronjobs"}, {"batch", "jobs"}, {"", "pods"}}
	// selectors are types whose objects select pods, and don't own them.
	selectors = []GroupResource{{"", "services"}, {"policy", "poddisruptionbudgets"}, {"networking.k8s.io", "networkpolicies"}}

	referrers = map[GroupResource][]GroupResource{
		{"", "configmaps"}:                   users,
		{"", "secrets"}:                      append(slices.Clone(users), GroupResource{"networking.k8s.io", "ingresses"}, GroupResource{"", "serviceaccounts"}),
		{"", "serviceaccounts"}:              users,
		{"", "persistentvolumeclaims"}:       users,
		{"", "services"}:                     {{"networking.k8s.io", "ingresses"}, {"apps", "statefulsets"}},
		{"", "persistentvolumes"}:            {{"", "persistentvolumeclaims"}},
		{"storage.k8s.io", "storageclasses"}: {{"", "persistentvolumeclaims"}},
		{"apps", "deployments"}:              selectors,
		{"apps", "replicasets"}:              selectors,
		{"apps", "statefulsets"}:             selectors,
		{"apps", "daemonsets"}:               selectors,
		{"batch", "jobs"}:                    selectors,
		{"", "pods"}:                         selectors,
		{"", "replicationcontrollers"}:       selectors,
	}
)

// Referrers are the types whose objects usually refer to an object of a type. A type that is scaled also has autoscalers.
func Referrers(of GroupResource, scaled bool) []GroupResource {
	all := slices.Clone(referrers[of])
	if scaled {
		all = append(all, GroupResource{"autoscaling", "horizontalpodautoscalers"})
	}
	return all
}

// PodLabels are the labels of the pods that an object is or makes; nil if there are none.
func PodLabels(root *manifest.Node) map[string]string {
	metadata := root.Field("metadata")
	if stringField(root, "kind") != "Pod" || stringField(root, "apiVersion") != "v1" {
		metadata = down(root, "spec", "template", "metadata")
	}
	n := down(metadata, "labels")
	if n == nil {
		return nil
	}
	all := map[string]string{}
	for _, child := range n.Children {
		if value, ok := child.Value.(string); ok && child.Index < 0 {
			all[child.Key] = value
		}
	}
	return all
}

// down is the field at the end of a path; nil if there is none.
func down(n *manifest.Node, path ...string) *manifest.Node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		n = n.Field(name)
	}
	return n
}

// Refers tells whether a document refers to the object at a path, or selects pods with these labels in the namespace of the path. The kind is
// that of the object.
func Refers(root *manifest.Node, to apipath.Path, kind Kind, podLabels map[string]string) bool {
	if _, selector, ok := PodSelector(root); ok && len(podLabels) > 0 && selector.Selects(podLabels) && !owns(root) {
		return true
	}
	for _, found := range Find(root, []Kind{kind}) {
		p := found.Path
		if found.Selector == "" && p.Group == to.Group && p.Resource == to.Resource && p.Namespace == to.Namespace && p.Name == to.Name {
			return true
		}
	}
	return false
}

// owns tells whether a document has a template of pods, so that it owns the pods that it selects.
func owns(root *manifest.Node) bool { return down(root, "spec", "template") != nil }
