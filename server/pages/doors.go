package pages

import (
	"net/url"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/learn"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/read/clusters"
	"github.com/fieldmark/fieldmark/web/write/apply"
)

// doors lead to the practice cluster if it is ready, else to the first cluster that is.
func (p *Pages) doors(all []*cluster.Cluster, states []cluster.State) []clusters.Door {
	owner := clusters.Door{Name: "owner", Title: "See who owns a Deployment"}
	conflict := clusters.Door{Name: "conflict", Title: "Preview a change that conflicts"}
	guide := clusters.Door{Name: "guide", Title: "Begin the guide", Words: "Short lessons with real requests, from resource types to conflicts.", Href: web.Learn}
	if read := (learn.Pages{Site: p.Site}).Guide().Lessons; len(read) > 0 {
		guide.Href = web.Lesson(read[0].ID)
	}
	open, waiting := doorCluster(all, states)
	switch {
	case open != nil && visit.ExampleOf(open) != "":
		owner.Words = "Each line of a Deployment on the practice cluster, with the managers that own it."
		owner.Href = web.Page(open.Slug(), visit.OwnedDeployment().String())
		conflict.Words = "You want five replicas, but another manager owns that field. See the conflict, and three ways out."
		conflict.Href = web.WithQuery(web.Tool(open.Slug(), web.Apply), url.Values{apply.QueryExample: {"1"}})
	case open != nil:
		owner.Words = "Choose a Deployment of the cluster " + open.Name() + ". Its page shows the managers of each line."
		owner.Href = web.Page(open.Slug(), apipath.Collection("apps", "v1", "", "deployments").String())
		conflict.Words = "Write a manifest for the cluster " + open.Name() + ". The preview shows conflicts, and writes nothing."
		conflict.Href = web.Tool(open.Slug(), web.Apply)
	case waiting:
		owner.Words = "Opens when the practice cluster is ready."
		conflict.Words = owner.Words
	default:
		owner.Words = "Needs a cluster that Fieldmark can connect to."
		conflict.Words = owner.Words
	}
	return []clusters.Door{owner, conflict, guide}
}

// doorCluster is the cluster that the doors lead to; nil: none is ready. It also tells whether the practice cluster may be ready later.
func doorCluster(all []*cluster.Cluster, states []cluster.State) (open *cluster.Cluster, waiting bool) {
	for i, c := range all {
		ready := states[i].Phase == cluster.Ready
		switch practice := visit.ExampleOf(c) != ""; {
		case practice && ready:
			return c, false
		case practice:
			waiting = states[i].Phase != cluster.Failed
		case ready && open == nil:
			open = c
		}
	}
	return open, waiting
}
