// Package apipath reads and builds the paths of the Kubernetes API.
//
// Every path has one canonical reading here or none: what policy judges is, byte for byte, what is sent upstream.
package apipath

import "strings"

// Kind says what a path addresses.
type Kind int

// The kinds of path, in the order in which one descends the API.
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

// String names the kind in the field's own words.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindWords) {
		return "unknown"
	}
	return kindWords[k]
}

// Path is a request path taken apart. It is comparable; equal paths are the same request target.
type Path struct {
	Kind    Kind
	Group   string // empty for the core group
	Version string
	// Namespace is empty for cluster-scoped resources, for all namespaces, and for a namespace object itself.
	Namespace   string
	Resource    string
	Name        string
	Subresource string
	// Rest is what follows a subresource (…/proxy/metrics → "/metrics"), or the whole of a non-resource path.
	// It is kept escaped, with its leading slash; a trailing slash counts.
	Rest string
	// Watch marks the deprecated /api/v1/watch/… form.
	Watch bool
}

// IsResource reports whether the path addresses a collection, an object or a subresource.
func (p Path) IsResource() bool { return p.Kind >= KindCollection }

// OfSecrets reports whether the path leads to Secrets, one or many.
func (p Path) OfSecrets() bool { return p.Group == "" && p.Resource == "secrets" }

// OfTokens reports whether tokens are asked for at the path, or shown to be judged.
func (p Path) OfTokens() bool {
	return p.Subresource == "token" || p.Resource == "tokenreviews" || p.Resource == "tokenrequests"
}

// IsWorkloadProxy reports whether the path leads through the API server into a pod, a service or a node.
func (p Path) IsWorkloadProxy() bool {
	if p.Kind != KindSubresource || p.Subresource != "proxy" || p.Group != "" {
		return false
	}
	return p.Resource == "pods" || p.Resource == "services" || p.Resource == "nodes"
}

// Connects reports whether the subresource opens a way into a workload rather than reading or writing an object.
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
