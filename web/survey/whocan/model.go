// Package whocan is the page that says who could change a type, an object or a field: which users, groups and service accounts, by which binding, role
// and rule. It never says that there is nobody, because roles and bindings aren't the whole truth.
package whocan

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/rbac"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "whocan"

// The parameters of the page's address.
const (
	QueryPath   = web.WhoCanPath
	QueryVerb   = "verb" // one of Choices
	QueryPart   = web.WhoCanPart
	QueryFilter = "filter" // words that a subject must have
	QueryWho    = web.WhoCanWho
)

// usualPath is the default collection.
const usualPath = "/apis/apps/v1/deployments"

// maxFilter bounds the filter, in bytes. maxWho is how long the name of a field manager can be.
const (
	maxFilter = 200
	maxWho    = 128
)

// Choice is a choice of verbs.
type Choice struct {
	Name  string
	Words string
	Verbs []string
	Apply bool
}

// Choices are the verbs to choose from. The first one is the default.
var Choices = []Choice{
	{Name: "change", Words: "update or patch", Verbs: []string{"update", "patch"}},
	{Name: "apply", Words: "apply (patch and create)", Verbs: []string{"patch", "create"}, Apply: true},
	{Name: "update", Words: "update", Verbs: []string{"update"}},
	{Name: "patch", Words: "patch", Verbs: []string{"patch"}},
	{Name: "create", Words: "create", Verbs: []string{"create"}},
	{Name: "delete", Words: "delete", Verbs: []string{"delete", "deletecollection"}},
}

// Query is the page's query.
type Query struct {
	Path   string `json:"path"`
	Verb   string `json:"verb"`
	Part   string `json:"subresource,omitempty"`
	Filter string `json:"filter,omitempty"`
	Who    string `json:"who,omitempty"` // the name of a field manager
}

// ParseQuery reads the query of an address. The path of a subresource is that of its object, with the subresource.
func ParseQuery(query url.Values) (q Query, of call.Target, problem *components.Notice) {
	q = Query{Path: strings.TrimSpace(query.Get(QueryPath)), Verb: query.Get(QueryVerb), Part: strings.TrimSpace(query.Get(QueryPart)), Filter: strings.TrimSpace(query.Get(QueryFilter)), Who: query.Get(QueryWho)}
	if q.Path == "" {
		q.Path = usualPath
	}
	if len(q.Filter) > maxFilter {
		q.Filter = ""
	}
	if len(q.Who) > maxWho {
		q.Who = ""
	}
	if !slices.ContainsFunc(Choices, func(c Choice) bool { return c.Name == q.Verb }) {
		q.Verb = Choices[0].Name
	}
	path, _, _ := strings.Cut(q.Path, "?")
	if p, err := apipath.Parse(path); err == nil && p.Kind == apipath.KindSubresource {
		q.Part, q.Path = p.Subresource, apipath.ObjectOf(p).String()
	}
	of, err := call.ParseTarget(q.Path)
	if err != nil {
		problem = &components.Notice{
			Tone: components.Warn, Title: "This path is not a collection or an object", Words: components.Sentence(err.Error()), Advice: "Write a path such as " + usualPath + " or /apis/apps/v1/namespaces/shop/deployments/web.",
		}
	}
	return q, of, problem
}

// Question is what the query asks. The type says whether its objects are in namespaces.
func (q Query) Question(of call.Target, namespaced bool) rbac.Question {
	c := q.choice()
	return rbac.Question{
		Verbs: c.Verbs, Apply: c.Apply, Group: of.Path.Group, Resource: of.Path.Resource, Subresource: q.Part, Namespaced: namespaced, Namespace: of.Path.Namespace, Name: of.Name,
	}
}

func (q Query) choice() Choice {
	i := max(slices.IndexFunc(Choices, func(c Choice) bool { return c.Name == q.Verb }), 0)
	return Choices[i]
}

// Model is the page's state.
type Model struct {
	page.Frame
	Query   Query         `json:"query"`
	Target  call.Target   `json:"target"`
	Choices []string      `json:"choices,omitempty"` // subresources of the type
	Answer  *rbac.Answer  `json:"answer,omitempty"`  // without its grants; nil: there is none
	Parts   []rbac.Part   `json:"parts,omitempty"`
	Match   int           `json:"match"` // subjects that match the filter
	Total   int           `json:"total"`
	Likely  []rbac.Likely `json:"likely,omitempty"` // the subjects that the manager of the query could be
	Asked   []Disagrees   `json:"asked,omitempty"`
	Unasked string        `json:"unasked,omitempty"` // why the API server's decisions are missing; empty: they aren't
}

// Disagrees is a subject about which the API server decides otherwise than roles and bindings say.
type Disagrees struct {
	Subject rbac.Subject `json:"subject"`
	Verbs   []string     `json:"verbs"`
}

// MostHolders is how many subjects the page shows.
const MostHolders = 200

// mostLikely is how many subjects a manager could be on the page.
const mostLikely = 20

// Take takes an answer in: what matches the filter, and not more than the page shows.
func (m Model) Take(a rbac.Answer) Model {
	all := a.Parts()
	if m.Query.Who != "" {
		m.Likely = a.Candidates(m.Query.Who)
		m.Likely = m.Likely[:min(len(m.Likely), mostLikely)]
	}
	a.Grants = nil
	m.Answer = &a
	room := MostHolders
	for _, part := range all {
		m.Total += len(part.Holders)
		part.Holders = slices.DeleteFunc(part.Holders, func(h rbac.Holder) bool { return !matches(h, m.Query.Filter) })
		m.Match += len(part.Holders)
		part.Holders = part.Holders[:min(len(part.Holders), room)]
		if room -= len(part.Holders); len(part.Holders) > 0 {
			m.Parts = append(m.Parts, part)
		}
	}
	return m
}

// matches tells whether a subject, its bindings or its roles have all words of a filter.
func matches(h rbac.Holder, filter string) bool {
	text := h.Subject.String()
	for _, g := range h.Grants {
		text += " " + g.Binding.String() + " " + g.Role.String()
	}
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(filter)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{
		Small: page.Brief(m), Below: form(m), Problem: true, Why: why.WhoCan,
		Lead: page.Text("The Fields of an object say who did change a field. This page says who could, by the roles and bindings that you may read."),
	}
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update follows the form.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	a, ok := msg.(page.Addressed)
	if !ok {
		return m, nil
	}
	if q, _, _ := ParseQuery(a.Query); q != m.Query {
		return m, []page.Cmd{page.Navigate{Address: m.address(q)}}
	}
	return m, []page.Cmd{page.Reload{}}
}

func (m Model) here() string { return web.Tool(m.Shell.Cluster.Slug, web.WhoCan) }

func (m Model) address(q Query) string {
	return web.WithQuery(m.here(), url.Values{QueryPath: {q.Path}, QueryVerb: {q.Verb}, QueryPart: {q.Part}, QueryFilter: {q.Filter}, QueryWho: {q.Who}})
}

// page is the address of the page of an API path.
func (m Model) page(path string) string { return web.Page(m.Shell.Cluster.Slug, path) }

// pods is the address of the pods that run as a service account; empty: the subject is none, or its name stands for several.
func (m Model) pods(s rbac.Subject) string {
	namespace, name, ok := s.Account()
	if !ok || strings.Contains(name, "*") {
		return ""
	}
	return web.WithQuery(m.page(apipath.Collection("", "v1", namespace, "pods").String()), url.Values{"fieldSelector": {"spec.serviceAccountName=" + name}})
}

// counted says how many subjects there are.
func (m Model) counted() string {
	if m.Query.Filter == "" {
		return words.Count(int64(m.Total), "subject", "subjects")
	}
	return words.Thousands(int64(m.Match)) + " of " + words.Count(int64(m.Total), "subject", "subjects")
}

// cut says that the page doesn't show all subjects; empty: it does.
func (m Model) cut() string {
	shown := 0
	for _, part := range m.Parts {
		shown += len(part.Holders)
	}
	if shown >= m.Match {
		return ""
	}
	return "The page shows the first " + words.Count(int64(shown), "subject", "subjects") + ". Filter them to see others."
}

// otherwise are the verbs that the API server doesn't allow to a subject, although a rule does.
func (m Model) otherwise(s rbac.Subject) string {
	i := slices.IndexFunc(m.Asked, func(d Disagrees) bool { return d.Subject == s })
	if i < 0 {
		return ""
	}
	return "The API server decides otherwise: it doesn’t allow " + strings.Join(m.Asked[i].Verbs, ", ") + "."
}

// none says that no subject was found, or that none matches.
func (m Model) none() components.Notice {
	if m.Total > 0 {
		return components.Notice{
			Title: "No subject matches the filter", Words: "A subject matches if its name, its bindings and its roles have every word of the filter.",
			Links: []components.Link{{Text: "Show all subjects", Href: m.address(Query{Path: m.Query.Path, Verb: m.Query.Verb, Part: m.Query.Part, Who: m.Query.Who})}},
		}
	}
	return components.Notice{Tone: components.Warn, Title: "No role and binding allows this", Words: rbac.NoGrant}
}

// loose are the bindings whose roles have no rules that are known.
func (m Model) loose() []looseList {
	all := []looseList{{rbac.MissingTitle, rbac.MissingWords, m.Answer.Missing}, {rbac.UnknownTitle, rbac.UnknownWords, m.Answer.Unknown}, {rbac.UnfilledTitle, "", m.Answer.Unfilled}}
	return slices.DeleteFunc(all, func(l looseList) bool { return len(l.all) == 0 })
}

type looseList struct {
	title, words string
	all          []rbac.Loose
}

// few is a text of the first of some subjects.
func few(all []rbac.Subject) string {
	names, more := rbac.Named(all)
	return strings.Join(names, ", ") + more
}

// parts are the subresources to choose from.
func (m Model) parts() []string {
	if m.Query.Part == "" || slices.Contains(m.Choices, m.Query.Part) {
		return m.Choices
	}
	return append(slices.Clone(m.Choices), m.Query.Part)
}
