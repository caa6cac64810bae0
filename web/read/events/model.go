// Package events is the page of a cluster's events: what happened to which object, grouped by object and reason. It shows one list of
// Events as it was when the page was made. The page of the type Events shows each Event, and follows them.
package events

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "events"

// Parts of the page's query.
const (
	QueryNamespace = "namespace"
	QueryWarnings  = "warnings" // 1: only warnings
)

// Query is what the page shows.
type Query struct {
	Namespace string `json:"namespace,omitempty"` // empty: all
	Warnings  bool   `json:"warnings,omitempty"`  // only warnings
}

// ParseQuery reads the page's query. A namespace that can't be one is ignored.
func ParseQuery(query url.Values) Query {
	q := Query{Namespace: query.Get(QueryNamespace), Warnings: query.Get(QueryWarnings) == "1"}
	if apipath.UnfitNamespace(q.Namespace) != "" {
		q.Namespace = ""
	}
	return q
}

// Model is the page's state.
type Model struct {
	page.Frame
	Query  Query               `json:"query"`
	Groups []health.EventGroup `json:"groups,omitempty"`
	Events int                 `json:"events"`         // how many Events were read
	Rest   int64               `json:"rest,omitempty"` // how many weren't; -1: some, and the server doesn't say how many
	Read   time.Time           `json:"read"`
}

// MostGroups is the most groups that the page has.
const MostGroups = 200

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Why: why.Event, Lead: page.Text("Events are grouped by their object and their reason: warnings first, and the newest first."), Below: filter(m)}
	if m.Problem == nil {
		h.Small = page.Text(m.total())
	}
	return h
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page. Each other query needs another list.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if a, ok := msg.(page.Addressed); ok {
		if q := ParseQuery(a.Query); q != m.Query {
			return m, []page.Cmd{page.Navigate{Address: m.queryAddress(q)}}
		}
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}

func (m Model) queryAddress(q Query) string {
	query := url.Values{QueryNamespace: {q.Namespace}}
	if q.Warnings {
		query.Set(QueryWarnings, "1")
	}
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Events), query)
}

// collection is the page of the type Events, with the same filter.
func (m Model) collection() string {
	query := url.Values{}
	if m.Query.Warnings {
		query.Set("fieldSelector", "type=Warning")
	}
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, apipath.Collection("", "v1", m.Query.Namespace, "events").String()), query)
}

// namespaces are the choices of the filter. The chosen one is among them, even if the user can't list it.
func (m Model) namespaces() []string {
	all := m.Shell.Namespaces
	if m.Query.Namespace != "" && !slices.Contains(all, m.Query.Namespace) {
		all = append(slices.Clone(all), m.Query.Namespace)
	}
	return all
}

// readSummary says what the page was made from, and what isn't on it.
func (m Model) readSummary() string {
	said := "Fieldmark read " + words.Count(int64(m.Events), "Event", "Events") + ", as of " + m.Read.UTC().Format("15:04:05") + " UTC."
	if len(m.Groups) > MostGroups {
		said += " The page shows the first " + strconv.Itoa(MostGroups) + " of " + words.Thousands(int64(len(m.Groups))) + " groups."
	}
	switch {
	case m.Rest > 0:
		said += " The server has " + words.Count(m.Rest, "more Event", "more Events") + ". It sorts them by name, so they can be newer."
	case m.Rest < 0:
		said += " The server has more. It sorts them by name, so they can be newer."
	}
	return said + " By default, a cluster keeps Events for one hour."
}

// warned counts the groups of warnings.
func (m Model) warned() int {
	n := 0
	for _, g := range m.Groups {
		if g.Warning {
			n++
		}
	}
	return n
}

// total is the number of groups in words.
func (m Model) total() string {
	said := words.Count(int64(len(m.Groups)), "group", "groups")
	if n := m.warned(); n > 0 && !m.Query.Warnings {
		said += ", " + words.Thousands(int64(n)) + " of warnings"
	}
	return said
}

// none says why there are no events.
func (m Model) none() components.Notice {
	n := components.Notice{Title: "No events", Words: "The server has no Event here. By default, a cluster keeps Events for one hour."}
	if m.Query.Warnings {
		n.Title = "No warnings"
		n.Links = []components.Link{{Text: "Show all events", Href: m.queryAddress(Query{Namespace: m.Query.Namespace})}}
	}
	return n
}

// object is the address of the events of the object that a group is about; empty if its type isn't known.
func (m Model) object(r health.Ref) string {
	if r.Path == "" {
		return ""
	}
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, r.Path), url.Values{"tab": {"events"}})
}

// called is an object's kind and name, as kubectl prints them.
func called(r health.Ref) string { return strings.ToLower(r.Kind) + "/" + r.Name }

// ago is how long something is in the past.
func (m Model) ago(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return table.Duration(max(0, m.Read.Sub(t))) + " ago"
}

func exact(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
