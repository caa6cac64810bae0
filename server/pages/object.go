package pages

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
	"github.com/fieldmark/fieldmark/web/read/object/events"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
	"github.com/fieldmark/fieldmark/web/read/object/row"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
)

// maxObject bounds one object's JSON: the API server stores up to about 3 MiB.
const maxObject = 8 << 20

// object is the page of an object, or of one of its subresources.
func (v *visit) object() (page.Page, error) {
	v.is(objectpage.Kind, v.path.Name)
	if v.path.Connects() || v.path.Rest != "" || v.path.Subresource == "log" {
		return nil, v.notReadable()
	}
	query := v.request.URL.Query()
	if v.path.Kind == apipath.KindObject && web.Running(query.Get(web.TabField)) {
		return v.running(views.Parse(query))
	}
	m := objectpage.Model{Tab: views.Parse(query), Managed: query.Get("managed") == "1", Fields: fields.Model{Reading: fields.ParseReading(query)}, Now: v.pages.Now()}
	var raw object.Object
	var err error
	var about described
	needs := []func(){func() { raw, err = v.readObject(v.path.String()) }, func() { m.Row = v.row() }, v.without(feature.StreamingLists)}
	switch m.Tab {
	case objectpage.Schema:
		needs = append(needs, func() { about = v.describe(v.schemaPatience()) })
	case objectpage.Fields:
		needs = append(needs, func() { about = v.describe(v.fieldsPatience()) })
	}
	if silent := v.loadSurroundings(needs...); silent != nil {
		return nil, silent
	}
	if unknown := v.findType(&m.Type); unknown != nil {
		return nil, unknown
	}
	v.title = v.name()
	if err != nil {
		return nil, v.noObject(m.Type, err)
	}
	v.fill(&m, raw, query.Get("reveal"))
	switch m.Tab {
	case objectpage.Schema:
		m.Outline, m.Problem = v.schema(m, about, query)
	case objectpage.Fields:
		v.inform(&m, about)
		m.Fields.Unserved = v.unserved(m.Object, v.around.catalog)
	}
	v.remember(&m)
	m.Frame = v.frame().With(m.Problem)
	return m, nil
}

// name names the object, with its subresource where the page is of one.
func (v *visit) name() string {
	if v.path.Subresource != "" {
		return v.path.Name + "/" + v.path.Subresource
	}
	return v.path.Name
}

func (v *visit) readObject(path string) (object.Object, error) {
	answer, err := v.client.Do(v.context(), api.Request{Path: path, MaxBytes: maxObject})
	if err != nil {
		return object.Object{}, err
	}
	o, err := object.Parse(answer.Body)
	if err == nil && v.path.OfSecrets() && !o.IsSecret() {
		return o, errors.New("the response at the path of a Secret is not a Secret, so Fieldmark doesn’t show the response")
	}
	return o, err
}

// row asks for the object's row of the server's Table. A page without a row is complete, so an error leaves the row out.
func (v *visit) row() row.Model {
	if v.path.Kind != apipath.KindObject {
		return row.Model{}
	}
	t, err := v.table(v.path.String())
	if err != nil || !t.Printed || len(t.Rows) != 1 {
		return row.Model{}
	}
	return row.Model{Table: t}
}

// fill completes the model with the masked object, and with what the tab needs.
func (v *visit) fill(m *objectpage.Model, raw object.Object, reveal string) {
	m.Object = raw.Masked()
	m.Kinds = referred(m.Object, v.around.catalog)
	if raw.IsSecret() {
		m.Secrets.Values = raw.SecretValues()
		m.Secrets.Reveal = revealed(raw, reveal)
	}
	switch m.Tab {
	case objectpage.Events:
		v.eventsOf(m)
	case objectpage.Related:
		v.owners(m, v.around.catalog)
	}
}

// referred are the kinds of the objects that an object refers to, as far as the cluster has them.
func referred(o object.Object, catalog discovery.Catalog) []reference.Kind {
	var kinds []reference.Kind
	for _, k := range reference.Named(manifest.Tree(o.WithoutManagedFields().Fields)) {
		group, version := splitAPIVersion(k.APIVersion)
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
func (v *visit) eventsOf(m *objectpage.Model) {
	path, query := events.Of(m.Object)
	query.Set("limit", "500")
	var err error
	if m.Events.Table, err = v.table(withQuery(path, query)); err != nil {
		_, notice := explain(err)
		m.Problem = &notice
	}
}

// noObject tells why there is no object to show.
func (v *visit) noObject(t discovery.Type, err error) *noPage {
	code, notice := explain(err)
	collection := web.Page(v.cluster.Slug(), apipath.CollectionOf(v.path).String())
	var refused *api.Error
	if errors.As(err, &refused) && code == http.StatusNotFound {
		notice.Title = fmt.Sprintf("There is no %s %q", t.Kind, v.path.Name)
		if v.path.Subresource != "" {
			notice.Title = fmt.Sprintf("There is no %s of %s %q", v.path.Subresource, t.Kind, v.path.Name)
		}
		notice.Words = "The object may have been deleted, or it is in another namespace."
	}
	notice.Links = append(notice.Links, components.Link{Text: "List all " + shell.Plural(t), Href: collection, Primary: true})
	return &noPage{code, v.title, notice}
}

// notReadable refuses a subresource that connects to a workload.
func (v *visit) notReadable() *noPage {
	_ = v.loadSurroundings()
	links := []components.Link{{Text: "Open the object", Href: web.Page(v.cluster.Slug(), apipath.ObjectOf(v.path).String()), Primary: true}}
	if v.path.Subresource == "log" {
		return &noPage{http.StatusNotFound, v.name(), components.Notice{
			Title: "A log is text, not an object",
			Words: "The view Logs of the pod shows its lines. The API call returns the log as it is.",
			Links: append([]components.Link{
				{Text: "Show the logs", Href: views.Logs.Address(v.cluster.Slug(), apipath.ObjectOf(v.path)), Primary: true},
				{Text: "Open the log", Href: web.API(v.cluster.Slug(), v.path.String())},
			}, components.Link{Text: "Open the object", Href: links[0].Href}),
		}}
	}
	words := "This subresource opens a connection to a workload. Clients such as kubectl can use it through Fieldmark."
	if v.path.Subresource == "proxy" {
		words = "This subresource forwards requests to a workload. Fieldmark allows such requests only if you start it with --allow-workload-proxy."
	}
	return &noPage{http.StatusNotFound, v.name(), components.Notice{
		Title: fmt.Sprintf("There is no page for %s", v.path.Subresource),
		Words: words,
		Links: links,
	}}
}
