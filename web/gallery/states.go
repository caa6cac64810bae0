package gallery

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/help"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read/clusters"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

// statesOfPages are states that need more than a component, in the pages' own words.
func statesOfPages() []specimen.Section {
	return []specimen.Section{liveness(), around(), empty(), choice()}
}

// noon is when everything here is said to happen.
func noon() time.Time { return time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC) }

// liveness is how current a page says it is, after what it has been through.
func liveness() specimen.Section {
	s := specimen.Section{Name: "liveness", Title: "Liveness", Note: "How current a living page is, beside its title. The words are those of the pages themselves."}
	for _, c := range lives() {
		contact := follow.NewContact(noon())
		c.through(&contact)
		s.Specimens = append(s.Specimens, specimen.Specimen{
			Name: "live-" + c.name, Title: c.title, Note: c.note, Shown: titled(contact.Liveness(c.have, c.left)),
		})
	}
	return s
}

// life is what a page goes through until it is in a state.
type life struct {
	name, title, note string
	have, left        int64
	through           func(*follow.Contact)
}

func lives() []life {
	synced := func(c *follow.Contact) { c.Hear(wire.Message{Type: wire.Synced}) }
	later := func(c *follow.Contact, d time.Duration) { c.Tick(noon().Add(d)) }
	return []life{
		{name: "connecting", title: "Connecting", note: "What is shown is what the server put into the page.", through: func(*follow.Contact) {}},
		{name: "catching-up", title: "Catching up", note: "How much is missing is not known.", through: func(c *follow.Contact) { c.Hear(wire.Message{Type: wire.Rows}) }},
		{name: "progress", title: "Catching up, with progress", note: "From the server’s remainingItemCount.", have: 4500, left: 5500, through: func(c *follow.Contact) { c.Hear(wire.Message{Type: wire.Rows}) }},
		{name: "live", title: "Live", through: synced},
		{name: "expired", title: "Live again, after a gap", note: "Said for ten seconds.", through: func(c *follow.Contact) {
			c.Hear(wire.Message{Type: wire.Gap, Reason: watch.Expired})
			synced(c)
		}},
		{name: "broken", title: "Connection lost", note: "What was known is still shown, and is said to be stale.", through: func(c *follow.Contact) {
			synced(c)
			c.Connect(page.Connection{State: page.Broken, Retry: 16 * time.Second})
			later(c, 12*time.Second)
		}},
		{name: "reconnecting", title: "Reconnecting", through: func(c *follow.Contact) {
			synced(c)
			c.Connect(page.Connection{State: page.Broken})
			c.Connect(page.Connection{State: page.Connecting})
			later(c, 75*time.Second)
		}},
		{name: "waiting", title: "API server out of reach", note: "We are there, the API server is not.", through: func(c *follow.Contact) {
			synced(c)
			c.Hear(wire.Message{Type: wire.Waiting, RetryMillis: 8000})
			later(c, 5*time.Second)
		}},
		{name: "silent", title: "API server silent", note: "Its connection is open, and nothing comes. Stale since the last sign of life.", through: func(c *follow.Contact) {
			later(c, time.Minute)
			synced(c)
			c.Hear(wire.Message{Type: wire.Waiting, SilentMillis: 9000, Status: &status.Status{Reason: status.Silent}})
		}},
		{name: "unanswered", title: "Watch not answered", note: "Lists work meanwhile. The time is that of the last one.", through: func(c *follow.Contact) {
			later(c, time.Minute)
			synced(c)
			c.Hear(wire.Message{Type: wire.Waiting, SilentMillis: 9000, Status: &status.Status{Reason: status.Unanswered}})
		}},
		{name: "socket-silent", title: "Fieldmark silent", note: "The browser’s connection is open, and nothing comes.", through: func(c *follow.Contact) {
			later(c, time.Minute)
			synced(c)
			c.Connect(page.Connection{State: page.Silent, Ago: 9 * time.Second})
		}},
		{name: "failed", title: "No longer followed", note: "The API server refuses to go on.", through: func(c *follow.Contact) {
			synced(c)
			c.Hear(wire.Message{Type: wire.Failed, Status: &status.Status{Code: 403, Message: "pods is forbidden: User \"viewer\" cannot watch resource \"pods\" in API group \"\" in the namespace \"shop\""}})
			later(c, 3*time.Minute)
		}},
		{name: "signed-out", title: "Signed out", note: "In another tab.", through: func(c *follow.Contact) {
			synced(c)
			c.Connect(page.Connection{State: page.SignedOut})
			later(c, time.Hour)
		}},
	}
}

// around is what lies over a page or at its edges.
func around() specimen.Section {
	keys := collection.Model{}.Keys()
	return specimen.Section{
		Name: "around", Title: "Around a page",
		Specimens: []specimen.Specimen{
			{Name: "help", Title: "Keys and help", Note: "Above the page, by ?, and goes by Esc.", Shown: help.Open("Pods", keys).View()},
			{Name: "busy", Title: "A page that takes its time", Note: "Along the upper edge, for those who have waited for a moment already.", Shown: busy()},
			{Name: "halted", Title: "The page’s own program is gone", Note: "At the lower right, above whatever is there. All links go on working.", Open: true, Shown: shell.Halted()},
			{Name: "wire-drawer", Title: "Requests of a page", Note: "At the bottom, folded until somebody asks.", Open: true, Shown: shell.Bottom(shell.Model{Requests: []components.Request{
				{Verb: "list", Method: "GET", Target: "/api/v1/namespaces/shop/pods?limit=500", Status: 200, MediaType: "Table", Bytes: 48210, Millis: 21},
				{Verb: "list", Method: "GET", Target: "/api/v1/namespaces?limit=250", Status: 403, MediaType: "JSON", Bytes: 312, Millis: 4},
				{Verb: "get", Method: "GET", Target: "/apis", Status: 0, Millis: 30000},
			}}, nil)},
		},
	}
}

// empty are collections without a row to show.
func empty() specimen.Section {
	return specimen.Section{
		Name: "empty", Title: "Collections without rows", Note: "Never blank: each says why, and how to go on.",
		Specimens: []specimen.Specimen{
			{Name: "empty-none-exist", Title: "None exist", Shown: standing(podsPage(nil))},
			{Name: "empty-none-match", Title: "None match the selectors", Shown: standing(podsPage(func(m *collection.Model) { m.Query.LabelSelector = "app=wbe" }))},
			{Name: "empty-none-pass", Title: "None pass the filter", Shown: standing(podsPage(func(m *collection.Model) {
				m.Table.Rows = []table.Row{{UID: "u", Name: "web-1", Namespace: "shop", Cells: []table.Cell{"web-1", "Running"}}}
				m.Query.Filter = "wbe"
			}))},
			{Name: "empty-no-namespace", Title: "The namespace does not exist", Shown: standing(podsPage(func(m *collection.Model) { m.NoNamespace = true }))},
			{Name: "columns-unserved", Title: "Columns that the server doesn’t serve, and a date in the future", Shown: standing(podsPage(func(m *collection.Model) {
				m.Unserved = []collection.Column{{Name: "Phase", Path: ".status.conditions[?(@.type=='x')"}, {Name: "When", Path: ".spec.when"}}
				m.Table.Columns = append(m.Table.Columns, table.Column{Name: "Due", Type: "date"})
				m.Table.Rows = table.Rows{{Name: "kettle", Cells: []table.Cell{"kettle", "Running", table.Invalid}}}
			}))},
			{Name: "empty-forbidden", Title: "Forbidden", Shown: standing(podsPage(func(m *collection.Model) {
				m.Problem = &components.Notice{
					Tone: components.Warn, Title: "You may not list pods", Words: "The verb that is missing is list, for pods in the namespace shop.",
					Quoted: "pods is forbidden: User \"viewer\" cannot list resource \"pods\" in API group \"\" in the namespace \"shop\"",
				}
			}))},
		},
	}
}

func podsPage(change func(*collection.Model)) templ.Component {
	m := collection.Model{
		Frame: page.Frame{Shell: shell.Model{
			Cluster: shell.Cluster{Slug: "practice", Name: "practice"},
			Path:    apipath.Collection("", "v1", "shop", "pods"),
		}},
		Type:  discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"get", "list", "watch"}},
		Query: collection.ParseQuery(nil),
		Table: table.Table{Columns: []table.Column{{Name: "Name", Type: "string", Format: "name"}, {Name: "Status", Type: "string"}}, Printed: true},
	}
	if change != nil {
		change(&m)
	}
	return page.Main(m)
}

// choice is the page on which one chooses a cluster, with one in each state.
func choice() specimen.Section {
	ready := entry("practice", "ready", components.Good, "Connected.", "")
	ready.Version, ready.Current = "v1.37.1", true
	compiling := entry("tomorrow", "compiling", components.Busy, "The practice cluster is being compiled: 312 of 1,140 packages, about 6 minutes left.", "It starts by itself after the compilation.")
	compiling.Done, compiling.Total = 312, 1140
	second := entry("stage", "ready", components.Good, "Connected.", "")
	second.Source = "~/.kube/stage"
	second.Parts = []clusters.Part{
		{Kind: "context", Name: "stage", File: "~/.kube/stage"},
		{Kind: "cluster", Name: "kubernetes", File: "~/.kube/config", LeftOut: []clusters.LeftOut{{File: "~/.kube/stage"}}},
		{Kind: "user", Name: "admin", File: "~/.kube/config", LeftOut: []clusters.LeftOut{{File: "~/.kube/stage", Same: true}}},
	}
	m := clusters.Model{
		Doors: []clusters.Door{
			{Name: "owner", Title: "See who owns a Deployment", Words: "A door that leads on.", Href: web.Home},
			{Name: "conflict", Title: "Preview a change that conflicts", Words: "Opens when the practice cluster is ready."},
		},
		Entries: []clusters.Entry{
			ready,
			second,
			entry("new", "starting", components.Busy, "It is starting.", ""),
			compiling,
			entry("old", "unauthorized", components.Warn, "It does not take the credentials.", "Sign in again with the tool that issued them."),
			entry("far", "unreachable", components.Bad, "Nothing answers at far.example.com:6443.", "Is a VPN needed?"),
		},
		Steps: []clusters.Step{
			{Name: "etcd", State: "done", Tone: components.Good, Words: "in 0.4 s"},
			{Name: "API server", State: "under way", Tone: components.Busy, Words: "waiting for /readyz"},
			{Name: "Controllers", State: "", Words: ""},
		},
		Log:   []string{"# k8s.io/kubernetes/pkg/apis/core", "pkg/apis/core/types.go:12:2: no space left on device"},
		Notes: []string{"The context “older” names a cluster that the kubeconfig does not have."},
	}
	return specimen.Section{Name: "choice", Title: "Choice of cluster", Specimens: []specimen.Specimen{
		{Name: "clusters", Title: "A cluster in each state", Shown: standing(page.Main(m))},
		{Name: "contexts", Title: "A part of the table of many contexts", Shown: standing(page.Main(contexts()))},
	}}
}

// entry is a context.
func entry(name, state string, tone components.Tone, words, advice string) clusters.Entry {
	return clusters.Entry{
		Cluster: shell.Cluster{Slug: name, Name: name}, Server: name + ".example.com:6443", User: "ada", Source: "~/.kube/config",
		State: state, Tone: tone, Words: words, Advice: advice, Usable: tone == components.Good || tone == components.Warn,
	}
}

// contexts is the page with more contexts than it shows.
func contexts() clusters.Model {
	scanned, fought, old := entry("prod-1", "ready", components.Good, "Connected.", ""), entry("prod-2", "ready", components.Good, "Connected.", ""), entry("prod-3", "ready", components.Good, "Connected.", "")
	scanned.Version, scanned.Current, scanned.Scanned, scanned.Managers = "v1.37.1", true, true, 23
	fought.Version, fought.Fights, fought.Same = "v1.37.0", 3, []string{"prod-2-admin"}
	old.Version, old.Behind = "v1.33.2", 4
	return clusters.Model{
		List: clusters.List{Total: 500, Found: 120, From: 25, Query: "prod", Sort: clusters.ByState}, Kubectl: "v1.37.1", Refresh: true,
		Entries: []clusters.Entry{
			scanned, fought, old,
			entry("prod-4", "checking", components.Busy, "The API server has not responded yet.", ""),
			entry("prod-5", "unauthorized", components.Warn, "The API server does not accept the credentials of this context.", "The credentials may have expired. Log in again, or get a new kubeconfig for this cluster."),
			entry("prod-6", "unreachable", components.Bad, "Nothing listens at prod-6.example.com:6443.", "Start the cluster, or connect to its VPN."),
		},
	}
}
