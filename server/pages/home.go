package pages

import (
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/server/practice"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/read/clusters"
)

// Home is the first page.
func (p *Pages) Home(w http.ResponseWriter, r *http.Request) {
	revision := p.revision(r)
	all := p.ClustersOf(r).List()
	list, shown := p.chosen(r, all)
	states := p.statesOf(r, list, shown)
	m := clusters.Model{List: list, Shared: p.WhoIs(r).Person != nil, Frame: page.Frame{Kind: clusters.Kind, Shell: p.Shell(r, web.OfKind(clusters.Kind).Title)}, Trouble: p.Trouble, Notes: p.ClustersOf(r).Notes()}
	m.Revision = revision
	m.Trouble = append(slices.Clone(m.Trouble), visit.Troubles(p.ClustersOf(r).Troubles())...)
	m.Kubectl = p.kubectl(r)
	servers := visit.Servers(all)
	for i, c := range shown {
		e := card(c, states[i])
		e.Same, e.SameMore = components.First(servers.Others(c), clusters.MostSame)
		e.Fights, e.Scanned = len(p.Fights(r, c.Slug())), p.Scanned(r, c.Slug())
		e.Managers = p.Managers(r, c.Slug())
		e.Behind = behind(m.Kubectl, states[i].Version)
		m.Entries = append(m.Entries, e)
		m.Refresh = m.Refresh || states[i].Phase.Pending() || states[i].Waits
	}
	m.Doors = p.doors(p.open(r, shown, states))
	if p.Practice != nil {
		progress := p.Practice(cluster.Practice)
		m.Steps = steps(progress)
		compiled(&m, progress.Build)
		m.Trouble = append(m.Trouble, restarts(progress)...)
		m.Refresh = m.Refresh || len(progress.Restarting()) > 0
	}
	p.Render(w, r, http.StatusOK, m)
}

// Contexts says which revision of the kubeconfig is in use, or lists the contexts whose names have all words of a query. It sends no request to a cluster.
func (p *Pages) Contexts(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Accept") == web.ContextList {
		found := matching(p.ClustersOf(r).List(), r.URL.Query().Get(web.ContextQuery))
		first, more := components.First(found, shell.MostClusters)
		list := palette.Contexts{Clusters: []shell.Cluster{}, More: more}
		for _, c := range first {
			list.Clusters = append(list.Clusters, visit.ShellCluster(c))
		}
		w.Header().Set("Cache-Control", "no-store")
		p.SendJSON(w, r, web.ContextList, list)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, p.revision(r))
}

func (p *Pages) revision(r *http.Request) string {
	return strconv.FormatUint(p.ClustersOf(r).Revision(), 10)
}

func card(c *cluster.Cluster, s cluster.State) clusters.Entry {
	info := c.Info()
	e := clusters.Entry{
		Cluster: visit.ShellCluster(c),
		Server:  visit.Host(info.Server), User: info.User, Source: info.File,
		State: string(s.Phase), Tone: visit.ToneOf(s.Phase), Words: components.Sentence(s.Text), Advice: s.Advice, Version: s.Version,
		Current: info.Current && c.Origin() == cluster.FromKubeconfig,
		Usable:  s.Phase == cluster.Ready || s.Phase == cluster.Unauthorized,
		Parts:   clusters.Parted(visit.Parts(c)),
	}
	if s.User != "" {
		e.User = s.User
	}
	if c.Origin() == cluster.FromSite {
		e.Source = "" // the operator's file is of no use to the reader
	}
	if c.Origin() == cluster.FromPractice {
		e.Source = "practice cluster, started by Fieldmark"
	}
	for _, note := range s.Notes {
		e.Words += " " + components.Sentence(note)
	}
	return e
}

var stepTones = map[string]components.Tone{
	practice.Started: components.Busy, practice.Done: components.Good, practice.Failed: components.Bad, practice.Restarting: components.Warn,
}

var stepWords = map[string]string{practice.Started: "running", practice.Done: "done", practice.Failed: "failed", practice.Restarting: "restarting"}

// steps are the practice cluster's steps while they matter: until it is ready, or where it failed.
func steps(g practice.Progress) []clusters.Step {
	if g.Ready && g.Failed == "" {
		return nil
	}
	var all []clusters.Step
	for _, s := range g.Steps {
		all = append(all, clusters.Step{Name: s.Name, Words: s.Message, State: stepWords[s.State], Tone: stepTones[s.State]})
	}
	return all
}

// compiled shows how far the compilation of the practice cluster is, or the log of one that failed.
func compiled(m *clusters.Model, b *practice.Build) {
	if b == nil {
		return
	}
	m.Log = b.Log
	for i, e := range m.Entries {
		switch {
		case e.Cluster.Slug == cluster.Practice && b.Step == practice.Compile && !b.Over:
			m.Entries[i].Done, m.Entries[i].Total = b.Done, b.Total
		case e.State == string(cluster.Compiling) && e.Cluster.Slug != cluster.Practice:
			m.Entries[i].Words, m.Entries[i].Advice = "This context will be ready together with the practice cluster.", ""
		}
	}
}

// restarts are the parts of the practice cluster that stopped by themselves and start again.
func restarts(g practice.Progress) []components.Notice {
	var all []components.Notice
	for _, s := range g.Restarting() {
		all = append(all, components.Notice{
			Tone: components.Warn, Title: "A part of the practice cluster stopped", Words: components.Sentence(s.Message),
			Advice: "The practice cluster starts this part again. The restart takes seconds, and no data is lost.",
		})
	}
	return all
}
