package learn

import (
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons"
	guide "github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/server/practice"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson"
)

// Lesson is a lesson of the field guide, tried on the cluster that the address names, or on the practice cluster.
func (p Pages) Lesson(w http.ResponseWriter, r *http.Request, id string) {
	all, err := lessons.Load()
	if err != nil {
		p.Log.Error("could not read the field guide", "err", err)
	}
	l, found := all.Lesson(id)
	if !found {
		p.noLesson(w, r, id)
		return
	}
	query := r.URL.Query()
	m := lesson.Model{Lesson: l, Step: query.Get(lesson.QueryStep), Server: p.Own(r)}
	m.Before, m.Next = neighbours(all.Lessons, l)
	if of, has := all.Task(id); has {
		m.Task = of.Title
	}
	if c, ok := p.tried(r, query.Get(web.ClusterField)); ok {
		p.surround(&m, r, c)
	} else {
		m.Kind, m.Shell = lesson.Kind, p.Shell(r, l.Title)
	}
	m.Shell.Title, m.Lesson = l.Title, l.On(m.Version)
	viewer := cluster.ViewerOf(m.Shell.Cluster.Slug)
	if _, ok := p.ClustersOf(r).Get(viewer); ok && m.Shell.Cluster.Practice {
		m.Viewer = viewer
	}
	p.Render(w, r, http.StatusOK, m)
}

// tried is the cluster that a lesson is tried on: the one asked for, else the practice cluster, else the first.
func (p Pages) tried(r *http.Request, slug string) (*cluster.Cluster, bool) {
	for _, one := range []string{slug, cluster.Practice} {
		if c, ok := p.ClustersOf(r).Get(one); ok {
			return c, true
		}
	}
	if all := p.ClustersOf(r).List(); len(all) > 0 {
		return all[0], true
	}
	return nil, false
}

// surround fills in the cluster. If the cluster can't be reached, the lesson can still be read.
func (p Pages) surround(m *lesson.Model, r *http.Request, c *cluster.Cluster) {
	m.Frame, m.Version, m.Pending = p.around(r, c, lesson.Kind, m.Lesson.Title, "lesson", lessonNeeds(m.Lesson))
}

// around is the frame of a page on which somebody does something of the guide in a cluster, with the version of the server. If the cluster can't be reached,
// the frame says why, and pending tells whether the cluster will be ready without any action.
func (p Pages) around(r *http.Request, c *cluster.Cluster, kind, title, what string, needs []feature.Feature) (f page.Frame, version release.Version, pending bool) {
	v, err := p.Begin(r, c, apipath.Path{})
	defer v.End()
	v.Disconnect()
	v.Is(kind, title)
	if err == nil {
		scenarios := scenario.Path()
		_, _, _ = v.Cluster().Type(v.Context(), v.Client(), scenarios.Group, scenarios.Version, scenarios.Resource) // looks again if they are missing
		err = v.LoadSurroundings(func() { version = c.State(v.Context(), v.Client()).Release }, v.Without(needs...))
	}
	if err == nil {
		err = p.unprepared(c, v.Catalog())
	}
	f = v.Frame()
	if err == nil {
		return f, version, false
	}
	_, n := visit.Explain(err)
	if f.Problem, pending = &n, visit.Pending(err); pending {
		n.Advice = "You can read the " + what + " now, and begin it when the cluster is ready. This page follows the cluster."
	} else {
		n.Advice += " You can still read the " + what + "."
	}
	return f, version, pending
}

// unprepared tells why lessons can't be sent to the practice cluster although it responds: its own API comes a little later than the rest.
func (p Pages) unprepared(c *cluster.Cluster, catalog discovery.Catalog) error {
	if p.Practice == nil || !visit.ShellCluster(c).Practice || scenario.Offered(catalog) {
		return nil
	}
	g := p.Practice(c.Slug())
	s := practice.StateOf(g)
	if g.Ready || s.Phase == cluster.Failed {
		return nil // it won't come by itself
	}
	return &cluster.Problem{Text: s.Text, Advice: s.Advice, Pending: true}
}

// neighbours are the lessons that a lesson builds on, and the lessons to go on with: those that build on it, and the one after it in the
// guide. Both are in the order of the guide.
func neighbours(all []guide.Lesson, l guide.Lesson) (before, next []lesson.Reference) {
	for i, other := range all {
		r := lesson.Reference{ID: other.ID, Title: other.Title, Summary: other.Summary}
		switch {
		case slices.Contains(l.After, other.ID):
			before = append(before, r)
		case slices.Contains(other.After, l.ID), i > 0 && all[i-1].ID == l.ID:
			next = append(next, r)
		}
	}
	return before, next
}

func (p Pages) noLesson(w http.ResponseWriter, r *http.Request, id string) {
	m := p.Shell(r, "No such lesson")
	p.Refuse(w, r, http.StatusNotFound, m, components.Notice{
		Tone: components.Warn, Title: "There is no lesson " + id, Words: "The field guide has no lesson with this name.",
		Links: []components.Link{{Text: "Open the field guide", Href: web.Learn, Primary: true}},
	})
}
