// Package reference finds the objects that an object refers to, by name or by a selector.
//
//	spec:
//	  nodeName: n1                     → /api/v1/nodes/n1
//	  serviceAccountName: robot        → …/serviceaccounts/robot
//	  volumes:
//	  - configMap: {name: settings}    → …/configmaps/settings
//	metadata:
//	  ownerReferences:
//	  - {apiVersion: apps/v1, kind: ReplicaSet, name: web-1}   → the type's resource must be known
//	spec:                          # of a Deployment or another type that is known to select pods
//	  selector:
//	    matchLabels: {app: web}    → …/pods?labelSelector=app=web
//
// The API has no mark for a reference, so the names of fields decide. A reference leads to a path, and the object may not exist.
package reference

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Kind tells where the objects of a kind are.
type Kind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	Namespaced bool   `json:"namespaced,omitempty"`
}

// byField are the fields whose text is the name of an object.
var byField = lazy.Value[map[string]Kind]{Make: func() map[string]Kind {
	return map[string]Kind{
		"nodeName":           {Resource: "nodes"},
		"serviceAccountName": {Resource: "serviceaccounts", Namespaced: true},
		"claimName":          {Resource: "persistentvolumeclaims", Namespaced: true},
		"secretName":         {Resource: "secrets", Namespaced: true},
		"serviceName":        {Resource: "services", Namespaced: true},
		"volumeName":         {Resource: "persistentvolumes"},
		"storageClassName":   {APIVersion: "storage.k8s.io/v1", Resource: "storageclasses"},
	}
}}

// byParent are the fields with a map, or a list of maps, whose name is the name of an object.
var byParent = lazy.Value[map[string]Kind]{Make: func() map[string]Kind {
	return map[string]Kind{
		"configMapRef":     {Resource: "configmaps", Namespaced: true},
		"configMapKeyRef":  {Resource: "configmaps", Namespaced: true},
		"configMap":        {Resource: "configmaps", Namespaced: true},
		"secretRef":        {Resource: "secrets", Namespaced: true},
		"secretKeyRef":     {Resource: "secrets", Namespaced: true},
		"secret":           {Resource: "secrets", Namespaced: true},
		"service":          {Resource: "services", Namespaced: true},
		"imagePullSecrets": {Resource: "secrets", Namespaced: true},
	}
}}

// byKind are the fields with a map, or a list of maps, that names an object by its apiVersion, its kind and its name.
var byKind = []string{"ownerReferences", "scaleTargetRef", "involvedObject", "regarding", "related", "targetRef", "claimRef"}

// free are the fields whose keys users choose, so that the keys tell nothing. managedFields has field names as keys, too.
var free = []string{"data", "binaryData", "annotations", "labels", "managedFields", "matchLabels", "nodeSelector"}

// known are kinds that objects without an apiVersion in their references mean.
var known = []Kind{
	{"v1", "Pod", "pods", true},
	{"v1", "Node", "nodes", false},
	{"v1", "PersistentVolumeClaim", "persistentvolumeclaims", true},
}

// canBeName tells whether a text can be the name of an object of any type.
func canBeName(text string) bool { return len(text) <= 253 && apipath.Unfit(text) == "" }

// Target is what a reference leads to: an object, or the objects of a collection with certain labels.
type Target struct {
	Path     apipath.Path
	Selector string // the label selector of a collection; empty: the target is an object
}

// Find returns the references of a document, by the node with the name or with a part of the selector. Kinds are what is known about the
// kinds that it names.
func Find(root *manifest.Node, kinds []Kind) map[*manifest.Node]Target {
	namespace := ""
	if metadata := root.Field("metadata"); metadata != nil {
		namespace = stringField(metadata, "namespace")
	}
	found := map[*manifest.Node]Target{}
	if n, selector, ok := PodSelector(root); ok && canBeName(namespace) {
		to := Target{Path: apipath.Collection("", "v1", namespace, "pods"), Selector: selector.String()}
		visit(n, func(n *manifest.Node) {
			if _, ok := n.Value.(string); ok {
				found[n] = to
			}
		})
	}
	walk(root, func(n *manifest.Node) {
		if name, ok := n.Value.(string); !ok || !canBeName(name) {
			return
		}
		if path, ok := target(n, namespace, kinds); ok {
			found[n] = Target{Path: path}
		}
	})
	return found
}

// visit visits a node and all nodes below it.
func visit(n *manifest.Node, do func(*manifest.Node)) {
	do(n)
	for _, child := range n.Children {
		visit(child, do)
	}
}

// Named are the kinds that the references of a document name, each with its APIVersion and its Kind only.
func Named(root *manifest.Node) []Kind {
	var all []Kind
	seen := map[Kind]bool{}
	walk(root, func(n *manifest.Node) {
		k := Kind{APIVersion: stringField(n, "apiVersion"), Kind: stringField(n, "kind")}
		if k.Kind != "" && slices.Contains(byKind, field(n)) && !seen[k] {
			all, seen[k] = append(all, k), true
		}
	})
	return all
}

func walk(n *manifest.Node, do func(*manifest.Node)) {
	do(n)
	for _, child := range n.Children {
		if child.Index >= 0 || !slices.Contains(free, child.Key) {
			walk(child, do)
		}
	}
}

// target is the path that a text refers to.
func target(n *manifest.Node, namespace string, kinds []Kind) (apipath.Path, bool) {
	name := n.Value.(string)
	if k, ok := byField.Get()[n.Key]; ok {
		return k.path(cmp.Or(k.APIVersion, "v1"), namespace, name), k.in(namespace)
	}
	if n.Key != "name" || n.Parent == nil {
		return apipath.Path{}, false
	}
	if own := stringField(n.Parent, "namespace"); own != "" {
		namespace = own
	}
	if k, ok := byParent.Get()[field(n.Parent)]; ok {
		return k.path("v1", namespace, name), k.in(namespace)
	}
	if !slices.Contains(byKind, field(n.Parent)) {
		return apipath.Path{}, false
	}
	version, kind := stringField(n.Parent, "apiVersion"), stringField(n.Parent, "kind")
	if version == "" {
		version = "v1"
	}
	for _, k := range append(slices.Clone(kinds), known...) {
		if k.Kind == kind && k.APIVersion == version && k.in(namespace) {
			return k.path(version, namespace, name), true
		}
	}
	return apipath.Path{}, false
}

// in tells whether objects of the kind can be in a namespace. It must have a name, unless the kind has no namespace.
func (k Kind) in(namespace string) bool { return !k.Namespaced || canBeName(namespace) }

func (k Kind) path(apiVersion, namespace, name string) apipath.Path {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group, version = "", apiVersion
	}
	if !k.Namespaced {
		namespace = ""
	}
	return apipath.Object(group, version, namespace, k.Resource, name)
}

// field is the name of the field that a map is in, directly or in a list.
func field(n *manifest.Node) string {
	if n.Index >= 0 && n.Parent != nil {
		return n.Parent.Key
	}
	return n.Key
}

func stringField(n *manifest.Node, name string) string {
	f := n.Field(name)
	if f == nil {
		return ""
	}
	s, _ := f.Value.(string)
	return s
}
