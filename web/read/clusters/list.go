package clusters

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// MostCards is how many contexts are cards. More are rows of a table, in parts of MostRows. Only the contexts of the shown part are asked.
const (
	MostCards = 6
	MostRows  = 25
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
		{"Nodes", "-", "How many nodes are ready"},
		{"Fights", ByFights, "Managers that overwrote each other’s values lately, as far as Fieldmark has watched"},
		{"Managers", "-", "Who owns fields of the cluster’s objects, if you have let Fieldmark read the cluster"},
		{"API server", "-", "Its own checks, and what you should know about the context"},
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
		all = words.Count(int64(l.Found), "match", "matches") + " in " + all
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
		{Text: e.managers("Who runs this cluster"), Href: web.Tool(slug, web.Managers)},
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

// managers says how many managers were counted, or what leads to their number.
func (e Entry) managers(otherwise string) string {
	if e.Managers == 0 {
		return otherwise
	}
	return words.Count(int64(e.Managers), "manager", "managers")
}

// vital is what a row says about one part of the health.
func (m Model) vital(e Entry, part func(health) finding) finding {
	h, asked := m.live.health[e.Cluster.Slug]
	switch f := part(h); {
	case !asked:
		return finding{"Not checked yet", components.Calm}
	case f.Words == "":
		return finding{"Checking…", components.Busy}
	default:
		return f
	}
}

// skew says by how much a server is older or newer than the reader's kubectl; empty: not too much.
func (e Entry) skew() string {
	switch {
	case e.Behind > 0:
		return fmt.Sprintf("%d minor versions older", e.Behind)
	case e.Behind < 0:
		return fmt.Sprintf("%d minor versions newer", -e.Behind)
	}
	return ""
}

// supported says which servers the reader's kubectl is for; empty: all that are shown.
func (m Model) supported() string {
	if !slices.ContainsFunc(m.Entries, func(e Entry) bool { return e.Behind != 0 }) {
		return ""
	}
	return "Your kubectl is " + m.Kubectl + ". Kubernetes supports only one minor version between kubectl and a server. Use another kubectl for the others."
}

// tableID is the ID of the request for a part of the table.
const tableID = "clusters/table"

// find requests the part of the table that the address names. Only one request runs at a time. What the reader types meanwhile is requested after it.
func (m Model) find() (Model, []page.Cmd) {
	if m.live.finding != "" {
		return m, nil
	}
	m.live.finding = m.address(m.Sort, m.From)
	return m, []page.Cmd{page.Ask{ID: tableID, Address: m.live.finding, Accept: page.MediaType}}
}

// found takes in a part of the table.
func (m Model) found(r page.Response) (Model, []page.Cmd) {
	asked := m.live.finding
	m.live.finding = ""
	if asked != m.address(m.Sort, m.From) {
		return m.find()
	}
	var fresh Model
	if !r.OK() || json.Unmarshal(r.Body, &fresh) != nil {
		return m, nil
	}
	if fresh.Revision != m.Revision {
		return m, []page.Cmd{page.Reload{}} // the menus have other contexts, too
	}
	fresh.Frame, fresh.live = m.Frame, m.live
	return fresh, nil
}
