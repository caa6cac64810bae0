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
func (v *visit) object(w http.ResponseWriter) {
	if v.path.Connects() || v.path.Rest != "" || v.path.Subresource == "log" {
		v.notReadable(w)
		return
	}
	query := v.request.URL.Query()
	if v.path.Kind == apipath.KindObject && web.Running(query.Get(web.TabField)) {
		v.running(w, views.Parse(query))
		return
	}
	m := objectpage.Model{Tab: views.Parse(query), Managed: query.Get("managed") == "1", Fields: fields.Model{Reading: fields.ParseReading(query)}, Now: v.pages.Now()}
	var raw object.Object
	var err error
	var about described
	needs := []func(){func() { raw, err = v.read(v.path.String()) }, func() { m.Row = v.row() }, v.without(feature.StreamingLists)}
	switch m.Tab {
	case objectpage.Schema:
		needs = append(needs, func() { about = v.describe(v.schemaPatience()) })
	case objectpage.Fields:
		needs = append(needs, func() { about = v.describe(v.fieldsPatience()) })
	}
	around := v.look(needs...)
	if around.catalogErr != nil {
		v.fail(w, v.path.Name, around, around.catalogErr)
		return
	}
	known, unknownErr := v.findType(&m.Type)
	if unknownErr != nil {
		v.fail(w, v.path.Name, around, unknownErr)
		return
	}
	if !known {
		v.unknownType(w, around)
		return
	}
	if err != nil {
		v.noObject(w, m, around, err)
		return
	}
	v.fill(&m, raw, around, query.Get("reveal"))
	switch m.Tab {
	case objectpage.Schema:
		m.Outline, m.Problem = v.schema(m, about, query)
	case objectpage.Fields:
		v.inform(&m, about)
		m.Fields.Unserved = v.unserved(m.Object, around.catalog)
	}
	v.remember(&m)
	v.surround(&m.Frame, web.OfKind(objectpage.Kind), v.name(), around)
	v.pages.render(w, v.request, http.StatusOK, m)
}

// name names the object, with its subresource where the page is of one.
func (v *visit) name() string {
	if v.path.Subresource != "" {
		return v.path.Name + "/" + v.path.Subresource
	}
	return v.path.Name
}

func (v *visit) read(path string) (object.Object, error) {
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
func (v *visit) fill(m *objectpage.Model, raw object.Object, s surroundings, reveal string) {
	m.Object = raw.Masked()
	m.Kinds = referred(m.Object, s.catalog)
	if raw.IsSecret() {
		m.Secrets.Values = raw.SecretValues()
		m.Secrets.Reveal = revealed(raw, reveal)
	}
	switch m.Tab {
	case objectpage.Events:
		v.events(m)
	case objectpage.Owners:
		v.owners(m, s.catalog)
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
func (v *visit) events(m *objectpage.Model) {
	path, query := events.Of(m.Object)
	query.Set("limit", "500")
	var err error
	if m.Events.Table, err = v.table(withQuery(path, query)); err != nil {
		_, notice := explain(err)
		m.Problem = &notice
	}
}

// noObject tells why there is no object to show.
func (v *visit) noObject(w http.ResponseWriter, m objectpage.Model, s surroundings, err error) {
	code, notice := explain(err)
	collection := web.Page(v.cluster.Slug(), apipath.CollectionOf(v.path).String())
	var refused *api.Error
	if errors.As(err, &refused) && code == http.StatusNotFound {
		notice.Title = fmt.Sprintf("There is no %s %q", m.Type.Kind, v.path.Name)
		if v.path.Subresource != "" {
			notice.Title = fmt.Sprintf("There is no %s of %s %q", v.path.Subresource, m.Type.Kind, v.path.Name)
		}
		notice.Words = "The object may have been deleted, or it is in another namespace."
	}
	notice.Links = append(notice.Links, components.Link{Text: "List all " + shell.Plural(m.Type), Href: collection, Primary: true})
	v.pages.refuse(w, v.request, code, v.shell(v.name(), s), notice)
}

// notReadable is the page of a subresource that connects to a workload.
func (v *visit) notReadable(w http.ResponseWriter) {
	links := []components.Link{{Text: "Open the object", Href: web.Page(v.cluster.Slug(), apipath.ObjectOf(v.path).String()), Primary: true}}
	if v.path.Subresource == "log" {
		v.pages.refuse(w, v.request, http.StatusNotFound, v.shell(v.name(), v.look()), components.Notice{
			Title: "A log is text, not an object",
			Words: "The view Logs of the pod shows its lines. The API call returns the log as it is.",
			Links: append([]components.Link{
				{Text: "Show the logs", Href: views.Logs.Address(v.cluster.Slug(), apipath.ObjectOf(v.path)), Primary: true},
				{Text: "Open the log", Href: web.API(v.cluster.Slug(), v.path.String())},
			}, components.Link{Text: "Open the object", Href: links[0].Href}),
		})
		return
	}
	words := "This subresource opens a connection to a workload. Clients such as kubectl can use it through Fieldmark."
	if v.path.Subresource == "proxy" {
		words = "This subresource forwards requests to a workload. Fieldmark allows such requests only if you start it with --allow-workload-proxy."
	}
	v.pages.refuse(w, v.request, http.StatusNotFound, v.shell(v.name(), v.look()), components.Notice{
		Title: fmt.Sprintf("There is no page for %s", v.path.Subresource),
		Words: words,
		Links: links,
	})
}
