// Package apipath reads and builds the paths of the Kubernetes API.
//
// A path has either one meaning here, or none: Parse refuses a path that servers and proxies could read in different ways. So the path that
// permissions are checked for is, byte for byte, the path that is sent to the API server.
//
//	/apis/apps/v1/namespaces/shop/deployments/web/scale
//	      │    │             │    │           │   └ Subresource
//	      │    │             │    │           └ Name
//	      │    │             │    └ Resource
//	      │    │             └ Namespace
//	      │    └ Version
//	      └ Group
package apipath

import "strings"

// Kind is what a path addresses.
type Kind int

// The kinds of paths, from the root of the API down to subresources.
const (
	KindRoot        Kind = iota // /
	KindGroupList               // /apis
	KindDiscovery               // /api, /api/v1, /apis/{group}, /apis/{group}/{version}
	KindNonResource             // /version, /openapi/v3/…, /healthz
	KindCollection              // …/pods
	KindObject                  // …/pods/web
	KindSubresource             // …/pods/web/log
)

var kindWords = [...]string{"root", "group list", "discovery", "non-resource", "collection", "object", "subresource"}

// String is the kind in words.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindWords) {
		return "unknown"
	}
	return kindWords[k]
}

// Path is a request path, split into its parts. It is comparable: equal Paths address the same thing.
type Path struct {
	Kind    Kind
	Group   string // empty for the core group
	Version string
	// Namespace is empty for cluster-scoped resources, for all namespaces, and for a namespace object itself.
	Namespace   string
	Resource    string
	Name        string
	Subresource string
	// Rest is the text after a subresource (…/proxy/metrics → "/metrics"), or a whole non-resource path.
	// It is escaped, begins with a slash, and keeps a trailing slash.
	Rest string
	// Watch marks the deprecated /api/v1/watch/… form.
	Watch bool
}

// IsResource reports whether the path addresses a collection, an object or a subresource.
func (p Path) IsResource() bool { return p.Kind >= KindCollection }

// OfSecrets reports whether the path addresses a Secret, or a collection of Secrets.
func (p Path) OfSecrets() bool { return p.Group == "" && p.Resource == "secrets" }

// OfTokens reports whether requests to the path create tokens, or have tokens reviewed.
func (p Path) OfTokens() bool {
	return p.Subresource == "token" || p.Resource == "tokenreviews" || p.Resource == "tokenrequests"
}

// IsWorkloadProxy reports whether the API server passes a request to the path on to a pod, a service or a node.
func (p Path) IsWorkloadProxy() bool {
	if p.Kind != KindSubresource || p.Subresource != "proxy" || p.Group != "" {
		return false
	}
	return p.Resource == "pods" || p.Resource == "services" || p.Resource == "nodes"
}

// Connects reports whether the subresource connects to a workload, instead of reading or writing an object.
func (p Path) Connects() bool {
	if p.Kind != KindSubresource {
		return false
	}
	switch p.Subresource {
	case "exec", "attach", "portforward", "proxy":
		return true
	}
	return false
}

// String gives the canonical escaped path. Parse(p.String()) is p.
func (p Path) String() string {
	switch p.Kind {
	case KindRoot:
		return "/"
	case KindGroupList:
		return "/apis"
	case KindNonResource:
		return p.Rest
	}
	var b strings.Builder
	b.Grow(96)
	p.writeRoot(&b)
	p.writeResource(&b)
	return b.String()
}

func (p Path) writeRoot(b *strings.Builder) {
	if p.Group == "" {
		b.WriteString("/api")
	} else {
		b.WriteString("/apis")
		segment(b, p.Group)
	}
	if p.Version != "" {
		segment(b, p.Version)
	}
}

func (p Path) writeResource(b *strings.Builder) {
	if !p.IsResource() {
		return
	}
	if p.Watch {
		b.WriteString("/watch")
	}
	if p.Namespace != "" {
		b.WriteString("/namespaces")
		segment(b, p.Namespace)
	}
	segment(b, p.Resource)
	if p.Kind >= KindObject {
		segment(b, p.Name)
	}
	if p.Kind == KindSubresource {
		segment(b, p.Subresource)
		b.WriteString(p.Rest)
	}
}
