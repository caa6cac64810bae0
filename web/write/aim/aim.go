// Package aim finds the object that a document is about, and puts the document into the requests for it: a dry run, or the write itself. It is
// what the pages share that apply manifests.
package aim

import (
	"fmt"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/call"
)

// Head is what a document says about which object it is.
type Head struct {
	APIVersion, Kind, Namespace, Name, GenerateName string
}

// Target is the object that a document is about, and where requests for it go.
type Target struct {
	Type discovery.Type
	Path apipath.Path // of the object; of the collection, where the server is to make up the name
	// Assumed is the namespace that the document doesn't name, and the page's choice does.
	Assumed string
}

// Creates tells whether the server makes up the name: such an object can be created, and not applied.
func (t Target) Creates() bool { return t.Path.Kind == apipath.KindCollection }

// At finds where a document goes: a resource type serves its kind, in the namespace it names, or in the one that is
// chosen for those that name none. Its words say why nothing can be sent.
func At(h Head, catalog discovery.Catalog, namespace, subresource string) (t Target, why string) {
	if h.APIVersion == "" || h.Kind == "" {
		return t, "It says no apiVersion and kind, so nobody knows which resource type it is of."
	}
	group, version := SplitVersion(h.APIVersion)
	typ, known := catalog.Kind(group, version, h.Kind)
	switch {
	case !known:
		return t, unserved(catalog, group, version, h.Kind)
	case h.Name == "" && h.GenerateName == "":
		return t, "It has no metadata.name, so there is no object to ask about."
	case h.Namespace != "" && !typ.Namespaced:
		return t, fmt.Sprintf("It names the namespace %q, but objects of kind %s are in none.", h.Namespace, h.Kind)
	}
	for _, name := range []string{h.Name, h.Namespace} {
		if what := apipath.Unfit(name); name != "" && what != "" {
			return t, fmt.Sprintf("No object can be called %q: the name has %s.", name, what)
		}
	}
	t.Type = typ
	in := h.Namespace
	if typ.Namespaced && in == "" {
		in, t.Assumed = namespace, namespace
	}
	if h.Name == "" {
		t.Path = apipath.Collection(typ.Group, typ.Version, in, typ.Resource)
		return t, ""
	}
	t.Path = apipath.Object(typ.Group, typ.Version, in, typ.Resource, h.Name)
	if subresource != "" {
		if _, serves := typ.Subresource(subresource); !serves {
			return Target{}, fmt.Sprintf("%s have no subresource %q.", typ.FullName(), subresource)
		}
		t.Path = apipath.SubresourceOf(t.Path, subresource)
	}
	return t, ""
}

// unserved says why no resource type is of a kind, and which comes near.
func unserved(catalog discovery.Catalog, group, version, kind string) string {
	for _, g := range catalog.Groups {
		for _, v := range g.Versions {
			if _, serves := catalog.Kind(g.Name, v.Name, kind); serves && (g.Name == group || version == "") {
				return fmt.Sprintf("This server does not serve %s as %s, but as %s.", kind, discovery.GroupVersion(group, version), discovery.GroupVersion(g.Name, v.Name))
			}
		}
	}
	if _, serves := catalog.Group(group); !serves {
		return fmt.Sprintf("This server has no API group %q. Its CustomResourceDefinition may not be there yet.", group)
	}
	return fmt.Sprintf("This server serves no kind %s in %s.", kind, discovery.GroupVersion(group, version))
}

// SplitVersion takes an apiVersion apart.
func SplitVersion(apiVersion string) (group, version string) {
	for i := range len(apiVersion) {
		if apiVersion[i] == '/' {
			return apiVersion[:i], apiVersion[i+1:]
		}
	}
	return "", apiVersion
}

// Validation is what the server does about fields that it doesn't know, and about those given twice.
type Validation string

// The levels of field validation.
const (
	Ignore Validation = "Ignore" // takes no notice
	Warn   Validation = "Warn"   // tells, and goes on
	Strict Validation = "Strict" // refuses
)

// Validations are the levels, in the order in which they are offered.
func Validations() []Validation { return []Validation{Warn, Strict, Ignore} }

// ParseValidation reads a level of validation; what is none is the usual one.
func ParseValidation(text string) Validation {
	for _, v := range Validations() {
		if string(v) == text {
			return v
		}
	}
	return Warn
}

// Options are what holds for all documents: the cluster, and what the reader chose.
type Options struct {
	Cluster    string // its slug
	Manager    string
	Validation Validation
}

// Media types of what is sent.
const (
	ApplyYAML = "application/apply-patch+yaml"
	plainYAML = "application/yaml"
)

// Request puts the document's text into a request. The one that a preview sends differs from the real one in dryRun alone, and in
// what the real one says about the version that it was made for.
func (t Target) Request(text string, o Options, dry, force bool) call.Call {
	query := url.Values{"fieldManager": {o.Manager}, "fieldValidation": {string(o.Validation)}}
	if dry {
		query.Set("dryRun", "All")
	}
	method, mediaType := "PATCH", ApplyYAML
	if t.Creates() {
		method, mediaType = "POST", plainYAML
	} else if force {
		query.Set("force", "true")
	}
	return call.New(o.Cluster, method, t.Path.String()+"?"+query.Encode(), mediaType, []byte(text))
}
