package pages

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/read/clusters"
)

// patienceForTable is how long the table of contexts waits for their states. The page has the other states when it is loaded again.
const patienceForTable = 250 * time.Millisecond

// matching are the clusters whose names have all words of a query, in any case.
func matching(all []*cluster.Cluster, query string) []*cluster.Cluster {
	words := strings.Fields(strings.ToLower(query))
	return slices.DeleteFunc(slices.Clone(all), func(c *cluster.Cluster) bool {
		name := strings.ToLower(c.Name())
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) })
	})
}

// chosen are the contexts that the address of the home page shows. Only these are asked for their states.
func (p *Pages) chosen(r *http.Request, all []*cluster.Cluster) (clusters.List, []*cluster.Cluster) {
	l := clusters.List{Total: len(all), Found: len(all)}
	if l.Total <= clusters.MostCards {
		return l, all
	}
	query := r.URL.Query()
	l.Query = query.Get(web.ContextQuery)
	found := matching(all, l.Query)
	l.Found = len(found)
	if by, ok := p.orders(r)[query.Get(clusters.SortField)]; ok {
		l.Sort = query.Get(clusters.SortField)
		slices.SortStableFunc(found, func(a, b *cluster.Cluster) int { return cmp.Compare(by(a), by(b)) })
	}
	if l.Sort == "" {
		slices.SortStableFunc(found, func(a, b *cluster.Cluster) int { return cmp.Compare(place(a), place(b)) })
	}
	from, _ := strconv.Atoi(query.Get(clusters.FromField))
	l.From = max(0, min(from, (len(found)-1)/clusters.MostRows*clusters.MostRows))
	return l, found[l.From:min(l.From+clusters.MostRows, len(found))]
}

// place is where a context stands in the usual order: Fieldmark's own clusters, kubectl's current context, and the others by name.
func place(c *cluster.Cluster) int {
	switch {
	case c.Origin() == cluster.FromPractice:
		return 0
	case c.Info().Current:
		return 1
	}
	return 2
}

// orders say by which number a context comes early in the table. They know only what was asked before.
func (p *Pages) orders(r *http.Request) map[string]func(*cluster.Cluster) int {
	const last = 1 << 20
	return map[string]func(*cluster.Cluster) int{
		clusters.ByState: func(c *cluster.Cluster) int {
			s, known := c.Last()
			switch {
			case !known:
				return last
			case s.Phase == cluster.Ready:
				return 2
			case s.Phase == cluster.Unauthorized || s.Phase.Pending():
				return 1
			}
			return 0
		},
		clusters.ByVersion: func(c *cluster.Cluster) int {
			if s, known := c.Last(); known && s.Release.Known() {
				return int(s.Release)
			}
			return last
		},
		clusters.ByFights: func(c *cluster.Cluster) int { return -len(p.Fights(r, c.Slug())) },
	}
}

// statesOf are the states of the contexts that the page shows. The table doesn't wait for those that don't respond.
func (p *Pages) statesOf(r *http.Request, list clusters.List, shown []*cluster.Cluster) []cluster.State {
	client := func(c *cluster.Cluster) *api.Client {
		v, _ := p.Begin(r, c, apipath.Path{}) // the state of a cluster says why no request can be sent
		return v.Client()
	}
	if list.Total <= clusters.MostCards {
		return cluster.States(r.Context(), shown, client)
	}
	return cluster.Glances(r.Context(), shown, patienceForTable, client)
}

// skew says that kubectl and a server are more than one minor version apart; empty: they aren't, or one of the versions isn't known. kubectl is the name
// that kubectl gave itself in a request through Fieldmark.
func skew(kubectl, server string) string {
	name, _, _ := strings.Cut(kubectl, " ")
	version := strings.TrimPrefix(name, "kubectl/")
	mine, theirs := release.Of(version), release.Of(server)
	if !mine.Known() || !theirs.Known() || mine-theirs <= 1 && theirs-mine <= 1 {
		return ""
	}
	return fmt.Sprintf("Your kubectl is %s, and the server is %s. Kubernetes supports only one minor version between the two. Use a kubectl of version %s.", version, server, theirs)
}
