package palette

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Search begins a search in one cluster without a dialog, for the page that searches all clusters. It searches resource types, namespaces and objects. If
// further is true, it doesn't stop at the likely types. Send the requests, and pass their responses to Update, until there are no more requests.
func Search(frame shell.Model, query string, further bool) (Model, []page.Cmd) {
	m, _ := open(frame, Everything, typeEntries(frame))
	m.hunt.further = further
	return m.typed(query).Paused()
}

// Finding is what a search has found so far.
type Finding struct {
	Entries []Entry  // types, namespaces and objects; the kind with the best hit first
	More    int      // hits that aren't in Entries
	Looked  string   // how far the search got, in words
	Notes   []string // what couldn't be searched, in words
	Ahead   bool     // there is more to look at
}

// Finding is what the search has found so far.
func (m Model) Finding() Finding {
	f := Finding{Looked: m.lookedAt(), Notes: m.obstacles(), Ahead: m.leads()}
	for _, g := range m.groups {
		if g.kind != Type && g.kind != Namespace && g.kind != Object {
			continue
		}
		for _, at := range g.hits {
			f.Entries = append(f.Entries, m.entry(at))
		}
		f.More += g.more
	}
	return f
}

// Searchable tells whether a query has enough letters to search objects.
func Searchable(query string) bool { return letters(strings.Fields(query)) >= leastLetters }

// everywhere offers the search of all clusters, if there are several.
func (m Model) everywhere() []group {
	n := len(m.frame.Clusters) + m.frame.Unlisted
	if n < 2 || m.narrow != Everything || letters(m.words) < leastLetters {
		return nil
	}
	query := strings.Join(strings.Fields(m.query), " ")
	m.index.offers[offerEverywhere] = Entry{
		Kind: Action, Text: fmt.Sprintf("Search all %d clusters", n), Beside: "for “" + query + "”", Href: web.WithQuery(web.Search, url.Values{web.SearchQuery: {query}}),
	}
	return []group{{kind: besides, title: "All clusters", hits: []place{{offerList, offerEverywhere}}}}
}
