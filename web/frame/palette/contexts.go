package palette

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Contexts are the contexts whose names match a query: some of them, and how many more there are.
type Contexts struct {
	Clusters []shell.Cluster `json:"clusters"`
	More     int             `json:"more"`
}

// contextsID is the ID of the request for contexts.
const contextsID = prefixID + "contexts"

// askContexts requests the contexts that match the query, if the document doesn't list all of them.
func (m Model) askContexts() []page.Cmd {
	if m.frame.Unlisted == 0 || len(m.words) == 0 || m.narrow != Everything && m.narrow != Clusters || m.isRefusal() {
		return nil
	}
	query := url.Values{web.ContextQuery: {strings.Join(m.words, " ")}}
	return []page.Cmd{page.Ask{ID: contextsID, Address: web.WithQuery(web.Contexts, query), Accept: web.ContextList}}
}

// contexts adds the contexts of a response. Those of a former query are true as well.
func (m Model) contexts(f page.Response) Model {
	var found Contexts
	if f.Status != status.CodeOK || json.Unmarshal(f.Body, &found) != nil {
		return m
	}
	for _, c := range found.Clusters {
		e := clusterEntry(c)
		if !slices.ContainsFunc(m.index.origin, func(o Entry) bool { return o.Kind == Cluster && o.Href == e.Href }) {
			m.index.addEntry(e)
		}
	}
	m.unlisted = found.More
	return m.again()
}

// withUnlisted counts the contexts that weren't sent.
func (m Model) withUnlisted(groups []group) []group {
	for i, g := range groups {
		if g.kind == Cluster {
			groups[i].more += m.unlisted
		}
	}
	return groups
}
