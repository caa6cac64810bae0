package read

import (
	"context"
	"net/http"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/events"
)

// events is the page of a cluster's events, grouped.
func (v making) events() (page.Page, error) {
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	m := events.Model{Query: events.ParseQuery(v.Request().URL.Query())}
	v.Code = v.readEvents(&m, v.Catalog())
	m.Read = v.Now()
	m.Frame = v.Frame().With(m.Problem)
	return m, nil
}

// readEvents reads the list of events into the model, and returns the page's status code.
func (v making) readEvents(m *events.Model, catalog discovery.Catalog) int {
	source, ok := health.EventSource(catalog, m.Query.Warnings)
	if !ok {
		if code, unread := v.Unread(catalog, "", "v1"); unread != nil {
			m.Problem = unread
			return code
		}
		m.Problem = &components.Notice{Title: "This cluster serves no Events", Words: "Discovery lists no type events that can be listed."}
		return http.StatusNotFound
	}
	ctx, cancel := context.WithTimeout(v.Context(), healthTime)
	defer cancel()
	answer, err := v.Client().Do(ctx, api.Request{Path: source.Path(m.Query.Namespace), Accept: source.Accept(), MaxBytes: healthBytes})
	var list health.List
	if err == nil {
		list, err = health.Read(source, answer.Body)
	}
	if err != nil {
		code, notice := visit.Explain(err)
		if code == http.StatusForbidden && m.Query.Namespace == "" {
			notice.Advice = "If you can’t list Events in all namespaces, choose a namespace above."
		}
		m.Problem = &notice
		return code
	}
	m.Groups, m.Events, m.Rest = health.GroupEvents(list.Events, catalog), len(list.Events), list.Rest
	return http.StatusOK
}
