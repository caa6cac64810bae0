// Package discovery reads what an API server serves: groups, their versions, and the types in them. It reads the aggregated and the
// legacy format, and finds types by the words that people use.
package discovery

import (
	"slices"
	"strings"
)

// Catalog is all that one API server serves to one user. It is a plain value: after it is built, goroutines can share it, and it can be
// sent to a page as JSON.
type Catalog struct {
	// Groups are in the server's order. The core group, whose name is empty, comes first.
	Groups []Group `json:"groups"`
	// Failures are the group versions whose types couldn't be read, for example because an aggregated API server is
	// down. The rest of the catalog is still right.
	Failures []Failure `json:"failures,omitempty"`
}

// Group is one API group.
type Group struct {
	// Name is empty for the core group.
	Name string `json:"name"`
	// Preferred is the name of the version that the server prefers.
	Preferred string `json:"preferred"`
	// Versions are in the server's order of preference.
	Versions []Version `json:"versions"`
}

// Version is one version of a group.
type Version struct {
	Name string `json:"name"`
	// Stale is true if the API server couldn't reach the server of this version. It then repeats the types that it
	// knew before, if it knew any.
	Stale bool   `json:"stale,omitempty"`
	Types []Type `json:"types,omitempty"`
}

// Type is one resource type in one version.
type Type struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	// Resource is the plural name in URLs.
	Resource string `json:"resource"`
	Kind     string `json:"kind"`
	// Singular is the singular name in lower case. It is never empty after parsing.
	Singular   string   `json:"singular"`
	Namespaced bool     `json:"namespaced"`
	Verbs      []string `json:"verbs"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
	// StorageHash is a hash of the version in which objects are stored. Only the legacy format has it.
	StorageHash string `json:"storageHash,omitempty"`

	Subresources []Subresource `json:"subresources,omitempty"`
}

// Subresource is a part of an object with its own URL, such as status, scale or log.
type Subresource struct {
	Name string `json:"name"`
	// Kind, Group and Version describe the object in its responses (Scale of autoscaling/v1).
	Kind    string   `json:"kind"`
	Group   string   `json:"group"`
	Version string   `json:"version"`
	Verbs   []string `json:"verbs"`
}

// Can tells whether the type supports a verb. It doesn't tell whether the user has the permission.
func (t Type) Can(verb string) bool { return slices.Contains(t.Verbs, verb) }

// Listable tells whether the type supports list.
func (t Type) Listable() bool { return t.Can("list") }

// Watchable tells whether the type supports watch.
func (t Type) Watchable() bool { return t.Can("watch") }

// Subresource finds a subresource by name.
func (t Type) Subresource(name string) (Subresource, bool) {
	i := slices.IndexFunc(t.Subresources, func(s Subresource) bool { return s.Name == name })
	if i < 0 {
		return Subresource{}, false
	}
	return t.Subresources[i], true
}

// Can tells whether the subresource supports a verb.
func (s Subresource) Can(verb string) bool { return slices.Contains(s.Verbs, verb) }

// GroupVersion is the type's apiVersion: "v1", "apps/v1".
func (t Type) GroupVersion() string { return GroupVersion(t.Group, t.Version) }

// Scope says whether its objects are in a namespace or in the cluster.
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

// SplitGroupVersion is the group and the version of an apiVersion.
func SplitGroupVersion(apiVersion string) (group, version string) {
	if group, version, found := strings.Cut(apiVersion, "/"); found {
		return group, version
	}
	return "", apiVersion
}

// Group finds a group by name.
func (c Catalog) Group(name string) (Group, bool) {
	i := slices.IndexFunc(c.Groups, func(g Group) bool { return g.Name == name })
	if i < 0 {
		return Group{}, false
	}
	return c.Groups[i], true
}

// Serves tells whether an API version, such as apps/v1, is served. If a group could not be read, all its versions count as served.
func (c Catalog) Serves(apiVersion string) bool {
	group, version := SplitGroupVersion(apiVersion)
	if _, unread := c.Unread(group, ""); unread {
		return true
	}
	g, _ := c.Group(group)
	_, serves := g.Version(version)
	return serves
}

// Version finds a version by name.
func (g Group) Version(name string) (Version, bool) {
	i := slices.IndexFunc(g.Versions, func(v Version) bool { return v.Name == name })
	if i < 0 {
		return Version{}, false
	}
	return g.Versions[i], true
}

// Join merges catalogs, such as that of the core group and that of the named groups.
func Join(parts ...Catalog) Catalog {
	all := Catalog{Groups: []Group{}}
	for _, part := range parts {
		all.Groups = append(all.Groups, part.Groups...)
		all.Failures = append(all.Failures, part.Failures...)
	}
	return all
}

// With returns the catalog with the types of a group version. The legacy format has them in one response for each group version. If the
// catalog doesn't have the group version, nothing changes.
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

// Including returns the catalog with a group version and its types, also if the catalog didn't have the group version.
func (c Catalog) Including(group, version string, types []Type) Catalog {
	if g, has := c.Group(group); !has {
		c.Groups = append(slices.Clone(c.Groups), Group{Name: group, Preferred: version, Versions: []Version{{Name: version}}})
	} else if _, has := g.Version(version); !has {
		c.Groups = slices.Clone(c.Groups)
		at := slices.IndexFunc(c.Groups, func(g Group) bool { return g.Name == group })
		c.Groups[at].Versions = append(slices.Clone(g.Versions), Version{Name: version})
	}
	return c.With(group, version, types)
}
