// Package whoami is the page that says who the reader is in a cluster, how the server knows, and what the reader may do. On it, the reader
// can also view the cluster as somebody else.
package whoami

import (
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/inplace"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind is the page's kind.
const Kind = "whoami"

// The parameters of the page's address.
const (
	QueryNamespace = "namespace"
	QueryFilter    = "filter"
)

// Query is the page's query.
type Query struct {
	Namespace string `json:"namespace"`        // the server's rules are those of one namespace
	Filter    string `json:"filter,omitempty"` // words that a row must have
}

// maxFilter bounds the filter, in bytes.
const maxFilter = 200

// ParseQuery reads the query of an address. Anything that can't be a namespace is the namespace default.
func ParseQuery(query url.Values) Query {
	q := Query{Namespace: query.Get(QueryNamespace), Filter: query.Get(QueryFilter)}
	if q.Namespace == "" || apipath.UnfitNamespace(q.Namespace) != "" {
		q.Namespace = "default"
	}
	if len(q.Filter) > maxFilter {
		q.Filter = ""
	}
	return q
}

// Model is the page's state.
type Model struct {
	page.Frame
	Query Query     `json:"query"`
	Now   time.Time `json:"now"`

	User    *access.User       `json:"user,omitempty"`    // nil: the server doesn't say
	Unknown *components.Notice `json:"unknown,omitempty"` // says why there is no user
	Login   Login              `json:"login"`

	Rules *Rules `json:"rules,omitempty"`

	Asked   Asked              `json:"asked"`             // what the form has
	Refuse  *components.Notice `json:"refuse,omitempty"`  // says why the view in the form isn't possible
	Missing string             `json:"missing,omitempty"` // the rules that are missing for it, as YAML

	live inplace.Model // the panel with the page's request
}

// Login is how the server knows who the reader is.
type Login struct {
	Facts []components.Fact `json:"facts"`
	Ends  time.Time         `json:"ends,omitzero"` // when the credential ends; zero: it isn't known
	Notes []string          `json:"notes,omitempty"`
}

// Rules are what the reader may do in the namespace.
type Rules struct {
	Rows       []access.Granted `json:"rows"`  // those that match the filter, at most MostRows
	Match      int              `json:"match"` // how many match
	Total      int              `json:"total"`
	Incomplete bool             `json:"incomplete,omitempty"` // some authorizers can't list their rules
	Error      string           `json:"error,omitempty"`      // of an authorizer
	Views      bool             `json:"views,omitempty"`      // a rule has the verb impersonate
}

// Asked is whom the form names.
type Asked struct {
	User   string `json:"user,omitempty"`
	Groups string `json:"groups,omitempty"` // as they were written
}

// MostRows is how many rows the page shows.
const MostRows = 500

// RulesOf are the rows for a page.
func RulesOf(all access.Rules, q Query) *Rules {
	list := all.List()
	_, users := all.Find(access.Attributes{Verb: access.Impersonate, Resource: "users"})
	_, accounts := all.Find(access.Attributes{Verb: access.Impersonate, Resource: "serviceaccounts"})
	named := slices.ContainsFunc(list, func(g access.Granted) bool { return slices.Contains(g.Verbs, access.Impersonate) })
	r := &Rules{Total: len(list), Incomplete: all.Incomplete, Error: all.Error, Views: users || accounts || named}
	r.Rows = slices.DeleteFunc(list, func(g access.Granted) bool { return !g.Matches(q.Filter) })
	r.Match = len(r.Rows)
	r.Rows = r.Rows[:min(len(r.Rows), MostRows)]
	return r
}

// Content is the page's content.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{
		Lead: page.Text("The API server says who you are in this cluster, and what its rules allow you."), Problem: true,
		Acts: components.Actions{First: []templ.Component{inplace.Link(m.rulesCall(), "Show the request for these rules, and the response of the API server")}},
	}
}

// Awake is the page in the browser.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update opens and closes the panel with the page's request, and follows the form.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if a, ok := msg.(page.Addressed); ok {
		if q := ParseQuery(a.Query); q != m.Query {
			return m, []page.Cmd{page.Navigate{Address: m.queryAddress(q)}}
		}
		return m, []page.Cmd{page.Reload{}}
	}
	next, commands, taken := m.live.Update(msg, m.rulesCall)
	if taken {
		m.live = next
	}
	return m, commands
}

// rulesCall is the request for the rules.
func (m Model) rulesCall() call.Call {
	return inplace.Post(m.Shell.Cluster.Slug, access.RulesReviewPath, access.RulesReview(m.Query.Namespace))
}

// selfCall is the request for the name.
func (m Model) selfCall() call.Call {
	return inplace.Post(m.Shell.Cluster.Slug, access.SelfPath, access.SelfReview())
}

func (m Model) here() string { return web.Tool(m.Shell.Cluster.Slug, web.WhoAmI) }

func (m Model) queryAddress(q Query) string {
	query := url.Values{QueryNamespace: {q.Namespace}}
	if q.Filter != "" {
		query.Set(QueryFilter, q.Filter)
	}
	return web.WithQuery(m.here(), query)
}

// namespaces are those to choose from.
func (m Model) namespaces() []string {
	all := m.Shell.Namespaces
	if !slices.Contains(all, m.Query.Namespace) {
		all = append(slices.Clone(all), m.Query.Namespace)
	}
	return all
}

// collection is the address of the collection of a row's type in the namespace; empty: it has none.
func (m Model) collection(g access.Granted) string {
	listable := m.Shell.Catalog.Listable()
	i := slices.IndexFunc(listable, func(t discovery.Type) bool { return t.Group == g.Group && t.Resource == g.Resource })
	if i < 0 {
		return ""
	}
	t, namespace := listable[i], ""
	if t.Namespaced {
		namespace = m.Query.Namespace
	}
	return web.Page(m.Shell.Cluster.Slug, apipath.Collection(t.Group, t.Version, namespace, t.Resource).String())
}
