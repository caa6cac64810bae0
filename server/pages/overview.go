package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/rescue"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/overview"
)

// overview is the page of a cluster, or of a part of what it serves.
func (v *visit) overview() (page.Page, error) {
	whole := v.path.Kind == apipath.KindRoot
	v.is(overview.Kind, v.cluster.Name())
	var state cluster.State
	needs := []func(){func() { state = v.cluster.State(v.context(), v.client) }}
	if whole {
		needs = append(needs, v.without(feature.Tables.Then("So Fieldmark can’t say which workloads and nodes are ready.")))
	}
	if err := v.loadSurroundings(needs...); err != nil {
		return nil, err
	}
	catalog := v.around.catalog
	if code, missing := v.missingGroup(catalog); missing != nil {
		return nil, &noPage{code, "No such API group", *missing}
	}
	info := v.cluster.Info()
	m := overview.Model{
		Server: host(info.Server), Version: state.Version, User: state.User,
		State: state.Text, Tone: phaseTones[state.Phase],
	}
	if whole {
		v.fillWhole(&m, catalog)
	} else {
		m.Counts = v.counts(catalog)
		v.title = strings.TrimPrefix(v.path.String(), "/")
	}
	m.Frame = v.frame()
	return m, nil
}

// fillWhole reads what only the cluster's own page shows: how the cluster is, and the fight to try out on the practice cluster.
func (v *visit) fillWhole(m *overview.Model, catalog discovery.Catalog) {
	var wg rescue.Group
	if scenario.Offered(catalog) {
		wg.Go(func() { m.Fight = v.fight() })
	}
	m.Namespace = v.request.URL.Query().Get(overview.QueryNamespace)
	if apipath.UnfitNamespace(m.Namespace) != "" {
		m.Namespace = ""
	}
	m.Health = v.health(catalog, m.Namespace)
	if run, ok := v.pages.Scans.Show(v.pages.Session(v.request), v.cluster.Slug()); ok {
		m.Scan = overview.ScanOf(run)
	}
	wg.Wait()
}

// missingGroup tells that the path names a group or version which is not served, or of which nobody knows; nil if it is served.
func (v *visit) missingGroup(catalog discovery.Catalog) (code int, n *components.Notice) {
	if v.path.Kind != apipath.KindDiscovery {
		return 0, nil
	}
	g, ok := catalog.Group(v.path.Group)
	if ok && v.path.Version == "" {
		return 0, nil
	}
	if _, served := g.Version(v.path.Version); ok && served {
		return 0, nil
	}
	if code, n = v.unread(catalog, v.path.Group, v.path.Version); n != nil {
		return code, n
	}
	return http.StatusNotFound, &components.Notice{
		Tone:    components.Warn,
		Title:   fmt.Sprintf("This cluster doesn’t serve %s", strings.TrimPrefix(v.path.String(), "/")),
		Words:   "Discovery doesn’t list this group, or this version of it.",
		Links:   []components.Link{{Text: "Show all groups and versions", Href: web.Tool(v.cluster.Slug(), web.Discovery)}},
		Details: otherwise(catalog, v.path.Group, v.path.Version),
	}
}

func describe(features []cluster.Feature) []components.Feature {
	var all []components.Feature
	for _, f := range features {
		asked := f.Asked.Method + " " + f.Asked.Path
		if f.Asked.Accept != "" {
			asked += "  Accept: " + f.Asked.Accept
		}
		if f.Asked.ContentType != "" {
			asked += "  Content-Type: " + f.Asked.ContentType
		}
		all = append(all, components.Feature{Name: f.Name, Offered: string(f.Offered), Means: f.Means, Since: f.Since, Why: f.Why, Asked: asked, Instead: f.Instead})
	}
	return all
}

// counts counts the objects of the types that the page lists.
func (v *visit) counts(catalog discovery.Catalog) map[string]overview.Count {
	counted, err := v.counted(catalog)
	if err != nil {
		return nil
	}
	counts := make(map[string]overview.Count, len(counted))
	for key, c := range counted {
		counts[overview.CountKey(key.Group, key.Resource)] = overview.Count{Known: c.Known, N: c.Objects, AtLeast: c.AtLeast, Why: c.Why}
	}
	return counts
}

// countTime bounds the counting for a page that lists a part of the types.
const countTime = 1500 * time.Millisecond

// counted counts every type for the cluster's own page, and for the page of a group the group's only.
func (v *visit) counted(catalog discovery.Catalog) (cluster.Counts, error) {
	g, ok := catalog.Group(v.path.Group)
	if v.path.Kind != apipath.KindDiscovery || !ok {
		return v.cluster.Counts(v.context(), v.client, catalog)
	}
	ctx, cancel := context.WithTimeout(v.context(), countTime)
	defer cancel()
	return cluster.CountAll(ctx, v.client, discovery.Catalog{Groups: []discovery.Group{g}}), nil
}

// fight requests the Scenario of the fight by a list, which is empty if there is none. It returns nothing if the user has no
// permission to list Scenarios.
func (v *visit) fight() *overview.Fight {
	p := overview.FightPath()
	body, err := v.get(withQuery(apipath.CollectionOf(p), url.Values{"fieldSelector": {"metadata.name=" + p.Name}}), "application/json")
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
		_, notice := explain(err)
		return &overview.Fight{Problem: &notice}
	}
	if len(list.Items) == 0 {
		return &overview.Fight{}
	}
	return &overview.Fight{Scenario: list.Items[0]}
}
