package read

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/read/collection"
)

// collection is the page of a collection.
func (v making) collection() (page.Page, error) {
	v.Is(collection.Kind, v.Path.Resource)
	m := collection.Model{Query: collection.ParseQuery(v.Request().URL.Query())}
	if emptyKeys(v.Request().URL.Query()) { // forms send empty fields, but permalinks should not have them
		return nil, visit.Elsewhere(web.WithQuery(web.Page(v.Cluster().Slug(), v.Path.String()), m.Query.Values()))
	}
	var err error
	var declared []collection.Column
	if silent := v.LoadSurroundings(func() { m.Judged, m.Table, err = v.judged(m.Query) }, v.Without(feature.StreamingLists, feature.Tables),
		func() { declared = v.declared() }); silent != nil {
		return nil, silent
	}
	if unknown := v.FindType(&m.Type); unknown != nil {
		return nil, unknown
	}
	var problem *components.Notice
	if err != nil {
		v.Code, problem = v.listProblem(m, err)
	} else if len(m.Table.Rows) == 0 && v.Path.Namespace != "" {
		if m.NoNamespace = v.namespaceMissing(); m.NoNamespace {
			v.Code = http.StatusNotFound
		}
	}
	m.Unserved = collection.Unserved(declared, m.Table)
	v.Title = shell.Plural(m.Type)
	m.Frame, m.At = v.Frame().With(problem), v.Now()
	v.readValues(&m)
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

// judged asks for the collection as a Table: with whole objects, if their conditions are shown, and without them, if they are too large.
func (v making) judged(q collection.Query) (judged bool, t table.Table, err error) {
	if condition.Listed(v.Path.Group, v.Path.Resource) {
		t, err = v.tableAs(visit.WithQuery(v.Path, collection.Whole(q.Request())), table.Judged{Group: v.Path.Group}.Parse)
		if _, large := errors.AsType[*api.TooLarge](err); !large {
			return err == nil, t, err
		}
	}
	t, err = v.table(visit.WithQuery(v.Path, q.Request()))
	return false, t, err
}

// table asks for a path as a Table.
func (v making) table(path string) (table.Table, error) { return v.tableAs(path, table.Parse) }

func (v making) tableAs(path string, parse func([]byte, time.Time) (table.Table, error)) (table.Table, error) {
	body, err := v.Get(path, visit.AsTable)
	if err != nil {
		return table.Table{}, err
	}
	return parse(body, v.Now())
}

// listProblem is the notice that says why there is no table, with links that only a collection has.
func (v making) listProblem(m collection.Model, err error) (int, *components.Notice) {
	code, notice := visit.Explain(err)
	here := web.Page(v.Cluster().Slug(), v.Path.String())
	switch {
	case code == http.StatusGone:
		q := m.Query
		q.Continue = ""
		notice.Links = append(notice.Links, components.Link{Text: "List again from the beginning", Href: web.WithQuery(here, q.Values()), Primary: true})
	case code == http.StatusBadRequest && (m.Query.Selects() || m.Query.Continue != ""):
		notice.Advice = "Check the selectors. Label selectors look like app=web, tier!=back or tier in (a,b). Most types support only the fields metadata.name and metadata.namespace."
		notice.Links = append(notice.Links, components.Link{Text: "Clear the selectors", Href: here})
	case code == http.StatusForbidden && m.Type.Namespaced && v.Path.Namespace == "":
		notice.Advice = "If you can’t list a type in all namespaces, choose a namespace above, or write its name into the address."
	case code == http.StatusServiceUnavailable || code == http.StatusGatewayTimeout:
		catalog, _ := v.Cluster().Catalog(v.Context(), v.Client())
		if at, unread := v.Unread(catalog, v.Path.Group, v.Path.Version); unread != nil {
			return at, unread
		}
	case code == http.StatusMethodNotAllowed:
		notice.Words = fmt.Sprintf("You can only create %s. The API server keeps no collection to list.", shell.Plural(m.Type))
	}
	return code, &notice
}

// namespaceMissing asks whether the namespace of the path exists. Only a 404 counts: with a
// 403, the page doesn't say that the namespace doesn't exist.
func (v making) namespaceMissing() bool {
	_, err := v.Get(apipath.Object("", "v1", "", "namespaces", v.Path.Namespace).String(), "application/json")
	var refused *api.Error
	return errors.As(err, &refused) && refused.Status.Is(status.NotFound)
}
