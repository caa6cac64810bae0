// Package views lists the views of one object: the tabs that its pages share. Most of them are one page, which shows the object itself. Those that show
// what runs are pages of their own, and of another program for the browser.
package views

import (
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/web"
)

// View is one of an object's views.
type View string

// The views. The first is the default.
const (
	Fields   View = "fields"
	Describe View = web.DescribeTab
	YAML     View = "yaml"
	JSON     View = "json"
	Timeline View = "timeline"
	Schema   View = "schema"
	Events   View = "events"
	Related  View = "related"
	Logs     View = web.LogsTab
	Shell    View = web.ShellTab
	Usage    View = web.UsageTab
)

// known are all views but the default.
var known = lazy.Value[map[View]bool]{Make: func() map[View]bool {
	return map[View]bool{Describe: true, YAML: true, JSON: true, Timeline: true, Schema: true, Events: true, Related: true, Logs: true, Shell: true, Usage: true}
}}

// formerly are views by names in addresses of before.
var formerly = map[View]View{"owners": Related}

// Known tells whether the query names no view, or one that there is.
func Known(query url.Values) bool {
	v := View(query.Get(web.TabField))
	_, former := formerly[v]
	return v == "" || v == Fields || known.Get()[v] || former
}

// Parse reads a view from the query. An unknown view becomes the default. Without a view, managed=1 selects YAML, because managedFields are part of that
// text.
func Parse(query url.Values) View {
	v := View(query.Get(web.TabField))
	if now, is := formerly[v]; is {
		v = now
	}
	switch {
	case known.Get()[v]:
		return v
	case query.Get("managed") == "1":
		return YAML
	}
	return Fields
}

// logged are the types with logs: pods, and types whose objects select pods, by group and resource.
var logged = lazy.Value[map[[2]string]bool]{Make: func() map[[2]string]bool {
	return map[[2]string]bool{
		{"", "pods"}: true, {"", "services"}: true, {"", "replicationcontrollers"}: true,
		{"apps", "deployments"}: true, {"apps", "statefulsets"}: true, {"apps", "daemonsets"}: true, {"apps", "replicasets"}: true, {"batch", "jobs"}: true,
	}
}}

// HasLogs tells whether objects of a type have the view Logs.
func HasLogs(t discovery.Type) bool { return logged.Get()[[2]string{t.Group, t.Resource}] }

// HasShell tells whether objects of a type have the view Shell.
func HasShell(t discovery.Type) bool { return t.Group == "" && t.Resource == "pods" }

// described are the types with descriptions: those of package kube/describe, which only one of the programs for the browser links.
var described = lazy.Value[map[[2]string]bool]{Make: func() map[[2]string]bool {
	return map[[2]string]bool{
		{"", "pods"}: true, {"batch", "jobs"}: true, {"", "nodes"}: true, {"", "services"}: true, {"networking.k8s.io", "ingresses"}: true, {"", "persistentvolumeclaims"}: true,
	}
}}

// HasDescription tells whether objects of a type have the view Describe.
func HasDescription(t discovery.Type) bool { return described.Get()[[2]string{t.Group, t.Resource}] }

// Of are the views of an object, or of its subresource.
func Of(t discovery.Type, p apipath.Path, catalog discovery.Catalog) []View {
	if p.Kind != apipath.KindObject {
		return []View{Fields, YAML, JSON, Schema}
	}
	all := []View{Fields}
	if HasDescription(t) {
		all = append(all, Describe)
	}
	return append(append(all, YAML, JSON, Timeline, Schema, Events, Related), running(t, catalog)...)
}

// running are the views that show what runs.
func running(t discovery.Type, catalog discovery.Catalog) (all []View) {
	if HasLogs(t) {
		all = append(all, Logs)
	}
	if t.Group != "" || t.Resource != "pods" && t.Resource != "nodes" {
		return all
	}
	if HasShell(t) {
		all = append(all, Shell)
	}
	if len(catalog.Versions(MetricsGroup, t.Resource)) > 0 {
		all = append(all, Usage)
	}
	return all
}

// MetricsGroup is the API group that says what pods and nodes use.
const MetricsGroup = "metrics.k8s.io"

// Unmeasured tells that the object would have the view Usage if the cluster served metrics.
func Unmeasured(t discovery.Type, catalog discovery.Catalog) bool {
	return t.Group == "" && (t.Resource == "pods" || t.Resource == "nodes") && len(catalog.Versions(MetricsGroup, t.Resource)) == 0
}

// Query is the query of the view's address.
func (v View) Query() url.Values {
	query := url.Values{}
	if v != Fields {
		query.Set(web.TabField, string(v))
	}
	return query
}

// Address is the address of the view of the object at an API path.
func (v View) Address(slug string, p apipath.Path) string {
	return web.WithQuery(web.Page(slug, p.String()), v.Query())
}

// Link is the view as a tab.
func (v View) Link(slug string, p apipath.Path, current View) components.Link {
	return components.Link{Text: v.Words(), Href: v.Address(slug, p), Hint: v.hint(), Current: v == current, Why: why.In(topics.Get(), v)}
}

var words = lazy.Value[map[View]string]{Make: func() map[View]string {
	return map[View]string{
		Fields: "Fields", Describe: "Describe", YAML: "YAML", JSON: "JSON", Timeline: "Timeline", Schema: "Schema", Events: "Events", Related: "Related", Logs: "Logs", Shell: "Shell",
		Usage: "Usage",
	}
}}

// Words are the view's name on its tab.
func (v View) Words() string { return words.Get()[v] }

// topics are the explanations of the views.
var topics = lazy.Value[map[View]why.Topic]{Make: func() map[View]why.Topic {
	return map[View]why.Topic{
		Fields:   why.Ownership,
		Describe: why.Event,
		YAML:     why.YAML,
		JSON:     why.JSON,
		Timeline: why.Watch,
		Schema:   why.OpenAPI,
		Events:   why.Event,
		Related:  why.OwnerReference,
		Logs:     why.Subresources,
		Shell:    why.Subresources,
		Usage:    why.AggregatedAPI,
	}
}}

func (v View) hint() string {
	switch v {
	case Fields:
		return "Who owns each field of the object"
	case Describe:
		return "How the object is, and what it waits for, in plain words"
	case JSON:
		return "The object as JSON"
	case Timeline:
		return "Every change since you opened this page: what changed, and who changed it"
	case Schema:
		return "What each field of the kind means, and how it is merged"
	case Events:
		return "Events about this object"
	case Related:
		return "Owners and dependents of this object, and other objects that are connected with it"
	case Logs:
		return "What the containers write, as they write it"
	case Shell:
		return "A shell in a container, a container’s terminal, or a debug container"
	case Usage:
		return "Processor and memory in use, beside requests and limits"
	default:
		return "The object as YAML"
	}
}
