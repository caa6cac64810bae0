package read

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
	"github.com/fieldmark/fieldmark/web/read/object/events"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
	"github.com/fieldmark/fieldmark/web/read/object/row"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
)

// object is the page of an object, or of one of its subresources.
func (v making) object() (page.Page, error) {
	v.Is(objectpage.Kind, v.Path.Name)
	if v.Path.Connects() || v.Path.Rest != "" || v.Path.Subresource == "log" {
		return nil, v.notReadable()
	}
	query := v.Request().URL.Query()
	m := objectpage.Model{Tab: views.Parse(query), Managed: query.Get("managed") == "1", Fields: fields.Model{Reading: fields.ParseReading(query)}, Now: v.Now()}
	var raw object.Object
	var err error
	var about visit.Described
	needs := []func(){func() { raw, err = v.ReadObject(v.Path.String()) }, func() { m.Row = v.row() }, v.Without(feature.StreamingLists)}
	switch m.Tab {
	case objectpage.Schema:
		needs = append(needs, func() { about = v.Describe(v.Path, v.SchemaPatience()) })
	case objectpage.Fields:
		needs = append(needs, func() { about = v.Describe(v.Path, v.FieldsPatience()) })
	}
	if silent := v.LoadSurroundings(needs...); silent != nil {
		return nil, silent
	}
	if unknown := v.FindType(&m.Type); unknown != nil {
		return nil, unknown
	}
	v.Title = v.Name()
	if err != nil {
		return nil, v.NoObject(m.Type, err)
	}
	v.fill(&m, raw, query.Get("reveal"))
	switch m.Tab {
	case objectpage.Schema:
		m.Outline, m.Problem = v.schema(m, about, query)
	case objectpage.Fields:
		v.inform(&m, about)
		m.Fields.Unserved = v.unserved(m.Object, v.Catalog())
	}
	v.remember(&m)
	if m.Tab == objectpage.Related {
		m.Frame = v.FrameBefore(v.owners(&m, v.Catalog())...)
	} else {
		m.Frame = v.Frame().With(m.Problem)
	}
	m.Shell.Stray = v.stray(m.Type, query)
	return m, nil
}

// stray says that the address names a tab that the object doesn't have; nil: it has the tab.
func (v making) stray(t discovery.Type, query url.Values) *components.Notice {
	if views.Known(query) {
		return nil
	}
	return visit.StrayTab(v.Visit, views.Of(t, v.Path, v.Catalog())...)
}

// row asks for the object's row of the server's Table. A page without a row is complete, so an error leaves the row out.
func (v making) row() row.Model {
	if v.Path.Kind != apipath.KindObject {
		return row.Model{}
	}
	t, err := v.table(v.Path.String())
	if err != nil || !t.Printed || len(t.Rows) != 1 {
		return row.Model{}
	}
	return row.Model{Table: t}
}

// fill completes the model with the masked object, and with what the tab needs.
func (v making) fill(m *objectpage.Model, raw object.Object, reveal string) {
	m.Object = raw.Masked()
	m.Kinds = referred(m.Object, v.Catalog())
	if raw.IsSecret() {
		m.Secrets.Values = raw.SecretValues()
		m.Secrets.Reveal = revealed(raw, reveal)
	}
	if m.Tab == objectpage.Events {
		v.eventsOf(m)
	}
}

// referred are the kinds of the objects that an object refers to, as far as the cluster has them.
func referred(o object.Object, catalog discovery.Catalog) []reference.Kind {
	var kinds []reference.Kind
	for _, k := range reference.Named(manifest.Tree(o.WithoutManagedFields().Fields)) {
		group, version := discovery.SplitGroupVersion(k.APIVersion)
		if t, ok := catalog.Kind(group, version, k.Kind); ok {
			k.Resource, k.Namespaced = t.Resource, t.Namespaced
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func revealed(raw object.Object, key string) *secrets.Revealed {
	if key == "" {
		return nil
	}
	value, ok := raw.Reveal(key)
	if !ok {
		return nil
	}
	if !utf8.Valid(value) {
		return &secrets.Revealed{Key: key, Text: base64.StdEncoding.EncodeToString(value), Data: true}
	}
	return &secrets.Revealed{Key: key, Text: string(value)}
}

// events asks for the events about the object, as the server's Table.
func (v making) eventsOf(m *objectpage.Model) {
	path, query := events.Of(m.Object)
	query.Set("limit", "500")
	var err error
	if m.Events.Table, err = v.table(visit.WithQuery(path, query)); err != nil {
		_, notice := visit.Explain(err)
		m.Problem = &notice
	}
}

// notReadable refuses a subresource that connects to a workload.
func (v making) notReadable() error {
	_ = v.LoadSurroundings()
	links := []components.Link{{Text: "Open the object", Href: web.Page(v.Cluster().Slug(), apipath.ObjectOf(v.Path).String()), Primary: true}}
	if v.Path.Subresource == "log" {
		return visit.NoPage(http.StatusNotFound, v.Name(), components.Notice{
			Title: "A log is text, not an object",
			Words: "The view Logs of the pod shows its lines. The API call returns the log as it is.",
			Links: append([]components.Link{
				{Text: "Show the logs", Href: views.Logs.Address(v.Cluster().Slug(), apipath.ObjectOf(v.Path)), Primary: true},
				{Text: "Open the log", Href: web.API(v.Cluster().Slug(), v.Path.String())},
			}, components.Link{Text: "Open the object", Href: links[0].Href}),
		})
	}
	words := "This subresource opens a connection to a workload. Clients such as kubectl can use it through Fieldmark."
	if v.Path.Subresource == "proxy" {
		words = "This subresource forwards requests to a workload. Fieldmark allows such requests only if you start it with --allow-workload-proxy."
	}
	return visit.NoPage(http.StatusNotFound, v.Name(), components.Notice{
		Title: fmt.Sprintf("There is no page for %s", v.Path.Subresource),
		Words: words,
		Links: links,
	})
}
