package shell

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
)

// AnatomyOf takes an API path of the cluster apart into what its parts are called, each with its page.
func (m Model) AnatomyOf(p apipath.Path) []components.Segment { return anatomy(p, m.page) }

// anatomy takes a path apart into what its parts are called; address gives the page of a path.
func anatomy(p apipath.Path, address func(apipath.Path) string) []components.Segment {
	segments := prefix(p, address)
	if p.IsResource() {
		segments = append(segments, pathSegments(p, address)...)
	}
	if n := len(segments); n > 0 {
		segments[n-1].Current = true
	}
	return segments
}

// prefix is the part that says which API it is: /api/v1, /apis/apps/v1.
func prefix(p apipath.Path, address func(apipath.Path) string) []components.Segment {
	if p.Kind == apipath.KindRoot || p.Kind == apipath.KindNonResource {
		return nil
	}
	if p.Kind == apipath.KindGroupList {
		return []components.Segment{{Text: "apis", Means: "the named API groups", Href: address(p)}}
	}
	var segments []components.Segment
	if p.Group == "" {
		segments = append(segments, components.Segment{
			Text: "api", Means: "the core API group, which has no name", Href: address(apipath.DiscoveryOf("", "")),
		})
	} else {
		segments = append(segments,
			components.Segment{Text: "apis", Means: "the named API groups", Href: address(apipath.Path{Kind: apipath.KindGroupList})},
			components.Segment{Text: p.Group, Means: "API group", Href: address(apipath.DiscoveryOf(p.Group, ""))})
	}
	if p.Version != "" {
		segments = append(segments, components.Segment{Text: p.Version, Means: "version", Href: address(apipath.DiscoveryOf(p.Group, p.Version))})
	}
	return segments
}

// pathSegments is the part that says what and where: namespaces/shop/pods/web-1/status.
func pathSegments(p apipath.Path, address func(apipath.Path) string) []components.Segment {
	var segments []components.Segment
	if p.Namespace != "" {
		segments = append(segments,
			components.Segment{Text: "namespaces", Means: "the next part is the name of a namespace", Href: address(apipath.Collection("", "v1", "", "namespaces"))},
			components.Segment{Text: p.Namespace, Means: "namespace", Href: address(apipath.Object("", "v1", "", "namespaces", p.Namespace))})
	}
	segments = append(segments, components.Segment{Text: p.Resource, Means: "resource type", Href: address(apipath.CollectionOf(p))})
	if p.Name != "" {
		segments = append(segments, components.Segment{Text: p.Name, Means: "name", Href: address(apipath.ObjectOf(p))})
	}
	if p.Subresource != "" {
		segments = append(segments, components.Segment{Text: p.Subresource, Means: "subresource", Href: address(p)})
	}
	return segments
}
