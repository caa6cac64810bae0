package palette

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// DoTheme is the beginning of the action that changes the colors. The choice follows: light, dark or auto.
const DoTheme = "theme "

// Commands are the commands that every page has, and those for the object or the type of the page. A command that isn't possible here says why.
func Commands(frame shell.Model) []Entry {
	var all []Entry
	for _, c := range [][2]string{{"light", "light"}, {"dark", "dark"}, {"auto", "as the system"}} {
		all = append(all, Entry{Kind: Action, Text: "Colors: " + c[1], Run: DoTheme + c[0], also: []string{"theme " + c[0], "colours " + c[0]}})
	}
	if !frame.In() {
		return all
	}
	all = append(all, Entry{
		Kind: Action, Text: "Start a contention scan…", Beside: "who fights over which field",
		Href: web.Tool(frame.Cluster.Slug, web.Contention), also: []string{"scan", "fights"},
	})
	t, known := frame.Catalog.Type(frame.Path.Group, frame.Path.Version, frame.Path.Resource)
	if known && frame.Path.IsResource() && t.Listable() {
		text := "Add " + shell.Plural(t) + " to favorites"
		if frame.IsFavourite(t) {
			text = "Remove " + shell.Plural(t) + " from favorites"
		}
		all = append(all, Entry{Kind: Action, Text: text, Run: shell.DoFavourite + t.FullName(), also: []string{"favourite", "star"}})
	}
	return append(all, onObject(frame, t, known)...)
}

// command is a command for an object.
type command struct {
	text, beside string
	also         []string
	address      func(slug string, of apipath.Path) string
	unable       func(discovery.Type) string // why the type doesn't have it; empty: it has
}

// onObject are the commands for the object of the page. Without an object that has the command, it asks for one. If no type has it, it says why.
func onObject(frame shell.Model, t discovery.Type, known bool) []Entry {
	var all []Entry
	at := frame.Path
	object := known && at.Name != "" && (at.Kind == apipath.KindObject || at.Kind == apipath.KindSubresource)
	for _, c := range commands() {
		e := Entry{Kind: Action, Text: c.text, also: c.also}
		switch {
		case object && c.unable(t) == "":
			e.Beside, e.Href = at.Name+", "+c.beside, c.address(frame.Cluster.Slug, apipath.ObjectOf(at))
		case slices.ContainsFunc(frame.Catalog.Listable(), c.able):
			e.Beside, e.Run, e.aim = c.beside+"; asks which object", runAim, &c
		default:
			e.Unable = "No resource type of this cluster allows it."
			e.Beside = e.Unable
		}
		all = append(all, e)
	}
	return all
}

// title is the name without the mark that more is asked.
func (c command) title() string { return strings.TrimSuffix(c.text, "…") }

// able tells whether objects of a type have the command.
func (c command) able(t discovery.Type) bool { return c.unable(t) == "" }

// workloads are the types whose controllers roll out changes.
var workloads = []string{"deployments.apps", "statefulsets.apps", "daemonsets.apps"}

func commands() []command {
	tool := func(name, field string) func(string, apipath.Path) string {
		return func(slug string, of apipath.Path) string {
			return web.WithQuery(web.Tool(slug, name), url.Values{field: {of.String()}})
		}
	}
	verb := func(verb string) func(discovery.Type) string {
		return func(t discovery.Type) string {
			if t.Can(verb) {
				return ""
			}
			return fmt.Sprintf("The API server has no verb %s for %s.", verb, t.Resource)
		}
	}
	return []command{
		{"Edit…", "in the apply preview", []string{"change", "apply"}, tool(web.Apply, "edit"), verb("patch")},
		{"Scale…", "the number of replicas", []string{"replicas"}, acting("scale"), unscaled},
		{"Restart…", "new Pods, as the strategy allows", []string{"rollout restart"}, acting("restart"), only("Deployments, StatefulSets and DaemonSets can be restarted.", workloads...)},
		{"Roll back…", "to an earlier revision", []string{"rollout undo", "rollback"}, acting("rollback"), only("Deployments, StatefulSets and DaemonSets can be rolled back.", workloads...)},
		{"Cordon…", "no new Pods on this node", []string{"unschedulable", "uncordon"}, acting("cordon"), only("Nodes can be cordoned.", "nodes")},
		{"Drain…", "evict the Pods of this node", []string{"evict"}, acting("drain"), only("Nodes can be drained.", "nodes")},
		{"Act…", "what else can be done, with its requests", []string{"acts", "label", "annotate", "pause", "suspend", "set image"}, acting(""), verb("patch")},
		{"Delete…", "first see what else is deleted", []string{"remove"}, tool(web.Delete, "path"), verb("delete")},
		{"Watch this object", "its timeline", []string{"follow", "timeline", "history"}, watching, verb("watch")},
		{"Ownership assistants…", "move fields to another manager", []string{"hand over", "owners", "managers"}, tool(web.Assist, web.AssistPath), verb("patch")},
	}
}

// acting is the address of an act on the object.
func acting(name string) func(string, apipath.Path) string {
	return func(slug string, of apipath.Path) string { return web.ActOn(slug, name, of.String()) }
}

func unscaled(t discovery.Type) string {
	if s, ok := t.Subresource("scale"); ok && s.Can("patch") {
		return ""
	}
	return fmt.Sprintf("The type %s has no subresource scale.", t.Resource)
}

// only says that just some types have an act, given by their full names.
func only(words string, types ...string) func(discovery.Type) string {
	return func(t discovery.Type) string {
		if slices.Contains(types, t.FullName()) && t.Can("patch") {
			return ""
		}
		return "Only " + words
	}
}

func watching(slug string, of apipath.Path) string {
	return web.WithQuery(web.Page(slug, of.String()), url.Values{"tab": {"timeline"}})
}
