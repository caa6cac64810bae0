package visit

import (
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/read/clusters"
)

// ShellCluster is a cluster as menus show it.
func ShellCluster(c *cluster.Cluster) shell.Cluster {
	return shell.Cluster{Slug: c.Slug(), Name: c.Name(), Practice: c.Administers()}
}

// ToneOf is the tone of a cluster's state.
func ToneOf(p cluster.Phase) components.Tone { return phaseTones[p] }

var phaseTones = map[cluster.Phase]components.Tone{
	cluster.Ready: components.Good, cluster.Compiling: components.Busy, cluster.Starting: components.Busy, cluster.Unauthorized: components.Warn,
	cluster.Unreachable: components.Bad, cluster.Untrusted: components.Bad, cluster.Misconfigured: components.Bad, cluster.Failed: components.Bad,
}

// Parts are the kubeconfig's entries for a context.
func Parts(c *cluster.Cluster) []clusters.Part {
	var all []clusters.Part
	for _, p := range c.Parts() {
		part := clusters.Part{Kind: p.Kind, Name: p.Name, File: p.File}
		for _, l := range p.LeftOut {
			part.LeftOut = append(part.LeftOut, clusters.LeftOut(l))
		}
		all = append(all, part)
	}
	return all
}

// Host is the part of a server's URL that people know it by.
func Host(server string) string {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" {
		return server
	}
	return u.Host
}
