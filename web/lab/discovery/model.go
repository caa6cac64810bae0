// Package discovery shows what an API server serves, as it says itself: types with their verbs and subresources, their versions side by side,
// OpenAPI documents, deprecated types, features, and raw discovery.
package discovery

import (
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "discovery"

// The parameters of the page's address.
const (
	QueryTab    = "tab"    // a Tab
	QueryType   = "type"   // the full name of the only type to show
	QueryFilter = "filter" // words
	QueryAsk    = "ask"    // 1: detect the features of the server
)

// Tab is a view of the page.
type Tab string

// The tabs.
const (
	Types      Tab = "types"
	OpenAPI    Tab = "openapi"
	Offered    Tab = "offered"
	Deprecated Tab = "deprecated"
	Raw        Tab = "raw"
)

var tabs = []struct {
	tab         Tab
	words, hint string
}{
	{Types, "Types", "Groups, versions, kinds, verbs, subresources"},
	{OpenAPI, "OpenAPI", "The documents that describe all fields"},
	{Offered, "Features", "Features of this server, detected by requests"},
	{Deprecated, "Deprecated", "Types for which the server sends a warning"},
	{Raw, "Raw discovery", "The source documents of this page"},
}

// Tabs are all tabs, the default first.
func Tabs() []Tab {
	all := make([]Tab, 0, len(tabs))
	for _, t := range tabs {
		all = append(all, t.tab)
	}
	return all
}

// Query is the part of the page's state that can be shared.
type Query struct {
	Tab    Tab    `json:"tab"`
	Type   string `json:"type,omitempty"`
	Filter string `json:"filter,omitempty"`
	Ask    bool   `json:"ask,omitempty"`
}

// ParseQuery reads a Query from the page's address.
func ParseQuery(v url.Values) Query {
	q := Query{Tab: Types, Type: v.Get(QueryType), Filter: v.Get(QueryFilter), Ask: v.Get(QueryAsk) == "1"}
	for _, t := range tabs {
		if string(t.tab) == v.Get(QueryTab) {
			q.Tab = t.tab
		}
	}
	return q
}

// Values is the inverse of ParseQuery, without defaults.
func (q Query) Values() url.Values {
	v := url.Values{QueryType: {q.Type}, QueryFilter: {q.Filter}}
	if q.Tab != Types {
		v.Set(QueryTab, string(q.Tab))
	}
	if q.Ask {
		v.Set(QueryAsk, "1")
	}
	return v
}

// Model is the page's state. Its types are those of the shell's catalog.
type Model struct {
	page.Frame
	Query     Query                `json:"query"`
	Detail    *Detail              `json:"detail,omitempty"`    // of the type in Query.Type
	Documents []Document           `json:"documents,omitempty"` // OpenAPI v3
	Offers    []components.Feature `json:"offers,omitempty"`
	// Objects are the numbers of objects, by the full names of types.
	Objects map[string]Objects `json:"objects,omitempty"`

	live *live // nil on the server
}

// Objects is the number of objects of a type in words, and a hint if the number isn't the whole truth.
type Objects struct {
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

// Detail is what other documents than discovery say about a type.
type Detail struct {
	Name       string            `json:"name"`
	Versions   []discovery.Type  `json:"versions"`             // the preferred one first
	Hashes     map[string]string `json:"hashes,omitempty"`     // of the storage version, by version
	Definition *Definition       `json:"definition,omitempty"` // of a custom resource
	// Compared are the versions whose fields were compared. Differences are the results.
	Compared    []string            `json:"compared,omitempty"`
	Differences []schema.Difference `json:"differences,omitempty"`
	Part        bool                `json:"part,omitempty"` // not all fields were compared
	Untold      string              `json:"untold,omitempty"`
}

// Definition is what a CustomResourceDefinition says about versions.
type Definition struct {
	Name       string    `json:"name"`
	Conversion string    `json:"conversion"` // None or Webhook
	Stored     []string  `json:"stored"`     // status.storedVersions
	Versions   []Defined `json:"versions"`
}

// Defined is one version of a CustomResourceDefinition.
type Defined struct {
	Name       string `json:"name"`
	Served     bool   `json:"served"`
	Storage    bool   `json:"storage"`
	Deprecated bool   `json:"deprecated"`
	Warning    string `json:"deprecationWarning"`
}

// Document is one OpenAPI v3 document.
type Document struct {
	Name string `json:"name"` // such as apis/apps/v1
	Path string `json:"path"` // with its hash
	Hash string `json:"hash"`
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{Small: page.Brief(m), Below: components.Tabs("Parts of discovery", m.tabs())}
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return []components.Key{{Keys: []string{"/"}, Does: "Filter"}}
}

func (m Model) queryAddress(q Query) string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Discovery), q.Values())
}

func (m Model) tabs() []components.Link {
	var links []components.Link
	for _, t := range tabs {
		links = append(links, components.Link{
			Text: t.words, Hint: t.hint, Href: m.queryAddress(Query{Tab: t.tab, Filter: m.Query.Filter}), Current: t.tab == m.Query.Tab,
		})
	}
	return links
}

// passes tells whether all words of the filter are in one of a type's names.
func (q Query) passes(t discovery.Type) bool {
	text := strings.ToLower(strings.Join([]string{
		t.FullName(), t.Kind, t.Singular, t.GroupVersion(), strings.Join(t.ShortNames, " "), strings.Join(t.Categories, " "), strings.Join(t.Verbs, " "),
		t.Scope(), t.Parts(),
	}, " "))
	for _, word := range strings.Fields(strings.ToLower(q.Filter)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// group is an API group with the types that pass the filter.
type group struct {
	discovery.Group
	types []discovery.Type
}

func (m Model) groups() (groups []group, passed, all int) {
	for _, g := range m.Shell.Catalog.Groups {
		one := group{Group: g}
		for _, t := range (discovery.Catalog{Groups: []discovery.Group{g}}).Preferred() {
			all++
			if m.Query.passes(t) {
				one.types = append(one.types, t)
				passed++
			}
		}
		if len(one.types) > 0 {
			groups = append(groups, one)
		}
	}
	return groups, passed, all
}

// versions are the versions of a type as text, the shown one first.
func (m Model) versions(t discovery.Type) string {
	var names []string
	for _, v := range m.Shell.Catalog.Versions(t.Group, t.Resource) {
		names = append(names, v.Version)
	}
	return strings.Join(names, ", ")
}

// The paths of a type, with placeholders for names.
func collection(t discovery.Type) apipath.Path {
	namespace := ""
	if t.Namespaced {
		namespace = "default"
	}
	return apipath.Collection(t.Group, t.Version, namespace, t.Resource)
}

const someName = "NAME"

func subresourcePath(t discovery.Type, s discovery.Subresource) apipath.Path {
	c := collection(t)
	return apipath.SubresourceOf(apipath.Object(c.Group, c.Version, c.Namespace, c.Resource, someName), s.Name)
}

// methods are the HTTP methods of the verbs on an object's path.
var methods = map[string]string{"get": "GET", "create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE", "deletecollection": "DELETE"}

// console is the address of the request console for a verb on a path.
func (m Model) console(verb, path string) string {
	method := methods[verb]
	if method == "" {
		method = "GET"
	}
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Request), url.Values{"method": {method}, "path": {path}})
}
