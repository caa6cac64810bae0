package read

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/overview"
)

// overview is the page of a cluster, or of a part of what it serves.
func (v making) overview() (page.Page, error) {
	whole := v.Path.Kind == apipath.KindRoot
	v.Is(overview.Kind, v.Cluster().Name())
	var state cluster.State
	needs := []func(){func() { state = v.Cluster().State(v.Context(), v.Client()) }}
	if whole {
		needs = append(needs, v.Without(feature.Tables.Then("So Fieldmark can’t say which workloads and nodes are ready.")))
	}
	own := v.ownSoon(whole)
	if err := v.LoadSurroundings(needs...); err != nil {
		own()
		return nil, err
	}
	catalog := v.Catalog()
	if code, missing := v.missingGroup(catalog); missing != nil {
		return nil, visit.NoPage(code, "No such API group", *missing)
	}
	info := v.Cluster().Info()
	m := overview.Model{
		Server: visit.Host(info.Server), Version: state.Version, User: state.User,
		State: state.Text, Tone: visit.ToneOf(state.Phase),
	}
	if !whole {
		v.Title = strings.TrimPrefix(v.Path.String(), "/")
	}
	m.Namespace = v.namespaceAsked(whole)
	m.Frame = v.FrameBefore(func() page.Page {
		if whole {
			read := own()
			m.Fight, m.Health, m.Scan, m.Census = read.Fight, read.Health, read.Scan, read.Census
		} else {
			m.Counts = v.Counts(catalog)
		}
		m.Frame = v.Frame()
		return m
	})
	return m, nil
}

// namespaceAsked is the namespace to which the cluster's own page is narrowed; empty: it isn't.
func (v making) namespaceAsked(whole bool) string {
	namespace := v.Request().URL.Query().Get(overview.QueryNamespace)
	if !whole || apipath.UnfitNamespace(namespace) != "" {
		return ""
	}
	return namespace
}

// ownSoon begins to read what only the cluster's own page shows, as soon as the types are known: the surroundings take as long again. What is returned waits
// for it.
func (v making) ownSoon(whole bool) (wait func() overview.Model) {
	var wg rescue.Group
	m := overview.Model{Namespace: v.namespaceAsked(whole)}
	if whole {
		wg.Go(func() {
			if catalog, err := v.Cluster().Catalog(v.Context(), v.Client()); err == nil {
				v.fillWhole(&m, catalog)
			}
		})
	}
	return func() overview.Model {
		wg.Wait()
		return m
	}
}

// fillWhole reads what only the cluster's own page shows: how the cluster is, and the fight to try out on the practice cluster.
func (v making) fillWhole(m *overview.Model, catalog discovery.Catalog) {
	var wg rescue.Group
	if scenario.Offered(catalog) {
		wg.Go(func() { m.Fight = v.fight() })
	}
	m.Health = v.health(catalog, m.Namespace)
	if run, ok := v.Site().Scans.Show(v.Session(), v.Cluster().Slug()); ok {
		m.Scan = overview.ScanOf(run)
	}
	if found, ok := v.Site().Censuses.Show(v.Session(), v.Cluster().Slug()); ok {
		m.Census = censusOf(found)
	}
	wg.Wait()
}

// mostNamed is how many managers of a kind the page names.
const mostNamed = 4

// censusOf is what the page shows of a census.
func censusOf(r report.Report) *overview.Census {
	c := overview.Census{Reading: r.Phase == report.Reading, Began: r.Began, Managers: len(r.Managers) + max(r.Folded-1, 0), Findings: len(r.Findings)}
	for _, t := range r.Types {
		c.Objects += t.Objects
		if t.State != report.Refused {
			c.Types++
		}
	}
	if len(r.Findings) > 0 {
		c.Worst = r.Findings[0].Why
	}
	all := 0
	for _, m := range r.Managers {
		all += m.Fields
	}
	for _, w := range report.ByKind(r) {
		named := min(len(w.Names), mostNamed)
		c.Kinds = append(c.Kinds, overview.Writers{
			Look: components.WriterLook(w.Kind.ID()), Kind: w.Kind.Heading(), Names: w.Names[:named], More: len(w.Names) - named + w.Others,
			Fields: w.Fields, Share: 100 * w.Fields / max(all, 1),
		})
	}
	return &c
}

// missingGroup tells that the path names a group or version which is not served, or of which nobody knows; nil if it is served.
func (v making) missingGroup(catalog discovery.Catalog) (code int, n *components.Notice) {
	if v.Path.Kind != apipath.KindDiscovery {
		return 0, nil
	}
	g, ok := catalog.Group(v.Path.Group)
	if ok && v.Path.Version == "" {
		return 0, nil
	}
	if _, served := g.Version(v.Path.Version); ok && served {
		return 0, nil
	}
	if code, n = v.Unread(catalog, v.Path.Group, v.Path.Version); n != nil {
		return code, n
	}
	return http.StatusNotFound, &components.Notice{
		Tone:    components.Warn,
		Title:   fmt.Sprintf("This cluster doesn’t serve %s", strings.TrimPrefix(v.Path.String(), "/")),
		Words:   "Discovery doesn’t list this group, or this version of it.",
		Links:   []components.Link{{Text: "Show all groups and versions", Href: web.Tool(v.Cluster().Slug(), web.Discovery)}},
		Details: visit.Otherwise(catalog, v.Path.Group, v.Path.Version),
	}
}

// fight requests the Scenario of the fight by a list, which is empty if there is none. It returns nothing if the user has no
// permission to list Scenarios.
func (v making) fight() *overview.Fight {
	p := overview.FightPath()
	body, err := v.Get(visit.WithQuery(apipath.CollectionOf(p), url.Values{"fieldSelector": {"metadata.name=" + p.Name}}), "application/json")
	if api.Code(err) == http.StatusForbidden {
		return nil
	}
	var list struct {
		Items []object.Object `json:"items"`
	}
	if err == nil {
		err = json.Unmarshal(body, &list)
	}
	if err != nil {
		_, notice := visit.Explain(err)
		return &overview.Fight{Problem: &notice}
	}
	if len(list.Items) == 0 {
		return &overview.Fight{}
	}
	return &overview.Fight{Scenario: list.Items[0]}
}
