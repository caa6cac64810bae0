package discovery

import (
	"slices"
	"strings"
)

// Type finds a type by where it is in a URL. An empty version means the preferred one that has the type.
func (c Catalog) Type(group, version, resource string) (Type, bool) {
	g, ok := c.Group(group)
	if !ok {
		return Type{}, false
	}
	for _, v := range g.byPreference() {
		if version != "" && v.Name != version {
			continue
		}
		if t, ok := v.find(resource); ok {
			return t, true
		}
	}
	return Type{}, false
}

// Kind finds the type of an object by its apiVersion's parts and kind.
func (c Catalog) Kind(group, version, kind string) (Type, bool) {
	g, _ := c.Group(group)
	v, _ := g.Version(version)
	i := slices.IndexFunc(v.Types, func(t Type) bool { return t.Kind == kind })
	if i < 0 {
		return Type{}, false
	}
	return v.Types[i], true
}

// Versions are all the types that a resource of a group has, the preferred version first.
func (c Catalog) Versions(group, resource string) []Type {
	g, _ := c.Group(group)
	var all []Type
	for _, v := range g.byPreference() {
		if t, ok := v.find(resource); ok {
			all = append(all, t)
		}
	}
	return all
}

// Preferred is every type once, each in the version the server prefers among those that have it, in the
// server's order.
func (c Catalog) Preferred() []Type {
	var all []Type
	for _, g := range c.Groups {
		seen := map[string]bool{}
		for _, v := range g.byPreference() {
			for _, t := range v.Types {
				if !seen[t.Resource] {
					seen[t.Resource] = true
					all = append(all, t)
				}
			}
		}
	}
	return all
}

// Listable is every type of Preferred that has collections.
func (c Catalog) Listable() []Type {
	return slices.DeleteFunc(c.Preferred(), func(t Type) bool { return !t.Listable() })
}

// Find reads a word as a person types it: a plural, singular, short name or kind, in any case, alone or
// followed by a group ("deploy.apps", "deploy.app") or a version and group ("deployments.v1.apps"). What
// it returns is best first: by how the word matched, then in the server's order; an empty result means
// that no type goes by that name.
func (c Catalog) Find(word string) []Type {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == "" {
		return nil
	}
	if found := rank(c.Preferred(), word); len(found) > 0 {
		return found
	}
	name, rest, ok := strings.Cut(word, ".")
	if !ok || name == "" || rest == "" {
		return nil
	}
	if version, group, ok := strings.Cut(rest, "."); ok || isCoreVersion(c, rest) {
		if found := rank(c.inVersion(group, version), name); len(found) > 0 {
			return found
		}
	}
	return rank(c.inGroup(rest), name)
}

// inGroup are the preferred types of the group with that name, else of groups whose name starts so.
func (c Catalog) inGroup(name string) []Type {
	if g, ok := c.Group(name); ok {
		return Catalog{Groups: []Group{g}}.Preferred()
	}
	var begun Catalog
	for _, g := range c.Groups {
		if strings.HasPrefix(g.Name, name) {
			begun.Groups = append(begun.Groups, g)
		}
	}
	return begun.Preferred()
}

func (c Catalog) inVersion(group, version string) []Type {
	g, _ := c.Group(group)
	v, _ := g.Version(version)
	return v.Types
}

func isCoreVersion(c Catalog, name string) bool {
	core, _ := c.Group("")
	_, ok := core.Version(name)
	return ok
}

// rank keeps the types that go by the name, best match first.
func rank(types []Type, name string) []Type {
	var by [4][]Type
	for _, t := range types {
		if how := t.goesBy(name); how >= 0 {
			by[how] = append(by[how], t)
		}
	}
	return slices.Concat(by[:]...)
}

// goesBy says how well a lower-case name fits: 0 best, -1 not at all.
func (t Type) goesBy(name string) int {
	switch {
	case t.Resource == name:
		return 0
	case strings.EqualFold(t.Singular, name):
		return 1
	case slices.Contains(t.ShortNames, name):
		return 2
	case strings.EqualFold(t.Kind, name):
		return 3
	}
	return -1
}

func (v Version) find(resource string) (Type, bool) {
	i := slices.IndexFunc(v.Types, func(t Type) bool { return t.Resource == resource })
	if i < 0 {
		return Type{}, false
	}
	return v.Types[i], true
}

// byPreference is the versions with the preferred one first, the others as the server orders them.
func (g Group) byPreference() []Version {
	i := slices.IndexFunc(g.Versions, func(v Version) bool { return v.Name == g.Preferred })
	if i <= 0 {
		return g.Versions
	}
	return slices.Concat(g.Versions[i:i+1], g.Versions[:i], g.Versions[i+1:])
}
