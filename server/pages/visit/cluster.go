package visit

import (
	"net/url"
	"slices"
	"strings"

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
	cluster.Ready: components.Good, cluster.Checking: components.Busy, cluster.Compiling: components.Busy, cluster.Starting: components.Busy, cluster.Unauthorized: components.Warn,
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

// ByServer are the contexts of each API server. Others finds the names of those besides one.
type ByServer map[string][]*cluster.Cluster

// Servers sorts contexts by their API servers: the same URL, however it is written.
func Servers(all []*cluster.Cluster) ByServer {
	of := ByServer{}
	for _, c := range all {
		if server := c.Info().Server; server != "" {
			of[address(server)] = append(of[address(server)], c)
		}
	}
	return of
}

// Others are the names of the other contexts with the API server of a context.
func (s ByServer) Others(c *cluster.Cluster) []string {
	var names []string
	for _, other := range s[address(c.Info().Server)] {
		if other != c {
			names = append(names, other.Name())
		}
	}
	return names
}

// address is a URL in one spelling.
func address(server string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	host, scheme := strings.ToLower(u.Host), strings.ToLower(u.Scheme)
	if u.Port() == "" && scheme == "https" {
		host += ":443"
	}
	return scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/")
}

// Troubles are notices about errors in the kubeconfig's files. It is less serious if a file could be read before.
func Troubles(all []*cluster.ConfigError) []components.Notice {
	var notices []components.Notice
	for _, t := range all {
		n := components.Notice{Tone: components.Bad, Title: "Fieldmark can’t use the kubeconfig", Words: components.Sentence(t.Why), Advice: components.Sentence(t.Advice)}
		if t.Kept {
			n.Tone, n.Title = components.Warn, "Fieldmark can’t read the kubeconfig now"
			n.Words += " Fieldmark uses the contexts that it read before."
		}
		notices = append(notices, n)
	}
	return notices
}

// troubles are notices about the kubeconfig of the visit's cluster, of which Fieldmark knows only what it read before.
func (v *Visit) troubles() []components.Notice {
	if v.cluster.Origin() != cluster.FromKubeconfig {
		return nil
	}
	kept := slices.DeleteFunc(v.site.ClustersOf(v.request).Troubles(), func(t *cluster.ConfigError) bool { return !t.Kept })
	return Troubles(kept)
}
