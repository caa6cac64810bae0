// Package discovery reads what an API server serves: groups, their versions, and the types in them. It reads the aggregated and the
// legacy format, and finds types by the words that people use.
package discovery

import (
	"slices"
	"strings"
)

// Catalog is everything one API server offers to one user. It is a plain value: safe to share once built,
// and to send to a page as JSON.
type Catalog struct {
	// Groups are in the server's own order, the core group (named "") first.
	Groups []Group `json:"groups"`
	// Failures are the group versions whose types could not be told, as when an aggregated API server is
	// down; the rest of the catalog stands.
	Failures []Failure `json:"failures,omitempty"`
}

// Group is one API group.
type Group struct {
	// Name is empty for the core group.
	Name string `json:"name"`
	// Preferred is the name of the version the server prefers.
	Preferred string `json:"preferred"`
	// Versions are in the server's order of preference.
	Versions []Version `json:"versions"`
}

// Version is one version of a group.
type Version struct {
	Name string `json:"name"`
	// Stale is true when the API server could not ask the server behind this version and repeats what it
	// last knew, if anything.
	Stale bool   `json:"stale,omitempty"`
	Types []Type `json:"types,omitempty"`
}

// Type is one resource type in one version.
type Type struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	// Resource is the plural name used in URLs.
	Resource string `json:"resource"`
	Kind     string `json:"kind"`
	// Singular is the singular name, lower case; never empty after parsing.
	Singular   string   `json:"singular"`
	Namespaced bool     `json:"namespaced"`
	Verbs      []string `json:"verbs"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
	// StorageHash stands for the version in which objects are stored; only the legacy form tells it.
	StorageHash string `json:"storageHash,omitempty"`

	Subresources []Subresource `json:"subresources,omitempty"`
}

// Subresource is a part of an object with its own URL, such as status, scale, log.
type Subresource struct {
	Name string `json:"name"`
	// Kind, Group and Version are those of the object it answers with (Scale of autoscaling/v1).
	Kind    string   `json:"kind"`
	Group   string   `json:"group"`
	Version string   `json:"version"`
	Verbs   []string `json:"verbs"`
}

// Failure is a group version whose types are not known.
type Failure struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Why     string `json:"why"`
}

// Can says whether the type offers a verb. Whether the user may use it is another matter.
func (t Type) Can(verb string) bool { return slices.Contains(t.Verbs, verb) }

// Listable says whether the type has collections to show.
func (t Type) Listable() bool { return t.Can("list") }

// Watchable says whether changes can be followed.
func (t Type) Watchable() bool { return t.Can("watch") }

// Subresource finds a subresource by name.
func (t Type) Subresource(name string) (Subresource, bool) {
	i := slices.IndexFunc(t.Subresources, func(s Subresource) bool { return s.Name == name })
	if i < 0 {
		return Subresource{}, false
	}
	return t.Subresources[i], true
}

// Can says whether the subresource offers a verb.
func (s Subresource) Can(verb string) bool { return slices.Contains(s.Verbs, verb) }

// GroupVersion is the type's apiVersion: "v1", "apps/v1".
func (t Type) GroupVersion() string { return GroupVersion(t.Group, t.Version) }

// Scope is where its objects are: in a namespace, or in the cluster.
func (t Type) Scope() string {
	if t.Namespaced {
		return "namespace"
	}
	return "cluster"
}

// Parts are the names of its subresources, with spaces between them.
func (t Type) Parts() string {
	names := make([]string, 0, len(t.Subresources))
	for _, s := range t.Subresources {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

// FullName is the resource with its group, as kubectl prints it: "pods", "deployments.apps".
func (t Type) FullName() string {
	if t.Group == "" {
		return t.Resource
	}
	return t.Resource + "." + t.Group
}

// GroupVersion joins a group and a version as apiVersion does.
func GroupVersion(group, version string) string {
	if group == "" {
		return version
	}
	return group + "/" + version
}

// Group finds a group by name.
func (c Catalog) Group(name string) (Group, bool) {
	i := slices.IndexFunc(c.Groups, func(g Group) bool { return g.Name == name })
	if i < 0 {
		return Group{}, false
	}
	return c.Groups[i], true
}

// Version finds a version by name.
func (g Group) Version(name string) (Version, bool) {
	i := slices.IndexFunc(g.Versions, func(v Version) bool { return v.Name == name })
	if i < 0 {
		return Version{}, false
	}
	return g.Versions[i], true
}

// Join puts the core group's catalog and the named groups' together.
func Join(parts ...Catalog) Catalog {
	all := Catalog{Groups: []Group{}}
	for _, part := range parts {
		all.Groups = append(all.Groups, part.Groups...)
		all.Failures = append(all.Failures, part.Failures...)
	}
	return all
}

// With returns the catalog with a version's types filled in, as the legacy form brings them one group
// version at a time. A group version the catalog does not have changes nothing.
func (c Catalog) With(group, version string, types []Type) Catalog {
	c.Groups = slices.Clone(c.Groups)
	for i, g := range c.Groups {
		if g.Name != group {
			continue
		}
		c.Groups[i].Versions = slices.Clone(g.Versions)
		for j, v := range g.Versions {
			if v.Name == version {
				c.Groups[i].Versions[j].Types = types
			}
		}
	}
	return c
}
