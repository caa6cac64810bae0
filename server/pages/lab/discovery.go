package lab

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/page"
	discoverylab "github.com/fieldmark/fieldmark/web/lab/discovery"
	"github.com/fieldmark/fieldmark/web/read/overview"
)

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

// discovery is the page of all that the API server says it serves.
func (v making) discovery() (page.Page, error) {
	m := discoverylab.Model{Query: discoverylab.ParseQuery(v.Request().URL.Query())}
	var needs []func()
	switch {
	case m.Query.Tab == discoverylab.OpenAPI:
		needs = append(needs, func() { v.index(&m) })
	case m.Query.Tab == discoverylab.Offered && m.Query.Ask:
		needs = append(needs, func() { v.offers(&m) })
	}
	if err := v.LoadSurroundings(needs...); err != nil {
		return nil, err
	}
	if m.Query.Tab == discoverylab.Types && m.Query.Type != "" {
		v.detail(&m, v.Catalog())
	} else if m.Query.Tab == discoverylab.Types {
		m.Objects = v.objects(v.Catalog())
	}
	m.Frame = v.Frame().With(m.Problem)
	m.Shell.Stray = visit.StrayTab(v.Visit, discoverylab.Tabs()...)
	m.Shell.Requests = v.Requests("/apis")
	return m, nil
}

// objects counts the objects of every type, as far as that takes no longer than the bound of Counts.
func (v making) objects(catalog discovery.Catalog) map[string]discoverylab.Objects {
	counts := v.Counts(catalog)
	all := map[string]discoverylab.Objects{}
	for _, t := range catalog.Listable() {
		count, made := counts[overview.CountKey(t.Group, t.Resource)]
		text, hint := count.Words(made)
		all[t.FullName()] = discoverylab.Objects{Text: text, Hint: hint}
	}
	return all
}

// index asks which OpenAPI documents there are.
func (v making) index(m *discoverylab.Model) {
	body, err := v.Get("/openapi/v3", "application/json")
	if err == nil {
		m.Documents, err = discoverylab.ParseIndex(body)
	}
	if err != nil {
		_, notice := visit.Explain(err)
		if api.Code(err) == http.StatusNotFound {
			notice = components.Lacking(feature.OpenAPI)
		}
		m.Problem = &notice
	}
}

// offers asks what the server offers.
func (v making) offers(m *discoverylab.Model) {
	features, err := v.Cluster().Features(v.Context(), v.Client())
	if err != nil {
		_, notice := visit.Explain(err)
		m.Problem = &notice
		return
	}
	m.Offers = describe(features)
}

// detail requests what aggregated discovery does not contain about a type.
func (v making) detail(m *discoverylab.Model, catalog discovery.Catalog) {
	resource, group, _ := strings.Cut(m.Query.Type, ".")
	d := discoverylab.Detail{Name: m.Query.Type, Versions: catalog.Versions(group, resource), Hashes: map[string]string{}}
	if len(d.Versions) == 0 {
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "This resource type doesn’t exist",
			Words: "Write the resource, a dot, and the group, as kubectl does. Example: deployments.apps.",
		}
		return
	}
	hashes := make([]string, len(d.Versions))
	var wg rescue.Group
	for i, t := range d.Versions {
		wg.Go(func() { hashes[i] = v.storageHash(t) })
	}
	wg.Go(func() { d.Definition = v.definition(resource, group) })
	if len(d.Versions) > 1 {
		wg.Go(func() { v.differences(&d) })
	}
	wg.Wait()
	for i, t := range d.Versions {
		d.Hashes[t.Version] = hashes[i]
	}
	m.Detail = &d
}

// storageHash requests the unaggregated discovery document, which has the hash; empty: it has none.
func (v making) storageHash(t discovery.Type) string {
	body, err := v.Get(apipath.DiscoveryOf(t.Group, t.Version).String(), "application/json")
	if err != nil {
		return ""
	}
	_, _, types, err := discovery.ParseResourceList(body)
	if err != nil {
		return ""
	}
	for _, one := range types {
		if one.Resource == t.Resource {
			return one.StorageHash
		}
	}
	return ""
}

// definition is the definition of a custom resource; nil: the type is no custom resource, or its definition can't be read.
func (v making) definition(resource, group string) *discoverylab.Definition {
	if !visit.Definable(group) {
		return nil
	}
	body, err := v.Get(visit.DefinitionOf(resource, group).String(), "application/json")
	if err != nil {
		return nil
	}
	def, err := discoverylab.ParseDefinition(body)
	if err != nil {
		return nil
	}
	return def
}

// differences compares the fields of a type's versions.
func (v making) differences(d *discoverylab.Detail) {
	var all []schema.Schema
	for _, t := range d.Versions {
		document, err := v.Cluster().Document(v.Context(), v.Client(), t.Group, t.Version)
		if err != nil {
			d.Untold = fmt.Sprintf("Fieldmark can’t read the OpenAPI document of %s (%s).", t.GroupVersion(), err)
			return
		}
		s, found := document.Schema(schema.Kind{Group: t.Group, Version: t.Version, Kind: t.Kind})
		if !found {
			d.Untold = fmt.Sprintf("The OpenAPI document of %s doesn’t describe the kind %s.", t.GroupVersion(), t.Kind)
			return
		}
		all = append(all, s)
		d.Compared = append(d.Compared, t.Version)
	}
	var whole bool
	d.Differences, whole = schema.Differ(all)
	d.Part = !whole
}
