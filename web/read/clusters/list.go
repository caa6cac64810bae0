package clusters

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// MostCards is how many contexts are cards. More are rows of a table, in parts of MostRows. Only the contexts of the shown part are asked.
const (
	MostCards = 6
	MostRows  = 50
)

// Fields of the address of the table, besides web.ContextQuery.
const (
	SortField = "sort"
	FromField = "from"
)

// The orders of the table. The empty one is the practice cluster, the current context, and then by name.
const (
	ByState   = "state"
	ByVersion = "version"
	ByFights  = "fights"
)

// List is which contexts the page shows.
type List struct {
	Total int    `json:"total,omitempty"` // contexts that the reader has
	Found int    `json:"found,omitempty"` // contexts that match the query
	From  int    `json:"from,omitempty"`  // how many of these come before the shown ones
	Query string `json:"query,omitempty"`
	Sort  string `json:"sort,omitempty"`
}

// tabled tells whether the contexts are rows of a table.
func (l List) tabled() bool { return l.Total > MostCards }

// address is the address of the page with another order, or another part.
func (l List) address(sort string, from int) string {
	query := url.Values{}
	for name, value := range map[string]string{web.ContextQuery: l.Query, SortField: sort} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if from > 0 {
		query.Set(FromField, strconv.Itoa(from))
	}
	return web.WithQuery(web.Home, query)
}

// heads are the columns of the table.
func (l List) heads() []components.HeaderCell {
	var all []components.HeaderCell
	for _, h := range [][3]string{
		{"Context", "", ""},
		{"State", ByState, "The worst first. A context that Fieldmark hasn’t asked yet comes last."},
		{"Version", ByVersion, "The oldest first, as far as Fieldmark knows the versions."},
		{"Health", "-", "The API server’s own checks, and the nodes that aren’t ready"},
		{"Fights", ByFights, "Managers that overwrote each other’s values lately, as far as Fieldmark has watched"},
	} {
		head := components.HeaderCell{Name: h[0], Hint: h[2]}
		if h[1] != "-" {
			head.Href = l.address(h[1], 0)
		}
		if h[1] == l.Sort {
			head.Sort = "ascending"
		}
		all = append(all, head)
	}
	return all
}

// shown says which part of the contexts the page shows.
func (l List) shown(rows int) string {
	all := words.Count(int64(l.Total), "context", "contexts")
	if l.Query != "" {
		all = words.Thousands(int64(l.Found)) + " of " + all
	}
	if rows < l.Found {
		all = strconv.Itoa(l.From+1) + " to " + strconv.Itoa(l.From+rows) + " of " + all
	}
	return all
}

// next are the links of a card: where people go from here.
func (e Entry) next() []components.Link {
	slug := e.Cluster.Slug
	links := []components.Link{
		{Text: "Pods", Href: web.Page(slug, "/api/v1/pods")},
		{Text: "Deployments", Href: web.Page(slug, "/apis/apps/v1/deployments")},
		{Text: "Events", Href: web.Tool(slug, web.Events)},
		{Text: "Preview a change", Href: web.Tool(slug, web.Apply)},
	}
	if e.Fights == 0 {
		return append(links, components.Link{Text: "Look for fights over fields", Href: web.Tool(slug, web.Contention)})
	}
	return append(links, components.Link{Text: e.fights(), Href: web.Tool(slug, web.Contention)})
}

// connected are the words of a cluster that has nothing else to tell.
const connected = "Connected."

// noted are the words of a connected cluster besides that it is connected.
func (e Entry) noted() string { return strings.TrimSpace(strings.TrimPrefix(e.Words, connected)) }

// fights says how many fights Fieldmark saw.
func (e Entry) fights() string {
	return words.Count(int64(e.Fights), "fight over a field", "fights over fields")
}
