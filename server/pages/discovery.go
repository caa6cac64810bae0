package pages

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/rescue"
	"github.com/fieldmark/fieldmark/web/frame/page"
	discoverylab "github.com/fieldmark/fieldmark/web/lab/discovery"
	"github.com/fieldmark/fieldmark/web/read/overview"
)

// discovery is the page of all that the API server says it serves.
func (v *visit) discovery() (page.Page, error) {
	m := discoverylab.Model{Query: discoverylab.ParseQuery(v.request.URL.Query())}
	var needs []func()
	switch {
	case m.Query.Tab == discoverylab.OpenAPI:
		needs = append(needs, func() { v.index(&m) })
	case m.Query.Tab == discoverylab.Offered && m.Query.Ask:
		needs = append(needs, func() { v.offers(&m) })
	}
	if err := v.loadSurroundings(needs...); err != nil {
		return nil, err
	}
	if m.Query.Tab == discoverylab.Types && m.Query.Type != "" {
		v.detail(&m, v.around.catalog)
	} else if m.Query.Tab == discoverylab.Types {
		m.Objects = v.objects(v.around.catalog)
	}
	m.Frame = v.frame().With(m.Problem)
	m.Shell.Requests = v.watched.requests("/apis")
	return m, nil
}

// objects counts the objects of every type, as far as that takes no longer than the bound of Counts.
func (v *visit) objects(catalog discovery.Catalog) map[string]discoverylab.Objects {
	counts := v.counts(catalog)
	all := map[string]discoverylab.Objects{}
	for _, t := range catalog.Listable() {
		count, made := counts[overview.CountKey(t.Group, t.Resource)]
		text, hint := count.Words(made)
		all[t.FullName()] = discoverylab.Objects{Text: text, Hint: hint}
	}
	return all
}

// index asks which OpenAPI documents there are.
func (v *visit) index(m *discoverylab.Model) {
	body, err := v.get("/openapi/v3", "application/json")
	if err == nil {
		m.Documents, err = discoverylab.ParseIndex(body)
	}
	if err != nil {
		_, notice := explain(err)
		if api.Code(err) == http.StatusNotFound {
			notice = components.Lacking(feature.OpenAPI)
		}
		m.Problem = &notice
	}
}

// offers asks what the server offers.
func (v *visit) offers(m *discoverylab.Model) {
	features, err := v.cluster.Features(v.context(), v.client)
	if err != nil {
		_, notice := explain(err)
		m.Problem = &notice
		return
	}
	m.Offers = describe(features)
}

// detail requests what aggregated discovery does not contain about a type.
func (v *visit) detail(m *discoverylab.Model, catalog discovery.Catalog) {
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
func (v *visit) storageHash(t discovery.Type) string {
	body, err := v.get(apipath.DiscoveryOf(t.Group, t.Version).String(), "application/json")
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
func (v *visit) definition(resource, group string) *discoverylab.Definition {
	if !definable(group) {
		return nil
	}
	body, err := v.get(definitionOf(resource, group).String(), "application/json")
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
func (v *visit) differences(d *discoverylab.Detail) {
	var all []schema.Schema
	for _, t := range d.Versions {
		document, err := v.cluster.Document(v.context(), v.client, t.Group, t.Version)
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
