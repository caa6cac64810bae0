package palette

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// DoTheme is the beginning of the action that changes the colors. The choice follows: light, dark or auto.
const DoTheme = "theme "

// Commands are the commands that every page has, and those for the object or the type of the page. A command that isn't possible here says why.
func Commands(frame shell.Model, now time.Time) []Entry {
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
	return append(all, onObject(frame, t, known, now)...)
}

// command is a command for an object.
type command struct {
	text, beside string
	also         []string
	address      func(slug string, of apipath.Path) string
	unable       func(discovery.Type) string // why the type doesn't have it; empty: it has
}

// onObject are the commands for the object of the page. Without an object, they say that they need one.
func onObject(frame shell.Model, t discovery.Type, known bool, now time.Time) []Entry {
	var all []Entry
	at := frame.Path
	object := known && at.Name != "" && (at.Kind == apipath.KindObject || at.Kind == apipath.KindSubresource)
	for _, c := range commands(now) {
		e := Entry{Kind: Action, Text: c.text, also: c.also}
		switch {
		case !object:
			e.Unable = "Open an object first."
		case c.unable(t) != "":
			e.Unable = c.unable(t)
		default:
			e.Beside, e.Href = at.Name+", "+c.beside, c.address(frame.Cluster.Slug, apipath.ObjectOf(at))
		}
		if e.Unable != "" {
			e.Beside = e.Unable
		}
		all = append(all, e)
	}
	return all
}

func commands(now time.Time) []command {
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
		{"Scale…", "the number of replicas, in the apply preview", []string{"replicas"}, scaling, unscaled},
		{"Restart…", "a request that you can send", []string{"rollout restart"}, restarting(now), unrestarted},
		{"Delete…", "first see what else is deleted", []string{"remove"}, tool(web.Delete, "path"), verb("delete")},
		{"Watch this object", "its timeline", []string{"follow", "timeline", "history"}, watching, verb("watch")},
		{"Ownership assistants…", "move fields to another manager", []string{"hand over", "owners", "managers"}, tool(web.Assist, web.AssistPath), verb("patch")},
	}
}

func scaling(slug string, of apipath.Path) string {
	return web.WithQuery(web.Tool(slug, web.Apply), url.Values{"edit": {apipath.SubresourceOf(of, "scale").String()}})
}

func unscaled(t discovery.Type) string {
	if s, ok := t.Subresource("scale"); ok && s.Can("patch") {
		return ""
	}
	return fmt.Sprintf("The type %s has no subresource scale.", t.Resource)
}

func watching(slug string, of apipath.Path) string {
	return web.WithQuery(web.Page(slug, of.String()), url.Values{"tab": {"timeline"}})
}

// restarting is the address of the console with the request that kubectl rollout restart sends.
func restarting(now time.Time) func(string, apipath.Path) string {
	body := fmt.Sprintf("{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"kubectl.kubernetes.io/restartedAt\":%q}}}}}\n", now.Format(time.RFC3339))
	return func(slug string, of apipath.Path) string {
		return web.WithQuery(web.Tool(slug, web.Request), url.Values{"method": {"PATCH"}, "path": {of.String()}, "contentType": {"strategic"}, "body": {body}})
	}
}

func unrestarted(t discovery.Type) string {
	if t.Group == "apps" && slices.Contains([]string{"deployments", "statefulsets", "daemonsets"}, t.Resource) && t.Can("patch") {
		return ""
	}
	return "Only Deployments, StatefulSets and DaemonSets can be restarted."
}
