// Package aim finds the object that a document is about. It makes the requests for it: a dry run, or the write itself. All pages that apply
// manifests use it.
package aim

import (
	"fmt"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/call"
)

// Head is the part of a document that identifies its object.
type Head struct {
	APIVersion, Kind, Namespace, Name, GenerateName string
}

// Target is the object that a document is about, and the path of requests for it.
type Target struct {
	Type discovery.Type
	Path apipath.Path // of the object, or of the collection if the server makes up the name
	// Assumed is the namespace that was chosen on the page, if the document has none.
	Assumed string
}

// Creates tells whether the server makes up the name. Such an object can be created, but not applied.
func (t Target) Creates() bool { return t.Path.Kind == apipath.KindCollection }

// At finds the target of a document. A document without a namespace goes to the one that is given. If nothing can be sent, why is the reason
// as a sentence; otherwise it is empty.
func At(h Head, catalog discovery.Catalog, namespace, subresource string) (t Target, why string) {
	if h.APIVersion == "" || h.Kind == "" {
		return t, "The document has no apiVersion or no kind. Add what is missing."
	}
	group, version := SplitVersion(h.APIVersion)
	typ, known := catalog.Kind(group, version, h.Kind)
	switch {
	case !known:
		return t, unserved(catalog, group, version, h.Kind)
	case h.Name == "" && h.GenerateName == "":
		return t, "The document has no metadata.name. Add a name."
	}
	if !typ.Namespaced {
		h.Namespace = "" // kubectl and the API server ignore it
	}
	for name, what := range map[string]string{h.Name: apipath.Unfit(h.Name), h.Namespace: apipath.UnfitNamespace(h.Namespace)} {
		if name != "" && what != "" {
			return t, fmt.Sprintf("The name %q isn’t possible, because it has %s.", name, what)
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
			return Target{}, fmt.Sprintf("The resource type %s has no subresource %q.", typ.FullName(), subresource)
		}
		t.Path = apipath.SubresourceOf(t.Path, subresource)
		return t, ""
	}
	if len(typ.Verbs) > 0 && !typ.Can("patch") && !typ.Can("update") {
		return Target{}, fmt.Sprintf("The API server has neither patch nor update for %s, so you can’t apply the document. If the type has the verb create, use the request console.", typ.FullName())
	}
	return t, ""
}

// unserved says why the cluster has no resource type for a kind, and names one that may be meant.
func unserved(catalog discovery.Catalog, group, version, kind string) string {
	_, unread := catalog.Unread(group, version)
	for _, g := range catalog.Groups {
		for _, v := range g.Versions {
			if _, serves := catalog.Kind(g.Name, v.Name, kind); !unread && serves && (g.Name == group || version == "") {
				return fmt.Sprintf("The cluster doesn’t serve %s in %s. Use %s instead.", kind, discovery.GroupVersion(group, version), discovery.GroupVersion(g.Name, v.Name))
			}
		}
	}
	if f, unread := catalog.Unread(group, version); unread {
		return f.Words() + " So Fieldmark doesn’t know whether the cluster serves this type."
	}
	if _, serves := catalog.Group(group); !serves {
		return fmt.Sprintf("The cluster has no API group %q. Is its CustomResourceDefinition installed?", group)
	}
	return fmt.Sprintf("The cluster has no kind %s in %s.", kind, discovery.GroupVersion(group, version))
}

// SplitVersion splits an apiVersion into group and version. The core group is empty.
func SplitVersion(apiVersion string) (group, version string) {
	for i := range len(apiVersion) {
		if apiVersion[i] == '/' {
			return apiVersion[:i], apiVersion[i+1:]
		}
	}
	return "", apiVersion
}

// Validation is what the server does about unknown fields, and about fields that are given twice.
type Validation string

// The levels of field validation.
const (
	Ignore Validation = "Ignore" // accepts the request
	Warn   Validation = "Warn"   // accepts it, with a warning
	Strict Validation = "Strict" // refuses it
)

// Validations are the levels in the order of the page's menu.
func Validations() []Validation { return []Validation{Warn, Strict, Ignore} }

// ParseValidation reads a level of validation. Unknown text gives Warn.
func ParseValidation(text string) Validation {
	for _, v := range Validations() {
		if string(v) == text {
			return v
		}
	}
	return Warn
}

// Options apply to all documents: the cluster, and what the reader chose.
type Options struct {
	Cluster    string // its slug
	Manager    string
	Validation Validation
}

// Media types of request bodies.
const (
	ApplyYAML = "application/apply-patch+yaml"
	plainYAML = "application/yaml"
)

// Request makes the request for a document's text. The requests with and without dry differ only in the parameter dryRun.
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
