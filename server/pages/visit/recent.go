package visit

import (
	"net/http"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// recentCookie has the slugs of the clusters that the reader used last. It exists only if a document can't list all clusters.
const recentCookie = "fieldmark-clusters"

// mostRecent is how many clusters the cookie has.
const mostRecent = 8

// recent are the slugs of the clusters that the reader used last. A slug without a cluster does no harm.
func recent(r *http.Request) []string {
	c, err := r.Cookie(recentCookie)
	if err != nil {
		return nil
	}
	all := strings.Split(c.Value, "|")
	return all[:min(len(all), mostRecent)]
}

// use notes that the reader uses a cluster, so that menus list it.
func (p *Site) use(w http.ResponseWriter, r *http.Request, slug string) {
	last := recent(r)
	if len(p.ClustersOf(r).List()) <= shell.MostClusters || len(last) > 0 && last[0] == slug {
		return
	}
	last = slices.Insert(slices.DeleteFunc(last, func(s string) bool { return s == slug }), 0, slug)
	http.SetCookie(w, &http.Cookie{
		Name: recentCookie, Value: strings.Join(last[:min(len(last), mostRecent)], "|"), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: 365 * 24 * 3600,
	})
}

// Listed are the clusters that the page lists.
func (v *Visit) Listed() []*cluster.Cluster {
	return listed(v.site.ClustersOf(v.request).List(), v.cluster.Slug(), recent(v.request))
}

// listed are the clusters that a document lists: all of them if they are few. Otherwise they are the one that has the slug, those used last, those of
// Fieldmark itself, kubectl's current one, and then the first by name.
func listed(all []*cluster.Cluster, slug string, recent []string) []*cluster.Cluster {
	if len(all) <= shell.MostClusters {
		return all
	}
	var list []*cluster.Cluster
	add := func(c *cluster.Cluster) {
		if len(list) < shell.MostClusters && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	for _, s := range slices.Insert(slices.Clone(recent), 0, slug) {
		for _, c := range all {
			if c.Slug() == s {
				add(c)
			}
		}
	}
	for _, c := range all {
		if c.Origin() == cluster.FromPractice || c.Info().Current {
			add(c)
		}
	}
	for _, c := range all {
		add(c)
	}
	return list
}
