package discovery

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The kind and the API versions of the aggregated format.
const (
	aggregatedGroup = "apidiscovery.k8s.io/"
	aggregatedKind  = "APIGroupDiscoveryList"
)

type groupDiscoveryList struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Items      []struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Versions []versionDiscovery `json:"versions"`
	} `json:"items"`
}

type versionDiscovery struct {
	Version   string              `json:"version"`
	Resources []resourceDiscovery `json:"resources"`
	Freshness string              `json:"freshness"`
}

type resourceDiscovery struct {
	Resource     string                 `json:"resource"`
	ResponseKind *groupVersionKind      `json:"responseKind"`
	Scope        string                 `json:"scope"`
	Singular     string                 `json:"singularResource"`
	Verbs        []string               `json:"verbs"`
	ShortNames   []string               `json:"shortNames"`
	Categories   []string               `json:"categories"`
	Subresources []subresourceDiscovery `json:"subresources"`
}

type subresourceDiscovery struct {
	Subresource  string            `json:"subresource"`
	ResponseKind *groupVersionKind `json:"responseKind"`
	Verbs        []string          `json:"verbs"`
}

type groupVersionKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// Registered is why the types of a group version are not known, if the API server passes its requests on to another server.
const Registered = "another server has this API, and the API server gets no response from it"

// ParseAggregated reads an APIGroupDiscoveryList of apidiscovery.k8s.io/v2 or v2beta1, the response of /api and /apis. Versions that the
// server marks as stale are kept, marked, and listed as failures.
func ParseAggregated(data []byte) (Catalog, error) {
	var list groupDiscoveryList
	if err := json.Unmarshal(data, &list); err != nil {
		return Catalog{}, fmt.Errorf("aggregated discovery: %w", err)
	}
	if list.Kind != aggregatedKind || !strings.HasPrefix(list.APIVersion, aggregatedGroup) {
		return Catalog{}, fmt.Errorf("aggregated discovery: the response is a %q of %q, not a %s", list.Kind, list.APIVersion, aggregatedKind)
	}
	c := Catalog{Groups: make([]Group, 0, len(list.Items))}
	for _, item := range list.Items {
		if len(item.Versions) == 0 {
			continue
		}
		g := Group{Name: item.Metadata.Name, Preferred: item.Versions[0].Version}
		for _, v := range item.Versions {
			version := v.version(g.Name)
			g.Versions = append(g.Versions, version)
			if version.Stale {
				c.Failures = append(c.Failures, Failure{Group: g.Name, Version: v.Version, How: Broken, Why: Registered})
			}
		}
		c.Groups = append(c.Groups, g)
	}
	return c, nil
}

func (v versionDiscovery) version(group string) Version {
	out := Version{Name: v.Version, Stale: v.Freshness == "Stale"}
	for _, r := range v.Resources {
		if r.ResponseKind == nil && len(r.Verbs) == 0 && len(r.Subresources) == 0 {
			continue // a placeholder that no request can be sent to
		}
		out.Types = append(out.Types, r.typ(group, v.Version))
	}
	return out
}

func (r resourceDiscovery) typ(group, version string) Type {
	t := Type{
		Group: group, Version: version, Resource: r.Resource,
		Singular: r.Singular, Namespaced: r.Scope == "Namespaced",
		Verbs: nonNil(r.Verbs), ShortNames: r.ShortNames, Categories: r.Categories,
	}
	if r.ResponseKind != nil {
		t.Kind = r.ResponseKind.Kind
	}
	for _, s := range r.Subresources {
		sub := Subresource{Name: s.Subresource, Group: group, Version: version, Verbs: nonNil(s.Verbs)}
		if k := s.ResponseKind; k != nil {
			sub.fill(*k)
		}
		t.Subresources = append(t.Subresources, sub)
	}
	return t.withSingular()
}

// fill sets the object's kind. Parts that the server leaves out are the same as those of the type.
func (s *Subresource) fill(k groupVersionKind) {
	s.Kind = k.Kind
	if k.Version != "" {
		s.Group, s.Version = k.Group, k.Version
	}
}

// withSingular gives the type a singular name if the server sent none.
func (t Type) withSingular() Type {
	if t.Singular == "" {
		t.Singular = strings.ToLower(t.Kind)
	}
	return t
}

func nonNil(verbs []string) []string {
	if verbs == nil {
		return []string{}
	}
	return verbs
}
