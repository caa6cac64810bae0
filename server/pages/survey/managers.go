package survey

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/census"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/managers"
)

// managers serves the page of the session's census of a cluster, its objects, and its exports.
func (p Pages) managers(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	_, known := p.ClustersOf(r).Get(slug)
	query := r.URL.Query()
	switch {
	case known && r.Header.Get("Accept") == managers.ObjectsType:
		p.Visiting(w, r, slug, apipath.Path{}, tool, func(v *visit.Visit) {
			p.SendJSON(w, r, managers.ObjectsType, making{v}.held(managers.ParseQuery(query)))
		})
	default:
		p.pass(w, r, slug, tool, func(session string, _ url.Values) any { return p.sheet(session, slug) }, p.allManagers, making.managers)
	}
}

// sheet is the census of a session as its page has it; nil: there is none.
func (p Pages) sheet(session, slug string) *managers.Sheet {
	found, ok := p.Censuses.Show(session, slug)
	if !ok {
		return nil
	}
	return managers.SheetOf(found)
}

// allManagers is the census as a file.
func (p Pages) allManagers(session string, c *cluster.Cluster, _ url.Values) (f file, ok bool) {
	found, ok := p.Censuses.Show(session, c.Slug())
	return file{began: found.Began, document: found, table: func() string { return report.CSV(found) }}, ok
}

// managers is the page of the census; a POST starts one first.
func (v making) managers() (page.Page, error) {
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	m := managers.Model{Query: managers.ParseQuery(v.Request().URL.Query())}
	var elsewhere error
	if m.Pass, m.Problem, elsewhere = v.passed(web.Managers); elsewhere != nil {
		return nil, elsewhere
	}
	if m.Sheet = (Pages{v.Site()}).sheet(v.Session(), v.Cluster().Slug()); m.Sheet != nil && m.Query.Type != "" {
		m.Objects = v.held(m.Query)
	}
	m.Frame = v.Frame().With(m.Problem)
	return m, nil
}

// held are the objects of a cell of the census, read now.
func (v making) held(q managers.Query) *managers.Objects {
	o := &managers.Objects{Manager: q.Manager, Type: q.Type}
	found, _ := v.Site().Censuses.Show(v.Session(), v.Cluster().Slug())
	i := slices.IndexFunc(found.Types, func(t report.Type) bool { return t.Name() == q.Type })
	if i < 0 {
		o.Trouble = "The census doesn’t have this resource type. Read the cluster again."
		return o
	}
	t := found.Types[i]
	of := discovery.Type{Group: t.Group, Version: t.Version, Resource: t.Resource, Kind: t.Kind, Namespaced: t.Namespaced}
	all, more, refused := census.Objects(v.Context(), v.Client(), of, found.Namespaces, q.Manager)
	if refused != nil {
		o.Trouble = components.Sentence(refused.Message)
	}
	for _, h := range all[:min(len(all), managers.MostObjects)] {
		object := managers.Object{Path: h.Path, Namespace: h.Namespace, Name: h.Name, Fields: h.Fields, How: h.How, Others: h.Others, Paths: h.Paths[:min(len(h.Paths), 3)]}
		if !h.Last.IsZero() {
			object.Last = h.Last.Unix()
		}
		o.Objects = append(o.Objects, object)
	}
	o.More = more || len(all) > managers.MostObjects
	return o
}
