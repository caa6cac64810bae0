package pages

import (
	"cmp"
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

// open adds the practice cluster to the contexts that the table shows, with its last known state, so that the doors lead to it from each part of the table.
func (p *Pages) open(r *http.Request, shown []*cluster.Cluster, states []cluster.State) ([]*cluster.Cluster, []cluster.State) {
	own, ok := p.ClustersOf(r).Get(cluster.Practice)
	if !ok || slices.Contains(shown, own) {
		return shown, states
	}
	last, _ := own.Last()
	return append(slices.Clone(shown), own), append(slices.Clone(states), last)
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

// kubectlAgent begins the User-Agent of kubectl.
const kubectlAgent = "kubectl/"

// kubectl is the version of the kubectl that sent the session's newest request of a kubectl through Fieldmark; empty: none was sent.
func (p *Pages) kubectl(r *http.Request) string {
	name, _, _ := strings.Cut(p.Tap.View(p.Session(r)).Agent(kubectlAgent), " ")
	return strings.TrimPrefix(name, kubectlAgent)
}

// behind is by how many minor versions a server is older than kubectl; below zero: newer. It is 0 if Kubernetes supports the two together, or if one of the
// versions isn't known.
func behind(kubectl, server string) int {
	mine, theirs := release.Of(kubectl), release.Of(server)
	if !mine.Known() || !theirs.Known() || mine-theirs <= 1 && theirs-mine <= 1 {
		return 0
	}
	return int(mine - theirs)
}
