package discovery

import (
	"slices"
	"strings"
)

// Type finds a type by the parts of its URL. An empty version means the most preferred version that has the type.
func (c Catalog) Type(group, version, resource string) (Type, bool) {
	g, ok := c.Group(group)
	if !ok {
		return Type{}, false
	}
	for _, v := range g.byPreference() {
		if version != "" && v.Name != version {
			continue
		}
		if t, ok := v.findType(resource); ok {
			return t, true
		}
	}
	return Type{}, false
}

// Kind finds the type of an object by the group and version of its apiVersion, and by its kind.
func (c Catalog) Kind(group, version, kind string) (Type, bool) {
	g, _ := c.Group(group)
	v, _ := g.Version(version)
	i := slices.IndexFunc(v.Types, func(t Type) bool { return t.Kind == kind })
	if i < 0 {
		return Type{}, false
	}
	return v.Types[i], true
}

// Versions returns the type of a resource in each version of its group, the preferred version first.
func (c Catalog) Versions(group, resource string) []Type {
	g, _ := c.Group(group)
	var all []Type
	for _, v := range g.byPreference() {
		if t, ok := v.findType(resource); ok {
			all = append(all, t)
		}
	}
	return all
}

// Preferred returns every type once, in the server's order. Of several versions that have the type, it takes the one that the server
// prefers most.
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

// Listable returns the types of Preferred that support list.
func (c Catalog) Listable() []Type {
	return slices.DeleteFunc(c.Preferred(), func(t Type) bool { return !t.Listable() })
}

// Find returns the types that a word means. The word is a plural, singular, short name or kind, in upper or lower case. A group may follow
// it ("deploy.apps", "deploy.app"), or a version and a group ("deployments.v1.apps"). The best match comes first, then the server's order.
// The result is empty if no type has that name.
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

// inGroup returns the preferred types of the group with this name. If there is none, it takes groups whose names begin with it.
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

// rank keeps the types that have this name, the best match first.
func rank(types []Type, name string) []Type {
	var by [4][]Type
	for _, t := range types {
		if how := t.goesBy(name); how >= 0 {
			by[how] = append(by[how], t)
		}
	}
	return slices.Concat(by[:]...)
}

// goesBy rates how well a lower-case name matches: 0 is the best, -1 is no match.
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

func (v Version) findType(resource string) (Type, bool) {
	i := slices.IndexFunc(v.Types, func(t Type) bool { return t.Resource == resource })
	if i < 0 {
		return Type{}, false
	}
	return v.Types[i], true
}

// byPreference returns the preferred version, then the others in the server's order.
func (g Group) byPreference() []Version {
	i := slices.IndexFunc(g.Versions, func(v Version) bool { return v.Name == g.Preferred })
	if i <= 0 {
		return g.Versions
	}
	return slices.Concat(g.Versions[i:i+1], g.Versions[:i], g.Versions[i+1:])
}
