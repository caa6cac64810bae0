package pages

import (
	"context"
	"net/http"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/read/events"
)

// happened is the page of a cluster's events, grouped.
func (p *Pages) happened(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	p.visiting(w, r, slug, apipath.Path{}, func(v *visit) {
		around := v.look()
		if around.catalogErr != nil {
			v.fail(w, tool.Title, around, around.catalogErr)
			return
		}
		m := events.Model{Query: events.ParseQuery(r.URL.Query())}
		code := v.readEvents(&m, around.catalog)
		v.surround(&m.Frame, tool, tool.Title, around)
		m.Read = p.Now()
		p.render(w, r, code, m)
	})
}

// readEvents reads the list of events into the model, and returns the page's status code.
func (v *visit) readEvents(m *events.Model, catalog discovery.Catalog) int {
	source, ok := health.EventSource(catalog, m.Query.Warnings)
	if !ok {
		if code, unread := v.unread(catalog, "", "v1"); unread != nil {
			m.Problem = unread
			return code
		}
		m.Problem = &components.Notice{Title: "This cluster serves no Events", Words: "Discovery lists no type events that can be listed."}
		return http.StatusNotFound
	}
	ctx, cancel := context.WithTimeout(v.context(), healthTime)
	defer cancel()
	answer, err := v.client.Do(ctx, api.Request{Path: source.Path(m.Query.Namespace), Accept: source.Accept(), MaxBytes: healthBytes})
	var list health.List
	if err == nil {
		list, err = health.Read(source, answer.Body)
	}
	if err != nil {
		code, notice := explain(err)
		if code == http.StatusForbidden && m.Query.Namespace == "" {
			notice.Advice = "If you can’t list Events in all namespaces, choose a namespace above."
		}
		m.Problem = &notice
		return code
	}
	m.Groups, m.Events, m.Rest = health.GroupEvents(list.Events, catalog), len(list.Events), list.Rest
	return http.StatusOK
}
