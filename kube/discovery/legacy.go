package discovery

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// ParseVersions reads the response of /api without aggregation (APIVersions): the versions of the core group, without their types.
func ParseVersions(data []byte) (Catalog, error) {
	var list struct {
		Kind     string   `json:"kind"`
		Versions []string `json:"versions"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return Catalog{}, fmt.Errorf("core versions: %w", err)
	}
	if list.Kind != "APIVersions" {
		return Catalog{}, fmt.Errorf("core versions: the response is a %q, not APIVersions", list.Kind)
	}
	if len(list.Versions) == 0 {
		return Catalog{Groups: []Group{}}, nil
	}
	core := Group{Preferred: list.Versions[0]}
	for _, v := range list.Versions {
		core.Versions = append(core.Versions, Version{Name: v})
	}
	return Catalog{Groups: []Group{core}}, nil
}

// ParseGroupList reads the response of /apis without aggregation (APIGroupList): the named groups and their versions, without their types.
func ParseGroupList(data []byte) (Catalog, error) {
	var list struct {
		Kind   string `json:"kind"`
		Groups []struct {
			Name     string `json:"name"`
			Versions []struct {
				Version string `json:"version"`
			} `json:"versions"`
			PreferredVersion struct {
				Version string `json:"version"`
			} `json:"preferredVersion"`
		} `json:"groups"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return Catalog{}, fmt.Errorf("group list: %w", err)
	}
	if list.Kind != "APIGroupList" {
		return Catalog{}, fmt.Errorf("group list: the response is a %q, not an APIGroupList", list.Kind)
	}
	c := Catalog{Groups: make([]Group, 0, len(list.Groups))}
	for _, item := range list.Groups {
		g := Group{Name: item.Name, Preferred: item.PreferredVersion.Version}
		for _, v := range item.Versions {
			g.Versions = append(g.Versions, Version{Name: v.Version})
		}
		if g.Preferred == "" && len(g.Versions) > 0 {
			g.Preferred = g.Versions[0].Name
		}
		c.Groups = append(c.Groups, g)
	}
	return c, nil
}

type legacyResource struct {
	Name       string   `json:"name"`
	Singular   string   `json:"singularName"`
	Namespaced bool     `json:"namespaced"`
	Group      string   `json:"group"`
	Version    string   `json:"version"`
	Kind       string   `json:"kind"`
	Verbs      []string `json:"verbs"`
	ShortNames []string `json:"shortNames"`
	Categories []string `json:"categories"`
	Storage    string   `json:"storageVersionHash"`
}

// ParseResourceList reads an APIResourceList, the response of /api/v1 and /apis/apps/v1: the types of one group version. The list has
// subresources beside types ("pods/log"), and ParseResourceList moves each to its type. If the list doesn't have the type, it adds one
// without verbs.
func ParseResourceList(data []byte) (group, version string, types []Type, err error) {
	var list struct {
		Kind         string           `json:"kind"`
		GroupVersion string           `json:"groupVersion"`
		Resources    []legacyResource `json:"resources"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return "", "", nil, fmt.Errorf("resource list: %w", err)
	}
	if list.Kind != "APIResourceList" {
		return "", "", nil, fmt.Errorf("resource list: the response is a %q, not an APIResourceList", list.Kind)
	}
	group, version = splitGroupVersion(list.GroupVersion)
	types = []Type{}
	for _, r := range list.Resources {
		if !strings.Contains(r.Name, "/") {
			types = append(types, r.typ(group, version))
		}
	}
	for _, r := range list.Resources {
		if resource, name, ok := strings.Cut(r.Name, "/"); ok {
			types = addSubresource(types, r, group, version, resource, name)
		}
	}
	return group, version, types, nil
}

func (r legacyResource) typ(group, version string) Type {
	return Type{
		Group: group, Version: version, Resource: r.Name, Kind: r.Kind, Singular: r.Singular,
		Namespaced: r.Namespaced, Verbs: nonNil(r.Verbs), ShortNames: r.ShortNames, Categories: r.Categories, StorageHash: r.Storage,
	}.withSingular()
}

func addSubresource(types []Type, r legacyResource, group, version, resource, name string) []Type {
	i := slices.IndexFunc(types, func(t Type) bool { return t.Resource == resource })
	if i < 0 {
		i = len(types)
		types = append(types, Type{Group: group, Version: version, Resource: resource, Namespaced: r.Namespaced, Verbs: []string{}}.withSingular())
	}
	sub := Subresource{Name: name, Group: group, Version: version, Verbs: nonNil(r.Verbs)}
	sub.fill(groupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind})
	types[i].Subresources = append(types[i].Subresources, sub)
	return types
}

func splitGroupVersion(gv string) (group, version string) {
	group, version, ok := strings.Cut(gv, "/")
	if !ok {
		return "", gv
	}
	return group, version
}
