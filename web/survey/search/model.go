// Package search is the page that searches all clusters for a name: resource types, namespaces and objects. Each cluster has a state, also if it didn't
// respond or was searched only in part. So no cluster is silently missing.
package search

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "search"

// The parameters of the page's address, besides web.SearchQuery.
const (
	QueryContexts  = "contexts"  // words that the names of the contexts must have
	QueryNamespace = "namespace" // searched where the reader may not list all namespaces; empty: that of the context
	QueryFurther   = "further"   // "1": look at all types, and not only at the likely ones
	QueryFrom      = "from"      // how many contexts come before the first one that is searched
)

// Bounds of the page.
const (
	MostClusters = 25 // contexts that are searched at the same time
	MostHits     = 10 // of a cluster, if several are searched
	mostWords    = 200
)

// Patience is how long a cluster may take.
const Patience = 2 * time.Second

// Query is the page's query.
type Query struct {
	Words     string `json:"words"`
	Contexts  string `json:"contexts,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Further   bool   `json:"further,omitempty"`
	From      int    `json:"from,omitempty"`
}

// ParseQuery reads the query of an address.
func ParseQuery(query url.Values) Query {
	q := Query{Words: short(query.Get(web.SearchQuery)), Contexts: short(query.Get(QueryContexts)), Namespace: short(query.Get(QueryNamespace)), Further: query.Get(QueryFurther) == "1"}
	if from, err := strconv.Atoi(query.Get(QueryFrom)); err == nil && from > 0 {
		q.From = from
	}
	if strings.Trim(q.Namespace, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		q.Namespace = "" // no namespace has such a name
	}
	return q
}

func short(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if len(text) > mostWords {
		text = strings.ToValidUTF8(text[:mostWords], "")
	}
	return text
}

// Searches tells whether the query has enough letters.
func (q Query) Searches() bool { return palette.Searchable(q.Words) }

// Address is the address of the page with the query.
func (q Query) Address() string {
	query := url.Values{web.SearchQuery: {q.Words}}
	if q.Contexts != "" {
		query.Set(QueryContexts, q.Contexts)
	}
	if q.Namespace != "" {
		query.Set(QueryNamespace, q.Namespace)
	}
	if q.Further {
		query.Set(QueryFurther, "1")
	}
	if q.From > 0 {
		query.Set(QueryFrom, strconv.Itoa(q.From))
	}
	return web.WithQuery(web.Search, query)
}

// Hit is something that was found in a cluster.
type Hit struct {
	Name   string `json:"name"`
	Beside string `json:"beside,omitempty"` // the namespace of an object
	What   string `json:"what"`             // the kind of an object; "resource type" or "namespace"
	Href   string `json:"href"`
	Path   string `json:"path,omitempty"` // the API path of an object
}

// Cluster is what was found in a cluster, and its state.
type Cluster struct {
	Cluster shell.Cluster      `json:"cluster"`
	Hits    []Hit              `json:"hits,omitempty"`
	More    int                `json:"more,omitempty"`
	Looked  string             `json:"looked,omitempty"` // how far the search got
	Notes   []string           `json:"notes,omitempty"`
	Ahead   bool               `json:"ahead,omitempty"`   // not all types were searched
	Late    bool               `json:"late,omitempty"`    // the time was over before the search was
	Same    []string           `json:"same,omitempty"`    // other contexts with the same API server, a few of them
	Others  int                `json:"others,omitempty"`  // how many there are besides
	Trouble *components.Notice `json:"trouble,omitempty"` // why the cluster could not be searched; nil: it was
}

// Model is the page's state.
type Model struct {
	page.Frame
	Query    Query     `json:"query"`
	Clusters []Cluster `json:"clusters,omitempty"` // those that were searched
	Matching int       `json:"matching"`           // contexts that have the words
	Total    int       `json:"total"`              // all contexts
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update follows the form and the links.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	a, ok := msg.(page.Addressed)
	if !ok {
		return m, nil
	}
	if q := ParseQuery(a.Query); q != m.Query {
		return m, []page.Cmd{page.Navigate{Address: q.Address()}}
	}
	return m, []page.Cmd{page.Reload{}}
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head { return page.Head{Small: page.Brief(m), Below: form(m)} }

// sections are the clusters in the order in which the page shows them: those with hits, those in trouble, and the others.
func (m Model) sections() []Cluster {
	var parts [3][]Cluster
	for _, c := range m.Clusters {
		part := 2
		switch {
		case len(c.Hits) > 0:
			part = 0
		case c.Trouble != nil:
			part = 1
		}
		parts[part] = append(parts[part], c)
	}
	return append(append(parts[0], parts[1]...), parts[2]...)
}

// summary says what was found, and where the search isn't complete, in whole sentences.
func (m Model) summary() string {
	hits, in, broken, late := 0, 0, 0, 0
	for _, c := range m.Clusters {
		if n := len(c.Hits) + c.More; n > 0 {
			hits, in = hits+n, in+1
		}
		if c.Trouble != nil {
			broken++
		} else if c.Late {
			late++
		}
	}
	said := fmt.Sprintf("%s in %d of %s.", words.Count(int64(hits), "result", "results"), in, words.Count(int64(len(m.Clusters)), "context", "contexts"))
	if broken > 0 {
		said += " " + words.Count(int64(broken), "context couldn’t be searched.", "contexts couldn’t be searched.")
	}
	if late > 0 {
		said += fmt.Sprintf(" In %s, the search ended after %d seconds.", words.Count(int64(late), "context", "contexts"), int(Patience/time.Second))
	}
	return said
}

// unasked says how many contexts weren't searched; empty: all were.
func (m Model) unasked() string {
	if n := m.Matching - len(m.Clusters); n > 0 {
		return fmt.Sprintf("%s not searched here.", words.Count(int64(n), "context is", "contexts are"))
	}
	return ""
}

// before and after are the addresses of the contexts before and after the shown ones; empty: there are none.
func (m Model) before() string {
	if m.Query.From == 0 {
		return ""
	}
	q := m.Query
	q.From = max(0, q.From-MostClusters)
	return q.Address()
}

func (m Model) after() string {
	q := m.Query
	if q.From += MostClusters; q.From >= m.Matching {
		return ""
	}
	return q.Address()
}

// more is the address of all hits of a cluster.
func (m Model) more(c Cluster) string {
	q := m.Query
	q.Contexts, q.From = c.Cluster.Name, 0
	return q.Address()
}

// further is the search of all types; empty: it is already, or there is nothing ahead.
func (m Model) further() string {
	q := m.Query
	if q.Further {
		return ""
	}
	for _, c := range m.Clusters {
		if c.Ahead {
			q.Further = true
			return q.Address()
		}
	}
	return ""
}

// comparison leads to the comparison of an object with the one of the same path in another cluster; ok is false if no other cluster has one.
func (m Model) comparison(c Cluster, h Hit) (l components.Link, ok bool) {
	if h.Path == "" {
		return l, false
	}
	for _, other := range m.Clusters {
		if other.Cluster.Slug == c.Cluster.Slug {
			continue
		}
		for _, there := range other.Hits {
			if there.Path == h.Path {
				query := url.Values{"path": {h.Path}, "with": {other.Cluster.Slug}}
				return components.Link{Text: "Compare with " + other.Cluster.Name, Href: web.WithQuery(web.Tool(c.Cluster.Slug, web.Compare), query)}, true
			}
		}
	}
	return l, false
}

// state is the state of a cluster, with its tone.
func (c Cluster) state() (words string, tone components.Tone) {
	switch {
	case c.Trouble != nil:
		return "not searched", components.Bad
	case c.Late:
		return "searched in part", components.Warn
	case len(c.Hits) == 0:
		return "nothing found", components.Calm
	}
	return "searched", components.Good
}

// same says which other contexts have the same API server; empty: none.
func (c Cluster) same() string {
	if len(c.Same) == 0 {
		return ""
	}
	names := strings.Join(c.Same, ", ")
	if c.Others > 0 {
		names += " and " + words.Count(int64(c.Others), "other context", "other contexts")
	}
	return "The same API server as " + names + "."
}
