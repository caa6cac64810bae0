package upgrade

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// Definition is what a CustomResourceDefinition says about the versions of its type.
type Definition struct {
	Name      string // of the definition, which is the full name of the type
	Group     string
	Resource  string
	Kind      string
	Versions  []DefinedVersion // in the order of spec.versions
	Stored    []string         // status.storedVersions
	Converted bool             // a webhook converts between the versions
}

// DefinedVersion is one of a definition's versions.
type DefinedVersion struct {
	Name                        string
	Served, Storage, Deprecated bool
}

// ParseDefinition reads a CustomResourceDefinition.
func ParseDefinition(raw []byte) (Definition, error) {
	var o struct {
		Metadata struct{ Name string }
		Spec     struct {
			Group      string
			Names      struct{ Plural, Kind string }
			Conversion struct{ Strategy string }
			Versions   []struct {
				Name                        string
				Served, Storage, Deprecated bool
			}
		}
		Status struct{ StoredVersions []string }
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return Definition{}, fmt.Errorf("reading a CustomResourceDefinition: %w", err)
	}
	d := Definition{
		Name: o.Metadata.Name, Group: o.Spec.Group, Resource: o.Spec.Names.Plural, Kind: o.Spec.Names.Kind,
		Stored: o.Status.StoredVersions, Converted: o.Spec.Conversion.Strategy == "Webhook",
	}
	for _, v := range o.Spec.Versions {
		d.Versions = append(d.Versions, DefinedVersion(v))
	}
	return d, nil
}

// Lists tells whether the definition lists an apiVersion. An apply needs that of each entry. The version need not be served.
func (d Definition) Lists(apiVersion string) bool {
	group, version := discovery.SplitGroupVersion(apiVersion)
	_, lists := d.version(version)
	return group == d.Group && lists
}

func (d Definition) version(name string) (DefinedVersion, bool) {
	at := slices.IndexFunc(d.Versions, func(v DefinedVersion) bool { return v.Name == name })
	if at < 0 {
		return DefinedVersion{}, false
	}
	return d.Versions[at], true
}

// Storage is the version in which objects are stored, and its index in spec.versions; -1: there is none.
func (d Definition) Storage() (version string, index int) {
	at := slices.IndexFunc(d.Versions, func(v DefinedVersion) bool { return v.Storage })
	if at < 0 {
		return "", -1
	}
	return d.Versions[at].Name, at
}

// Old are the versions of status.storedVersions in which objects are no longer stored when they are written.
func (d Definition) Old() []string {
	storage, _ := d.Storage()
	return slices.DeleteFunc(slices.Clone(d.Stored), func(v string) bool { return v == storage })
}

// DefinitionOf is the definition of a type; found is false for types of Kubernetes and of aggregated API servers, and if it couldn't be read.
func (f Facts) DefinitionOf(group, resource string) (d Definition, found bool) {
	at := slices.IndexFunc(f.Definitions, func(d Definition) bool { return d.Group == group && d.Resource == resource })
	if at < 0 {
		return Definition{}, false
	}
	return f.Definitions[at], true
}
