package web_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/access"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/chunk"
	scan "github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	history "github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/signin"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/lab/chunks"
	"github.com/fieldmark/fieldmark/web/lab/contention"
	"github.com/fieldmark/fieldmark/web/lab/representations"
	requestpage "github.com/fieldmark/fieldmark/web/lab/request"
	"github.com/fieldmark/fieldmark/web/lab/requests"
	"github.com/fieldmark/fieldmark/web/lab/versions"
	"github.com/fieldmark/fieldmark/web/read/clusters"
	"github.com/fieldmark/fieldmark/web/read/collection"
	"github.com/fieldmark/fieldmark/web/read/events"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
	"github.com/fieldmark/fieldmark/web/read/object/owners"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
	"github.com/fieldmark/fieldmark/web/read/overview"
	"github.com/fieldmark/fieldmark/web/read/timeline"
	"github.com/fieldmark/fieldmark/web/read/watched"
	"github.com/fieldmark/fieldmark/web/read/whoami"
	actpage "github.com/fieldmark/fieldmark/web/run/act"
	"github.com/fieldmark/fieldmark/web/run/subject"
	"github.com/fieldmark/fieldmark/web/run/terminal"
	"github.com/fieldmark/fieldmark/web/write/assist"
	deletion "github.com/fieldmark/fieldmark/web/write/delete"
	explainpage "github.com/fieldmark/fieldmark/web/write/explain"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// sample makes pages in which every text that comes from a cluster is the given one.
type sample string

// shells are the Shell view of a pod, as the server makes it.
func (s sample) shells() map[string]templ.Component {
	m := terminal.Model{Subject: subject.Subject{Frame: page.Frame{Shell: s.shell(apipath.Object("", "v1", "shop", "pods", "web"))}, Type: s.podType(), View: views.Shell, Now: now}}
	m.Subject.Shell.ReadOnly = false
	m.Subject.Object = object.Object{Fields: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": s.text(), "namespace": "shop"},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": s.text(), "image": s.text(), "ports": []any{map[string]any{"name": s.text(), "containerPort": json.Number("80"), "protocol": "TCP"}, map[string]any{"containerPort": json.Number("53"), "protocol": s.text()}},
		}}},
		"status": map[string]any{"containerStatuses": []any{map[string]any{"name": s.text(), "state": map[string]any{"waiting": map[string]any{"reason": s.text()}}}}},
	}}
	empty, only, debug, attach := m, m, m, m
	empty.Subject.Object = object.Object{Fields: map[string]any{"apiVersion": "v1", "kind": "Pod"}}
	only.Subject.Shell.ReadOnly = true
	only.Choice = terminal.ParseChoice(url.Values{"command": {s.text()}, "container": {s.text()}})
	debug.Choice = terminal.ParseChoice(url.Values{"how": {"debug"}, "image": {s.text()}, "name": {s.text()}, "target": {s.text()}})
	attach.Choice = terminal.ParseChoice(url.Values{"how": {"attach"}})
	return map[string]templ.Component{
		"in a shell": page.View(m), "in a shell, no containers": page.View(empty), "in a shell, read only": page.View(only), "in a shell, debug": page.View(debug), "in a shell, attach": page.View(attach),
	}
}

// pages are all pages in all their states. Those whose names begin with "in " stand inside a cluster.
func (s sample) pages() map[string]templ.Component {
	pages := map[string]templ.Component{}
	for _, some := range []map[string]templ.Component{
		s.outside(), s.collections(), s.checks(), s.objects(), s.overviews(), s.happened(), s.whoAmI(), s.scans(), s.watchedObjects(), s.workbench(), s.records(), s.explanations(), s.consoles(), s.laboratory(), s.laboratories(), s.representations(), s.twoServers(), s.lessons(), s.guide(), s.usage(), s.logs(), s.shells(), s.acts(), s.dooms(), s.undelivered(), s.refusals(),
	} {
		for name, page := range some {
			pages[name] = page
		}
	}
	return pages
}

func (s sample) text() string { return string(s) }

func (s sample) outsideShell() shell.Model {
	return shell.Model{
		Title: "A title", Origin: "http://127.0.0.1:1", Here: "/", Assets: shell.Assets{Stylesheet: "/static/fieldmark.css", Icon: "/static/icon.svg"},
		Clusters: []shell.Cluster{{Slug: "practice", Name: s.text()}, {Slug: "other", Name: "other"}},
	}
}

func (s sample) podType() discovery.Type {
	return discovery.Type{
		Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, ShortNames: []string{s.text()},
		Verbs:        []string{"get", "list", "watch"},
		Subresources: []discovery.Subresource{{Name: s.text(), Kind: s.text(), Verbs: []string{"get"}}},
	}
}

func (s sample) oddType() discovery.Type {
	return discovery.Type{Group: s.text(), Version: "v1", Resource: s.text(), Kind: s.text(), Verbs: []string{"list", s.text()}}
}

func (s sample) shell(p apipath.Path) shell.Model {
	m := s.outsideShell()
	m.Title, m.ReadOnly, m.Theme, m.Path = s.text(), true, "dark", p
	m.Cluster = m.Clusters[0]
	m.Namespaces, m.MoreNamespaces, m.NamespacesNote = []string{"default", s.text()}, true, s.text()
	m.Catalog = discovery.Catalog{
		Groups: []discovery.Group{
			{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{s.podType()}}}},
			{Name: s.text(), Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{s.oddType()}}, {Name: s.text()}}},
		},
		Failures: []discovery.Failure{{Group: s.text(), Version: "v1", Why: s.text()}},
	}
	m.Requests = []components.Request{
		{Verb: "list", Method: "GET", Target: "/api/v1/" + s.text(), Status: 200, MediaType: s.text(), Bytes: 1},
		{Verb: "get", Method: "GET", Target: "/" + s.text(), Status: 500},
	}
	who := manager.Manager{Name: s.text(), Operation: s.text(), Subresource: s.text()}
	m.Fights = []scan.Known{{From: scan.FromScan, Fight: scan.Fight{
		Object: scan.Object{Path: p.String(), Kind: s.text(), Namespace: s.text(), Name: s.text()}, Path: s.text(), Count: 3, Last: now,
		Managers: []scan.Manager{who, {Name: "other"}}, Values: [2]string{s.text(), ""},
	}}}
	return m
}

func (s sample) notice() components.Notice {
	return components.Notice{
		Tone: components.Warn, Title: s.text(), Words: s.text(), Advice: s.text(), Quoted: s.text(), Details: []string{s.text()},
		Links: []components.Link{{Text: s.text(), Href: "/", Hint: s.text()}},
	}
}

func (s sample) outside() map[string]templ.Component {
	notice := s.notice()
	card := clusters.Entry{
		Cluster: shell.Cluster{Slug: "practice", Name: s.text()}, Server: s.text(), User: s.text(), Source: s.text(), State: "ready",
		Tone: components.Good, Words: s.text(), Advice: s.text(), Version: s.text(), Usable: true,
	}
	broken := card
	broken.Parts = []clusters.Part{{Kind: "cluster", Name: s.text(), File: s.text(), LeftOut: []clusters.LeftOut{{File: broken.Source}, {File: s.text(), Same: true}}}}
	broken.Usable, broken.Cluster.Slug = false, "other"
	titled := s.outsideShell()
	titled.Title = "Choose a cluster"
	bare := shell.Model{Title: "Not signed in", Assets: titled.Assets}
	return map[string]templ.Component{
		"clusters":           page.View(clusters.Model{Frame: page.Frame{Shell: titled}, Doors: []clusters.Door{{Name: "owner", Title: "See", Words: s.text(), Href: "/c/practice"}, {Name: "guide", Title: "Begin", Words: s.text()}}, Entries: []clusters.Entry{card, broken}}),
		"clusters, none":     page.View(clusters.Model{Frame: page.Frame{Shell: titled}}),
		"clusters, trouble":  page.View(clusters.Model{Frame: page.Frame{Shell: titled}, Trouble: []components.Notice{notice}}),
		"clusters, starting": page.View(clusters.Model{Frame: page.Frame{Shell: titled}, Entries: []clusters.Entry{broken}, Steps: []clusters.Step{{Name: "etcd", State: "done", Words: s.text()}}, Refresh: true}),
		"no such page":       page.View(errorpage.Model{Frame: page.Frame{Shell: titled}, Notice: notice}),
		"not signed in":      signin.Model{Shell: bare, Words: "You are not signed in.", Link: true, Again: "/c/practice"}.View(),
		"sign in":            signin.Model{Shell: bare, Words: "Enter the launch token.", Form: true, Next: s.text()}.View(),
		"sign in for a cluster": signin.Model{Shell: bare, Words: "Choose a cluster, and how to sign in.", Action: "/-/sign-in", Next: s.text(), Places: []signin.Place{
			{Slug: "a", Title: s.text(), Wanted: true, Start: "/-/sign-in/start", By: s.text(), Token: true, Why: s.text()},
			{Slug: "b", Title: "b", Person: s.text(), Start: "/-/sign-in/start", By: "login"},
			{Slug: "c", Title: "c", Token: true},
		}, Leads: []components.Link{{Text: s.text(), Href: "/"}}}.View(),
		"make a link":          signin.Model{Shell: bare, Words: "This browser is signed in.", Share: true}.View(),
		"a link":               signin.Model{Shell: bare, Words: "Open this link in the other browser.", Made: "http://127.0.0.1:8080/?code=x"}.View(),
		"in a cluster, broken": page.View(errorpage.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Notice: notice}),
	}
}

func (s sample) collection() collection.Model {
	row := table.Row{
		UID: s.text(), Namespace: s.text(), Name: s.text(), ResourceVersion: s.text(), Created: now, Labels: table.LabelsOf(map[string]string{s.text(): s.text()}), Deleting: true,
		Cells: []table.Cell{table.Cell(s), table.Cell(s), table.Cell(s), "Running"},
	}
	other := row
	other.UID += " too"
	remaining := int64(12000)
	return collection.Model{
		Frame: page.Frame{Shell: s.shell(apipath.Collection("", "v1", "", "pods"))}, Type: s.podType(), Query: collection.Query{Limit: collection.DefaultLimit},
		Table: table.Table{
			Columns: []table.Column{
				{Name: s.text(), Type: "string", Format: "name", Description: s.text()},
				{Name: "Ready", Type: "integer"},
				{Name: "Wide", Type: "string", Priority: 1},
				{Name: "Status", Type: "string"},
			},
			Rows: []table.Row{row, other}, ResourceVersion: s.text(), Continue: s.text(), Remaining: &remaining, Printed: true,
		},
	}
}

func (s sample) collections() map[string]templ.Component {
	notice := s.notice()
	pages := map[string]templ.Component{}
	add := func(name string, change func(*collection.Model)) {
		m := s.collection()
		change(&m)
		pages["in a collection"+name] = page.View(m)
	}
	add("", func(*collection.Model) {})
	add(", all asked for", func(m *collection.Model) {
		m.Query = collection.Query{
			LabelSelector: s.text(), FieldSelector: s.text(), Limit: 7, Continue: s.text(), Wide: true,
			Sort: table.Order{Column: s.text(), Descending: true},
		}
	})
	add(", of one namespace", func(m *collection.Model) { m.Shell.Path = m.Shell.Path.In(s.text()) })
	add(", unprinted", func(m *collection.Model) { m.Table.Printed = false })
	add(", forbidden", func(m *collection.Model) { m.Problem = &notice })
	add(", filtered away", func(m *collection.Model) { m.Query.Filter = "nothing holds this" + s.text() })
	add(", of an odd type", func(m *collection.Model) { m.Type = s.oddType() })
	add(", empty", func(m *collection.Model) { m.Table.Rows = nil })
	add(", of no namespace", func(m *collection.Model) {
		m.Shell.Path, m.Table.Rows, m.NoNamespace = m.Shell.Path.In(s.text()), nil, true
	})
	return pages
}

func (s sample) object() objectpage.Model {
	return objectpage.Model{
		Frame: page.Frame{Shell: s.shell(apipath.Object("", "v1", s.text(), "pods", s.text()))}, Type: s.podType(), Tab: objectpage.YAML, Now: now,
		Object: object.Object{Fields: map[string]any{
			"apiVersion": s.text(), "kind": s.text(),
			"metadata": map[string]any{
				"name": s.text(), "resourceVersion": s.text(), "creationTimestamp": "2026-11-21T10:00:00Z", "deletionTimestamp": "2026-11-21T11:00:00Z",
				"finalizers": []any{s.text()}, "managedFields": []any{map[string]any{"manager": s.text()}}, "annotations": map[string]any{"a": s.text()},
			},
			"status": map[string]any{"conditions": []any{map[string]any{"type": s.text(), "status": s.text(), "reason": s.text(), "message": s.text()}}},
		}},
	}
}

func (s sample) objects() map[string]templ.Component {
	notice := s.notice()
	ref := dependents.Ref{Kind: s.text(), APIVersion: s.text(), Namespace: s.text(), Name: s.text(), Href: "/c/practice", Controller: true, Blocks: true, Created: now, Depth: 9}
	unserved := ref
	unserved.Href = ""
	pages := s.claims()
	add := func(name string, change func(*objectpage.Model)) {
		m := s.object()
		change(&m)
		pages["in an object"+name] = page.View(m)
	}
	add("", func(*objectpage.Model) {})
	add(", fields", func(m *objectpage.Model) { m.Tab = objectpage.Fields })
	add(", fields, a look", func(m *objectpage.Model) {
		m.Tab, m.Outline, m.Object = objectpage.Fields, s.outline(), s.owned()
		m.Fields.Reading = fields.Reading{Field: ".spec." + s.text(), Managers: []string{s.text()}, Only: fields.Shared}
	})
	add(", fields, a field there is not", func(m *objectpage.Model) {
		m.Tab, m.Object, m.Fields.Untold, m.Fields.Reading = objectpage.Fields, s.owned(), s.text(), fields.Reading{Field: s.text(), Filter: "nothing holds this" + s.text()}
	})
	add(", JSON", func(m *objectpage.Model) { m.Tab = objectpage.JSON })
	add(", managed", func(m *objectpage.Model) { m.Managed = true })
	add(", secret", func(m *objectpage.Model) {
		m.Secrets.Values = []object.SecretValue{{Key: s.text(), Bytes: 3}, {Key: "other", Bytes: 1}}
		m.Secrets.Reveal = &secrets.Revealed{Key: s.text(), Text: s.text(), Data: true}
	})
	add(", events", func(m *objectpage.Model) { m.Tab, m.Events.Table = objectpage.Events, s.collection().Table })
	add(", no events", func(m *objectpage.Model) { m.Tab = objectpage.Events })
	add(", owners", func(m *objectpage.Model) {
		m.Tab, m.Owners.Owners, m.Owners.Owned = objectpage.Owners, []dependents.Ref{ref, unserved}, []dependents.Ref{ref, unserved}
		m.Owners.Search = dependents.Search{Types: 3, Objects: 40, Where: "in all namespaces", LeftOut: []string{s.text()}}
		m.Owners.State = dependents.State{Words: s.text(), Ready: s.text(), Tone: components.Bad}
		m.Owners.Groups = []owners.Group{
			{ID: "refers-to", Title: "Refers to", Refs: []dependents.Ref{ref, unserved}, Notes: []string{s.text()}, Searched: []string{s.text()}, All: "/c/practice"},
			{ID: "endpoints", Title: "Endpoints", Endpoints: []owners.Endpoint{{Endpoint: reference.Endpoint{Address: s.text(), Target: s.text(), Node: s.text()}, Href: "/c/practice"}}},
		}
	})
	add(", no owners", func(m *objectpage.Model) {
		m.Tab, m.Owners.Search = objectpage.Owners, dependents.Search{Finished: true}
	})
	add(", schema", func(m *objectpage.Model) { m.Tab, m.Outline = objectpage.Schema, s.outline() })
	add(", schema, nowhere", func(m *objectpage.Model) {
		m.Tab, m.Outline = objectpage.Schema, outline.New(s.outline().Schema, url.Values{"field": {s.text()}, "open": {"none"}})
	})
	add(", schema, nothing told", func(m *objectpage.Model) { m.Tab, m.Outline = objectpage.Schema, &outline.Outline{} })
	add(", problem", func(m *objectpage.Model) { m.Tab, m.Problem = objectpage.Events, &notice })
	add(", watched", func(m *objectpage.Model) {
		m.Type.Verbs = append(m.Type.Verbs, "watch")
		m.Watched = &scan.Watched{Object: scan.Object{Path: s.text()}, Began: now, Ends: now.Add(time.Hour), State: scan.Troubled, Why: s.text()}
		rec := history.NewRecording(history.Limits{Versions: 9, Bytes: 1 << 20})
		rec.Add(m.Object, now)
		m.Tab, m.Kept = objectpage.Timeline, timeline.KeptOf(rec)
	})
	add(", subresource", func(m *objectpage.Model) { m.Shell.Path = apipath.SubresourceOf(m.Shell.Path, "status") })
	return pages
}

// happened are the pages of a cluster's events.
func (s sample) happened() map[string]templ.Component {
	notice := s.notice()
	m := events.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Query: events.Query{Namespace: "other", Warnings: true}, Read: now, Rest: -1}
	none, failed := m, m
	failed.Problem = &notice
	m.Groups = []health.EventGroup{
		{About: health.Ref{Kind: s.text(), Namespace: s.text(), Name: s.text(), Path: "/api/v1/namespaces/shop/pods/web"}, Reason: s.text(), Warning: true, Count: 3, First: now, Last: now, Message: s.text(), Others: 1},
		{About: health.Ref{Kind: s.text(), Name: s.text()}, Reason: s.text(), Message: s.text()},
	}
	return map[string]templ.Component{"in events": page.View(m), "in events, none": page.View(none), "in events, problem": page.View(failed)}
}

// whoAmI are the pages that say who the reader is, also while the reader views the cluster as somebody else.
func (s sample) whoAmI() map[string]templ.Component {
	notice := s.notice()
	m := whoami.Model{
		Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Query: whoami.Query{Namespace: s.text(), Filter: s.text()}, Now: now,
		User:  &access.User{Name: s.text(), UID: s.text(), Groups: []string{s.text(), "system:masters"}, Extra: map[string][]string{s.text(): {s.text()}}},
		Login: whoami.Login{Facts: []components.Fact{{Name: s.text(), Text: s.text()}}, Ends: now, Notes: []string{s.text()}},
		Rules: &whoami.Rules{Incomplete: true, Error: s.text(), Rows: []access.Granted{
			{Group: s.text(), Resource: s.text(), Names: []string{s.text(), s.text()}, Verbs: []string{s.text()}}, {Path: s.text(), Verbs: []string{"*"}}, {Resource: "pods", Verbs: []string{"get"}},
		}, Match: 4, Total: 5},
	}
	m.Shell.User, m.Shell.ReadOnly, m.Shell.Why = s.text(), true, s.text()
	m.Shell.View = shell.Viewed{Cluster: s.text(), User: s.text(), Groups: []string{s.text(), s.text()}}
	failed := m
	failed.User, failed.Unknown, failed.Rules, failed.Problem = nil, &notice, nil, &notice
	failed.Asked, failed.Refuse, failed.Missing = whoami.Asked{User: s.text(), Groups: s.text()}, &notice, s.text()
	return map[string]templ.Component{"in who am I": page.View(m), "in who am I, problem": page.View(failed)}
}

// workbench are the pages on which one deletes an object, or moves who owns its fields, as they come from the server.
func (s sample) workbench() map[string]templ.Component {
	pages := map[string]templ.Component{}
	ref := dependents.Ref{Kind: s.text(), APIVersion: s.text(), Namespace: s.text(), Name: s.text(), Href: "/c/practice", Blocks: true, Others: 1, Created: now}
	held := s.owned()
	metadata, _ := held.Fields["metadata"].(map[string]any)
	metadata["finalizers"], metadata["ownerReferences"] = []any{s.text(), s.text() + "/too"}, []any{map[string]any{"kind": s.text(), "name": s.text(), "controller": true}}
	for name, options := range map[string]deletion.Options{
		"": {Propagation: deletion.Background}, ", with all chosen": {Propagation: deletion.Foreground, Grace: s.text(), OnlyIf: deletion.Whatever},
	} {
		pages["in a deletion"+name] = page.View(deletion.Model{
			Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Path: apipath.Object("", "v1", s.text(), "pods", s.text()), Type: s.podType(), Object: held, Options: options, Now: now,
			Owned: []dependents.Ref{ref}, Search: dependents.Search{Where: s.text(), LeftOut: []string{s.text()}},
		})
	}
	key := strings.Join([]string{s.text(), "Apply", s.text(), s.text()}, "|")
	for name, choice := range map[string]assist.Choice{
		"hand over": {Do: assist.HandOver, From: key, Fields: []string{".spec." + s.text(), s.text()}, Name: s.text(), How: s.text()}, "nothing chosen": {Do: assist.HandOver},
		"to server side": {Do: assist.ToServerSide, Name: s.text()}, "to client side": {Do: assist.ToClientSide, Name: s.text()},
		"release": {Do: assist.Release, From: key}, "clear": {Do: assist.Clear},
	} {
		pages["in an assistant, "+name] = page.View(assist.Model{
			Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Path: apipath.Object("", "v1", s.text(), "pods", s.text()), Type: s.podType(), Object: s.owned(), Choice: choice, Now: now,
		})
	}
	return pages
}

// acts are pages of acts: without an act, on one object and on several, as they come and alive, tried, refused and changed.
func (s sample) acts() map[string]templ.Component {
	notice := s.notice()
	p := apipath.Object("apps", "v1", "shop", "deployments", "web")
	scalable := discovery.Type{
		Group: "apps", Version: "v1", Resource: "deployments", Kind: s.text(), Namespaced: true, Verbs: []string{"get", "patch", "watch"},
		Subresources: []discovery.Subresource{{Name: "scale", Kind: "Scale", Verbs: []string{"patch"}}},
	}
	one := actpage.Target{Path: p, Type: scalable, Object: s.owned(), At: now, Found: plans.Found{"scalers": {No: &status.Status{Code: 403, Message: s.text()}}}}
	lost := actpage.Target{Path: p, Problem: &notice, At: now}
	scale := actpage.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Query: actpage.Query{Act: "scale", Paths: []string{p.String()}, Chosen: plans.Chosen{"replicas": "4", s.text(): s.text()}}, Targets: []actpage.Target{one}, Now: now}
	scale.Shell.ReadOnly = false
	wrong, unknown, several := scale, scale, scale
	wrong.Query.Chosen = plans.Chosen{"replicas": s.text()}
	unknown.Query.Act = s.text()
	several.Targets, several.Query.Paths, several.Query.More = []actpage.Target{one, lost, one}, []string{p.String(), s.text(), p.String() + "x"}, 3
	refusal := page.Response{ID: "act 1", Status: 409, Body: []byte(`{"kind":"Status","code":409,"message":` + s.quoted() + `}`)}
	tried := []page.Msg{page.Response{ID: "act 1", Status: 200, Body: []byte(`{"kind":"Scale","metadata":{"name":` + s.quoted() + `}}`)}, page.Acted{Action: "send"}}
	return map[string]templ.Component{
		"in acts":                  page.View(scale),
		"in acts, a wrong option":  page.View(wrong),
		"in acts, an unknown act":  page.View(unknown),
		"in acts, several":         page.View(several),
		"in acts, alive":           page.View(s.live(scale)),
		"in acts, alive, several":  page.View(s.live(several)),
		"in acts, refused":         page.View(s.live(scale, refusal)),
		"in acts, before they act": page.View(s.live(scale, tried...)),
	}
}

// owned is an object of which several own parts.
func (s sample) owned() object.Object {
	entry := func(operation string, fields map[string]any) any {
		return map[string]any{
			"manager": s.text(), "operation": operation, "subresource": s.text(), "apiVersion": s.text(), "time": "2026-11-21T11:00:00Z",
			"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": fields},
		}
	}
	spec := map[string]any{"f:" + s.text(): map[string]any{}, "f:gone": map[string]any{}, "x:" + s.text(): map[string]any{}}
	return object.Object{Fields: map[string]any{
		"apiVersion": s.text(), "kind": s.text(), "spec": map[string]any{s.text(): s.text()},
		"metadata": map[string]any{"name": s.text(), "managedFields": []any{entry("Apply", spec), entry("Update", spec), s.text()}},
	}}
}

// claims are pages of fields that are claimed in another version, and by many managers: with a field chosen, and alive, where fields fold.
func (s sample) claims() map[string]templ.Component {
	pages := map[string]templ.Component{}
	for field, o := range map[string]object.Object{".spec.metrics": s.scaler(), ".spec.replicas": s.crowded(), ".spec.selector": s.shares()} {
		m := s.object()
		m.Tab, m.Object = objectpage.Fields, o
		pages["in an object, fields, alive, of a "+o.Kind()] = page.View(s.live(m))
		m.Fields.Reading = fields.Reading{Field: field}
		pages["in an object, fields, "+field+" of a "+o.Kind()] = page.View(m)
	}
	return pages
}

// applied is an entry of managedFields that a manager applied in a version.
func applied(by, version string, spec map[string]any) any {
	return map[string]any{
		"manager": by, "operation": "Apply", "apiVersion": version, "time": "2026-11-21T11:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": spec},
	}
}

// scaler is an autoscaler of autoscaling/v2 that two managers applied as autoscaling/v1, where its metrics have another name and form.
func (s sample) scaler() object.Object {
	own := map[string]any{"f:maxReplicas": map[string]any{}, "f:scaleTargetRef": map[string]any{}, "f:targetCPUUtilizationPercentage": map[string]any{}}
	return object.Object{Fields: map[string]any{
		"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
		"metadata": map[string]any{"name": s.text(), "managedFields": []any{applied(s.text(), "autoscaling/v1", own), applied(s.text()+"-too", "autoscaling/v1", own)}},
		"spec": map[string]any{
			"maxReplicas": json.Number("9"), "minReplicas": json.Number("1"), "scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": s.text()},
			"metrics": []any{map[string]any{"type": "Resource", "resource": map[string]any{"name": "cpu", "target": map[string]any{"type": "Utilization", "averageUtilization": json.Number("70")}}}},
		},
	}}
}

// crowded is an object of 120 owners, who share one field.
func (s sample) crowded() object.Object {
	var entries []any
	for i := range 120 {
		entries = append(entries, applied(s.text()+"-"+strconv.Itoa(i+1), "apps/v1", map[string]any{"f:replicas": map[string]any{}}))
	}
	return object.Object{Fields: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": s.text(), "managedFields": entries},
		"spec": map[string]any{"replicas": json.Number("3"), "paused": true},
	}}
}

// outline is a schema in which every text is the given one, and the reader somewhere in it.
func (s sample) outline() *outline.Outline {
	field := map[string]any{
		"type": "array", "description": s.text(), "default": s.text(), "enum": []string{s.text()}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []string{s.text()},
		"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": s.text(),
		"items": map[string]any{"type": "object", "required": []string{s.text()}, "properties": map[string]any{s.text(): map[string]any{"type": s.text(), "format": s.text()}}},
	}
	text, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": map[string]any{
		s.text(): map[string]any{"properties": map[string]any{s.text(): field}},
		"Sample": map[string]any{
			"description": s.text(), "properties": map[string]any{"spec": map[string]any{"$ref": "#/components/schemas/" + s.text()}},
			"x-kubernetes-group-version-kind": []any{map[string]string{"version": "v1", "kind": "Pod"}},
		},
	}}})
	if err != nil {
		panic(err)
	}
	document, err := schema.Parse(text)
	if err != nil {
		panic(err)
	}
	found, _ := document.Schema(schema.Kind{Version: "v1", Kind: "Pod"})
	at := schema.Path{"spec", s.text()}.String()
	return outline.New(found, url.Values{"field": {at}, "open": {at}})
}

// scans are pages of a contention scan in all its phases.
// laboratory are the pages on which the API itself is tried out, as they come, alive, and after an answer.
func (s sample) laboratory() map[string]templ.Component {
	target := call.Target{Path: apipath.Collection("", "v1", s.text(), "pods"), Select: url.Values{"labelSelector": {s.text()}}}
	list := chunk.Answer{Version: s.text(), Continue: s.text(), Items: []chunk.Item{{Namespace: s.text(), Name: s.text(), UID: "u", Version: s.text()}}}
	notice := s.notice()
	chunked := chunks.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Target: target, Text: s.text(), Limit: 5}
	versioned := versions.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Target: target, Text: s.text(), Cell: "list-exact.old"}.Fill(list)
	body := `{"metadata":{"resourceVersion":` + s.quoted() + `,"continue":` + s.quoted() + `},"items":[{"metadata":{"name":` + s.quoted() + `}}]}`
	refusal := `{"kind":"Status","code":410,"message":` + s.quoted() + `,"metadata":{"continue":` + s.quoted() + `}}`
	return map[string]templ.Component{
		"in chunks":                page.View(chunked),
		"in chunks, no collection": page.View(chunks.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{}), Problem: &notice}, Text: s.text()}),
		"in chunks, alive":         page.View(s.live(chunked)),
		"in chunks, a chunk":       page.View(s.live(chunked, s.answer("next", "chunk-1", 200, body)...)),
		"in chunks, expired":       page.View(s.live(chunked, append(s.answer("next", "chunk-1", 200, body), s.answer("next", "chunk-2", 410, refusal)...)...)),
		"in chunks, watched": page.View(s.live(chunked, append(s.answer("next", "chunk-1", 200, body), s.answer("watch", "watch", 200,
			`{"type":"ADDED","object":{"metadata":{"uid":"v","name":`+s.quoted()+`}}}`+"\n")...)...)),
		"in versions":                page.View(versioned),
		"in versions, no collection": page.View(versions.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{}), Problem: &notice}, Text: s.text(), Cell: "get.unset"}),
		"in versions, alive":         page.View(s.live(versioned)),
		"in versions, answered":      page.View(s.live(versioned, s.answer("send", "list-exact.old", 200, body)...)),
		"in versions, refused":       page.View(s.live(versioned, s.answer("send", "list-exact.old", 410, refusal)...)),
	}
}

// quoted is the text in JSON.
func (s sample) quoted() string {
	text, err := json.Marshal(s.text())
	if err != nil {
		panic(err) // it is a string
	}
	return string(text)
}

// answer is a button that was pressed, and what came of the request.
func (s sample) answer(button, id string, code int, body string) []page.Msg {
	return []page.Msg{
		page.Acted{Action: button},
		page.Opened{ID: id, Status: code, Header: []request.Header{{Name: s.text(), Value: s.text()}}},
		page.Arrived{ID: id, Part: []byte(body)},
		page.Ended{ID: id, How: page.Whole},
	}
}

// live is a page that has been told some things.
func (s sample) live(p page.Page, msgs ...page.Msg) page.Page {
	p, _ = p.Awake(now)
	for _, m := range msgs {
		p, _ = p.Update(m)
	}
	return p
}

func (s sample) scans() map[string]templ.Component {
	who := scan.Manager{Name: s.text(), Operation: s.text(), Subresource: s.text(), APIVersion: s.text()}
	o := scan.Object{Path: "/api/v1/namespaces/default/pods/" + url.PathEscape(s.text()), Kind: s.text(), Namespace: s.text(), Name: s.text()}
	gone := o
	gone.Gone, gone.Path = true, o.Path+"2"
	full := scan.Run{Phase: scan.Watching, Types: s.text(), Namespace: s.text(), Lasts: time.Minute, Left: time.Second, Report: scan.Report{
		Types: []scan.Type{
			{Name: s.text(), State: scan.Followed, Objects: 3, Bytes: 300, Managed: 100},
			{Name: s.text() + "2", State: scan.Refused, Code: 403, Reason: s.text(), Why: s.text()},
			{Name: s.text() + "3", State: scan.Waiting},
			{Name: s.text() + "4", State: scan.Troubled, Why: s.text()},
		},
		Objects: 3, Events: 4, Rate: 1.5, Bytes: 300, Managed: 100,
		Fights: scan.Part[scan.Fight]{All: 30, Rows: []scan.Fight{
			{Object: o, Path: s.text(), Count: 3, Period: time.Minute, Managers: []scan.Manager{who, who}, Values: [2]string{s.text(), s.text()}}, {Object: gone, Path: s.text()},
		}},
		Rewrites: scan.Part[scan.Rewrite]{All: 2, Rows: []scan.Rewrite{{Object: o, Count: 1, Writer: who}, {Object: gone, Count: 1}}},
		Takings:  scan.Part[scan.Taking]{All: 1, Rows: []scan.Taking{{Object: o, By: who, Count: 2, Paths: []string{s.text(), s.text()}, More: true, From: []scan.Manager{who}}}},
		Foreign:  scan.Part[scan.Foreign]{All: 1, Rows: []scan.Foreign{{Manager: who, Objects: 2, Example: o}}},
		Crowded:  scan.Part[scan.Crowded]{All: 2, Rows: []scan.Crowded{{Object: o, Updates: 9, Managed: 99}, {Object: gone, Ancient: true}}},
		Dropped:  scan.Dropped{Objects: 1, Histories: 2, Findings: 3, Unreadable: 4},
	}}
	arriving := scan.Run{Phase: scan.Arriving, Lasts: time.Minute, Report: scan.Report{Types: full.Report.Types}}
	failed := scan.Run{Phase: scan.Failed, Report: scan.Report{Types: full.Report.Types[1:2]}}
	notice := s.notice()
	page := func(run *scan.Run) templ.Component {
		shell := s.shell(apipath.Path{})
		shell.Tool = web.Contention
		return page.View(contention.Model{Frame: page.Frame{Shell: shell, Problem: &notice}, Form: contention.Form{Types: s.text(), Namespace: s.text(), Seconds: 60}, Run: run})
	}
	return map[string]templ.Component{
		"in a scan, none": page(nil), "in a scan, arriving": page(&arriving), "in a scan": page(&full), "in a scan, failed": page(&failed),
		"in a scan, over": page(&scan.Run{Phase: scan.Done}),
	}
}

// watchedObjects are lists of objects that the server watches: none, and in every state.
func (s sample) watchedObjects() map[string]templ.Component {
	who := scan.Manager{Name: s.text(), Operation: s.text(), Subresource: s.text(), APIVersion: s.text()}
	frame := s.shell(apipath.Path{})
	frame.Tool, frame.Watching = web.Watched, shell.Watching{Objects: 2, News: 3, Fights: 1}
	o := scan.Object{Path: "/api/v1/namespaces/default/pods/a", Kind: s.text(), Namespace: s.text(), Name: s.text()}
	var all []scan.Watched
	for _, state := range []scan.State{scan.Reading, scan.Followed, scan.Troubled, scan.Refused, scan.Ended} {
		all = append(all, scan.Watched{
			Object: o, Began: now, Ends: now.Add(time.Hour), State: state, Why: s.text(), Changes: 4, Kept: 5,
			Last: scan.Latest{At: now, Writers: []scan.Manager{who}, Paths: []string{s.text()}, More: 2}, Fights: slices.Repeat(frame.Fights, 5),
		})
	}
	all[1].Object.Gone, all[1].Fights, all[1].Last = true, nil, scan.Latest{}
	notice := s.notice()
	return map[string]templ.Component{
		"in a list of watched objects":        page.View(watched.Model{Frame: page.Frame{Shell: frame, Problem: &notice}, Objects: all, Bounds: watched.Bounds{Session: 8, Hours: 12, Versions: 500, Megabytes: 4}, Now: now}),
		"in an empty list of watched objects": page.View(watched.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}}),
	}
}

// explanations are pages of refusals that are explained: none, one that tells all, one of which nothing is understood.
func (s sample) explanations() map[string]templ.Component {
	frame, notice := s.shell(apipath.Path{}), s.notice()
	frame.Tool = web.Explain
	notice.Refused = true
	of := check.Object{APIVersion: s.text(), Kind: s.text(), Namespace: s.text(), Name: s.text()}
	owner := ownership.Owner{Manager: ownership.Manager{Name: s.text(), Operation: s.text(), Subresource: s.text(), APIVersion: s.text()}, Time: "2026-11-22T10:00:00Z"}
	full := explain.Answer{NotUnderstood: []string{s.text()}, Notes: []string{s.text()}, Explanations: []explain.Explanation{
		{
			Reason: s.text(), Code: 409, Tool: s.text(), Manager: s.text(), Assumed: true, What: s.text(), Why: s.text(), Message: s.text(), Notes: []string{s.text()}, Times: 2,
			Objects: []explain.Object{{Object: of, Resource: s.text(), Sure: true}},
			Fields:  []explain.Field{{Path: s.text(), Owners: []ownership.Owner{owner, {}}, Live: []byte(strconv.Quote(s.text())), Stated: []byte("1"), Why: s.text()}},
			Ways:    []check.Way{{Way: check.WayGiveUp, Text: s.text()}, {Way: s.text(), Text: s.text()}},
		},
		{What: s.text(), Objects: []explain.Object{{Object: check.Object{Name: s.text()}}, {Object: of}}},
	}}
	explained := func(m explainpage.Model) templ.Component {
		m.Shell, m.Text, m.Manifest, m.Manager, m.Namespace = frame, "the reader’s own", "as well", s.text(), s.text()
		return page.View(m)
	}
	return map[string]templ.Component{
		"in an explanation, none": page.View(explainpage.Model{Frame: page.Frame{Shell: frame}}), "in an explanation": explained(explainpage.Model{Answer: &full, Frame: page.Frame{Problem: &notice}}),
		"in an explanation, in vain": explained(explainpage.Model{Answer: &explain.Answer{NotUnderstood: []string{s.text()}}}),
	}
}

// consoles are pages of the request console: as it comes, and alive with answers of each form.
func (s sample) consoles() map[string]templ.Component {
	frame := s.shell(apipath.Path{})
	frame.Tool = web.Request
	frame.Catalog = sample("any").shell(apipath.Path{}).Catalog // which paths are offered depends on it
	begin := func(method, path, body string) requestpage.Model {
		typed := draft.Draft{Method: method, Target: path, Accept: s.text(), ContentType: s.text(), Body: body, Header: []request.Header{{Name: s.text(), Value: s.text()}}}
		return requestpage.Model{Frame: page.Frame{Shell: frame}, Draft: typed, Practice: true}
	}
	answered := func(m requestpage.Model, status int, media, body string) templ.Component {
		p, _ := m.Awake(time.Time{})
		for _, msg := range []page.Msg{
			page.Kept{Values: map[string]string{}},
			page.Acted{Action: "send-request"},
			page.Typed{Field: "paste", Text: "hello " + s.text()},
			page.Opened{ID: "console", Status: status, Header: []request.Header{{Name: "content-type", Value: media}, {Name: "x", Value: s.text()}}, Entry: s.text()},
			page.Arrived{ID: "console", Part: []byte(body), Bytes: int64(len(body)) + 1},
			page.Ended{ID: "console", How: page.Whole},
		} {
			p, _ = p.Update(msg)
		}
		return page.View(p)
	}
	asking := begin("DELETE", "/api/v1/nodes/a", "")
	asking.Practice = false
	collection := "/api/v1/namespaces/default/pods?limit=1&x=" + url.QueryEscape(s.text())
	written, _ := json.Marshal(s.text())
	return map[string]templ.Component{
		"in the console":          page.View(begin("GET", collection, "")),
		"in the console, no path": page.View(begin("GET", "/a//b?x="+url.QueryEscape(s.text()), "")),
		"in the console, body":    page.View(begin("PATCH", "/api/v1/nodes/a", "text")),
		"in the console, asking":  answered(asking, 200, "", ""),
		"in the console, JSON":    answered(begin("GET", collection, ""), 200, "application/json", `{"a":`+string(written)+`}`),
		"in the console, table":   answered(begin("GET", collection, ""), 200, "application/json", `{"kind":"Table","columnDefinitions":[{"name":`+string(written)+`}],"rows":[{"cells":[`+string(written)+`]}]}`),
		"in the console, refused": answered(begin("POST", collection, "text"), 422, "application/json", `{"kind":"Status","code":422,"reason":`+string(written)+`,"message":`+string(written)+`}`),
		"in the console, text":    answered(begin("GET", "/metrics", ""), 200, "text/plain", s.text()),
		"in the console, bytes":   answered(begin("GET", collection, ""), 200, "application/x", s.text()),
		"in the console, events":  answered(begin("GET", collection+"&watch=1", ""), 200, "application/json", `{"type":`+string(written)+`,"object":{"kind":`+string(written)+`}}`+"\n"),
	}
}

// representations are pages on which a path is asked for in every form.
func (s sample) representations() map[string]templ.Component {
	frame := s.shell(apipath.Path{})
	frame.Tool = web.Representations
	of := func(path string) templ.Component {
		return page.View(representations.New(page.Frame{Shell: frame}, url.Values{"path": {path}, "accept": {s.text()}, "as": {s.text()}}))
	}
	return map[string]templ.Component{
		"in representations": of(""), "in representations of nothing": of(s.text()),
		"in representations of an object":    of("/api/v1/namespaces/default/pods/web"),
		"in representations of a collection": of("/api/v1/pods?labelSelector=" + url.QueryEscape(s.text())),
	}
}

// health is a report in which everything that a cluster says is the sample's text.
func (s sample) health() *health.Report {
	ref := health.Ref{Kind: s.text(), Namespace: s.text(), Name: s.text(), Path: "/api/v1/namespaces/a/pods/b"}
	by := manager.Manager{Name: s.text(), Operation: s.text(), Subresource: s.text(), APIVersion: s.text()}
	write := health.Write{Manager: by, Last: now, Kind: s.text(), Objects: 9, Newest: []health.Ref{ref, {Kind: s.text(), Name: s.text()}}}
	return &health.Report{
		Read: now, Ready: 3, More: 2, Warned: 7, Types: []string{s.text()},
		Workloads: []health.Workload{{Ref: ref, Ready: "1 of 3", Why: []string{s.text()}, Said: s.text()}, {Ref: ref, Ready: "no"}},
		Warnings:  []health.Warning{{Reason: s.text(), Kind: s.text(), Count: 4, Objects: 2, About: ref, Message: s.text(), Last: now}},
		Writes:    []health.Write{write}, Status: []health.Write{write},
		Contested: []health.Contested{{Ref: ref, Managers: []manager.Manager{by}, Times: 40, Last: now}},
		Nodes:     health.Nodes{Known: true, Count: 2, Ready: 1, Odd: []health.OddNode{{Ref: ref, Status: s.text()}}, Versions: []string{s.text()}},
		Gaps: []health.Gap{
			{Resource: "pods", Forbidden: true}, {Resource: "events", Why: s.text()}, {Resource: "nodes", Rest: 12}, {Resource: s.text(), Rest: -1},
		},
	}
}

func (s sample) overviews() map[string]templ.Component {
	of := func(p apipath.Path) templ.Component {
		return page.View(overview.Model{
			Frame: page.Frame{Shell: s.shell(p)}, Server: s.text(), Version: s.text(), User: s.text(), State: s.text(), Tone: components.Good,
			Counts: map[string]overview.Count{overview.CountKey("", "pods"): {Why: s.text()}},
		})
	}
	whole := overview.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Server: s.text(), Version: s.text(), User: s.text(), State: s.text(), Tone: components.Good, Health: s.health()}
	narrowed := whole
	narrowed.Namespace = s.text()
	practice := overview.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Health: &health.Report{}, Fight: &overview.Fight{Scenario: object.Object{Fields: map[string]any{
		"status": map[string]any{
			"conditions": []any{map[string]any{"type": "Holds", "status": "False", "message": s.text()}},
			"actors":     []any{map[string]any{"name": "gitops", "created": s.text(), "message": s.text()}},
		},
	}}}}
	puzzled := practice
	notice := s.notice()
	puzzled.Fight = &overview.Fight{Problem: &notice}
	return map[string]templ.Component{
		"in a practice cluster":          page.View(practice),
		"in a practice cluster, puzzled": page.View(puzzled),

		"in a cluster":       page.View(whole),
		"in a namespace":     page.View(narrowed),
		"in the group list":  of(apipath.Path{Kind: apipath.KindGroupList}),
		"in an API group":    of(apipath.DiscoveryOf(s.text(), "")),
		"in a group version": of(apipath.DiscoveryOf("", "v1")),
	}
}

// hostileTexts are what a cluster may answer with.
var hostileTexts = map[string]string{
	"markup":     "<script>alert(1)</script>" + `"><img src=x onerror=alert(1)>` + "' onmouseover='alert(1)",
	"javascript": "javascript:alert(1)",
	"unseen":     "invoice-\u202efdp.exe ad\u200bmin \x1b[31mred\x1b[0m",
	"unbroken":   strings.Repeat("unbroken", 38)[:300],
	"endings":    "</a></td></table></main></body></html><!-- ",
	"slashes":    "//evil.test/../..",
}

// records are the wire log, with entries of which everything comes from elsewhere.
func (s sample) records() map[string]templ.Component {
	line := record.Line{
		ID: 7, At: now.UnixMicro(), First: 10, Took: 20, Done: true, Origin: record.Client, Method: s.text(), Verb: s.text(), Path: "/" + url.PathEscape(s.text()), Query: url.QueryEscape(s.text()) + "=" + url.QueryEscape(s.text()),
		Status: 500, MediaType: s.text(), Sent: 1, Got: 2, Coding: s.text(), Warnings: 1, Error: s.text(),
	}
	watch := record.Line{ID: 8, At: now.UnixMicro(), First: 10, Origin: record.Relay, Method: "GET", Verb: "watch", Path: "/api/v1/pods", Query: "watch=1", Status: 200, Events: 3}
	side := record.Side{MediaType: s.text(), Header: []record.Field{{Name: s.text(), Value: s.text()}}, Bytes: 9, Body: []byte(`{"a":"` + s.text() + `"}`), Cut: true, Redacted: true}
	detail := record.Entry{Line: line, Server: s.text(), Proto: s.text(), Warned: []string{s.text()}, Request: side, Answer: side, Cap: 100}
	withheld := detail
	withheld.Answer.Body, withheld.Answer.Withheld = nil, "Secrets are not recorded"
	withheld.Request.Body = []byte("k8s\x00" + s.text())
	m := requests.Model{Frame: page.Frame{Shell: s.shell(apipath.Path{})}, Recording: true, Most: 5000, At: now.UnixMicro(), All: 2, Passed: 2, Lines: []record.Line{watch, line}}
	m.Shell.Title, m.Shell.Tool = "Requests", web.Requests
	opened, other, gone, none, off := m, m, m, m, m
	opened.Query, opened.Detail = requests.Query{Entry: 7, Filter: record.Filter{Text: s.text(), Verb: s.text()}}, &detail
	other.Query, other.Detail = requests.Query{Entry: 7, Raw: true}, &withheld
	gone.Query.Entry = 9
	none.Lines, none.Query.Filter.Status = nil, record.UnderWay
	off.Recording, off.Lines = false, nil
	return map[string]templ.Component{
		"in requests": page.View(m), "in requests, opened": page.View(opened), "in requests, withheld": page.View(other),
		"in requests, gone": page.View(gone), "in requests, none": page.View(none), "in requests, off": page.View(off),
	}
}
