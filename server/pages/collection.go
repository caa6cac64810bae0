package pages

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

// collection is the page of a collection.
func (v *visit) collection() (page.Page, error) {
	v.is(collection.Kind, v.path.Resource)
	m := collection.Model{Query: collection.ParseQuery(v.request.URL.Query())}
	if emptyKeys(v.request.URL.Query()) { // forms send empty fields, but permalinks should not have them
		return nil, &elsewhere{web.WithQuery(web.Page(v.cluster.Slug(), v.path.String()), m.Query.Values())}
	}
	var err error
	var declared []collection.Column
	if silent := v.loadSurroundings(func() { m.Table, err = v.table(withQuery(v.path, m.Query.Request())) }, v.without(feature.StreamingLists, feature.Tables),
		func() { declared = v.declared() }); silent != nil {
		return nil, silent
	}
	if unknown := v.findType(&m.Type); unknown != nil {
		return nil, unknown
	}
	var problem *components.Notice
	if err != nil {
		v.code, problem = v.listProblem(m, err)
	} else if len(m.Table.Rows) == 0 && v.path.Namespace != "" {
		if m.NoNamespace = v.namespaceMissing(); m.NoNamespace {
			v.code = http.StatusNotFound
		}
	}
	m.Unserved = collection.Unserved(declared, m.Table)
	v.title = shell.Plural(m.Type)
	m.Frame = v.frame().With(problem)
	return m, nil
}

func emptyKeys(query url.Values) bool {
	for _, values := range query {
		if len(values) == 1 && values[0] == "" {
			return true
		}
	}
	return false
}

// table asks for a path as a Table.
func (v *visit) table(path string) (table.Table, error) {
	body, err := v.get(path, asTable)
	if err != nil {
		return table.Table{}, err
	}
	return table.Parse(body, v.pages.Now())
}

// findType finds the type of the visit's path, also one that was defined a moment ago.
func (v *visit) findType(t *discovery.Type) (err error) {
	var known bool
	*t, known, err = v.cluster.Type(v.context(), v.client, v.path.Group, v.path.Version, v.path.Resource)
	if err == nil && !known {
		return v.unknownType()
	}
	return err
}

// listProblem is the notice that says why there is no table, with links that only a collection has.
func (v *visit) listProblem(m collection.Model, err error) (int, *components.Notice) {
	code, notice := explain(err)
	here := web.Page(v.cluster.Slug(), v.path.String())
	switch {
	case code == http.StatusGone:
		q := m.Query
		q.Continue = ""
		notice.Links = append(notice.Links, components.Link{Text: "List again from the beginning", Href: web.WithQuery(here, q.Values()), Primary: true})
	case code == http.StatusBadRequest && (m.Query.Selects() || m.Query.Continue != ""):
		notice.Advice = "Check the selectors. Label selectors look like app=web, tier!=back or tier in (a,b). Most types support only the fields metadata.name and metadata.namespace."
		notice.Links = append(notice.Links, components.Link{Text: "Clear the selectors", Href: here})
	case code == http.StatusForbidden && m.Type.Namespaced && v.path.Namespace == "":
		notice.Advice = "If you can’t list a type in all namespaces, choose a namespace above, or write its name into the address."
	case code == http.StatusServiceUnavailable || code == http.StatusGatewayTimeout:
		catalog, _ := v.cluster.Catalog(v.context(), v.client)
		if at, unread := v.unread(catalog, v.path.Group, v.path.Version); unread != nil {
			return at, unread
		}
	case code == http.StatusMethodNotAllowed:
		notice.Words = fmt.Sprintf("You can only create %s. The API server keeps no collection to list.", shell.Plural(m.Type))
	}
	return code, &notice
}

// namespaceMissing asks whether the namespace of the path exists. Only a 404 counts: with a
// 403, the page doesn't say that the namespace doesn't exist.
func (v *visit) namespaceMissing() bool {
	_, err := v.get(apipath.Object("", "v1", "", "namespaces", v.path.Namespace).String(), "application/json")
	var refused *api.Error
	return errors.As(err, &refused) && refused.Status.Is(status.NotFound)
}

// unknownType says that the cluster does not serve the type of the path, and links to similar types. If nobody can know that, it says why.
func (v *visit) unknownType() *noPage {
	catalog := v.around.catalog
	if code, unread := v.unread(catalog, v.path.Group, v.path.Version); unread != nil {
		return &noPage{code, "Unknown type", *unread}
	}
	gv := discovery.GroupVersion(v.path.Group, v.path.Version)
	n := components.Notice{
		Tone:    components.Warn,
		Title:   fmt.Sprintf("This cluster serves no type %q in %s", v.path.Resource, gv),
		Words:   "Discovery doesn’t list this resource type. It may be in another group or version, or its definition was deleted.",
		Details: otherwise(catalog, v.path.Group, v.path.Version),
	}
	candidates := catalog.Find(v.path.Resource)
	if len(candidates) == 0 {
		candidates = similar(catalog, v.path.Resource)
	}
	for _, t := range candidates {
		p := apipath.Collection(t.Group, t.Version, "", t.Resource)
		if t.Namespaced {
			p = p.In(v.path.Namespace)
		}
		n.Links = append(n.Links, components.Link{Text: t.FullName() + " (" + t.GroupVersion() + ")", Href: web.Page(v.cluster.Slug(), p.String())})
	}
	n.Links = append(n.Links, components.Link{Text: "All types", Href: web.Cluster(v.cluster.Slug())})
	return &noPage{http.StatusNotFound, "No such type", n}
}
