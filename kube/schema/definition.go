package schema

import (
	"encoding/json"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// Definition is one version of the type that a CustomResourceDefinition defines: as discovery will list it, with the schema of its objects.
type Definition struct {
	Kind   Kind
	Type   discovery.Type
	Schema Schema
}

// custom are the verbs of custom resources.
var custom = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

// Definitions reads the served versions of a CustomResourceDefinition of apiextensions.k8s.io/v1. A version that lacks a name or a schema is left out.
// The API server adds apiVersion, kind and metadata to each schema, and so does Definitions.
func Definitions(fields map[string]any) []Definition {
	var read struct {
		Spec struct {
			Group string `json:"group"`
			Scope string `json:"scope"`
			Names struct {
				Plural   string `json:"plural"`
				Singular string `json:"singular"`
				Kind     string `json:"kind"`
			} `json:"names"`
			Versions []struct {
				Name   string `json:"name"`
				Served bool   `json:"served"`
				Schema struct {
					OpenAPI *node `json:"openAPIV3Schema"`
				} `json:"schema"`
				Subresources map[string]any `json:"subresources"`
			} `json:"versions"`
		} `json:"spec"`
	}
	text, err := json.Marshal(fields)
	if err != nil || lenient(json.Unmarshal(text, &read)) != nil {
		return nil
	}
	var all []Definition
	names := read.Spec.Names
	for _, v := range read.Spec.Versions {
		root := v.Schema.OpenAPI
		if !v.Served || v.Name == "" || names.Kind == "" || names.Plural == "" || read.Spec.Group == "" || root == nil {
			continue
		}
		root.prune(maxDepth)
		properties := map[string]*node{"apiVersion": {Type: "string"}, "kind": {Type: "string"}, "metadata": {Type: "object", Open: true}}
		for name, property := range root.Properties {
			if properties[name] == nil {
				properties[name] = property
			}
		}
		root.Properties = properties
		d := Definition{
			Kind:   Kind{Group: read.Spec.Group, Version: v.Name, Kind: names.Kind},
			Schema: Schema{Root: "defined", Definitions: map[string]*node{"defined": root}},
			Type: discovery.Type{
				Group: read.Spec.Group, Version: v.Name, Resource: names.Plural, Kind: names.Kind, Singular: names.Singular, Namespaced: read.Spec.Scope == "Namespaced", Verbs: custom,
			},
		}
		if d.Type.Singular == "" {
			d.Type.Singular = strings.ToLower(names.Kind)
		}
		for _, name := range sorted(v.Subresources) {
			d.Type.Subresources = append(d.Type.Subresources, discovery.Subresource{Name: name, Verbs: []string{"get", "patch", "update"}})
		}
		all = append(all, d)
	}
	return all
}
