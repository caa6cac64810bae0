package pages

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/run/logs"
	"github.com/fieldmark/fieldmark/web/run/subject"
	"github.com/fieldmark/fieldmark/web/run/terminal"
	"github.com/fieldmark/fieldmark/web/run/usage"
)

// running is the page of a view that shows what runs.
func (v *visit) running(view views.View) (page.Page, error) {
	v.is(kindOf[view], v.path.Name)
	s, err := v.subject(view)
	if err != nil {
		return nil, err
	}
	switch view {
	case views.Shell:
		if _, served := s.Type.Subresource("ephemeralcontainers"); !served {
			s.Shell.Lacks = append(s.Shell.Lacks, feature.EphemeralContainers)
		}
		return terminal.Model{Subject: s, Choice: terminal.ParseChoice(v.request.URL.Query())}, nil
	case views.Usage:
		return v.usage(s), nil
	default:
		return v.logs(s), nil
	}
}

// kindOf are the kinds of the pages of views.
var kindOf = map[views.View]string{views.Logs: logs.Kind, views.Shell: terminal.Kind, views.Usage: usage.Kind}

// subject reads the object that such a page is about. The error says why that isn't possible, or that the object has no such view.
func (v *visit) subject(view views.View) (s subject.Subject, err error) {
	var raw object.Object
	var unread error
	if err := v.loadSurroundings(func() { raw, unread = v.readObject(v.path.String()) }); err != nil {
		return s, err
	}
	if err := v.findType(&s.Type); err != nil {
		return s, err
	}
	switch catalog := v.around.catalog; {
	case unread != nil:
		return s, v.noObject(s.Type, unread)
	case view == views.Usage && views.Unmeasured(s.Type, catalog):
		return s, v.unmeasured()
	case !slices.Contains(views.Of(s.Type, v.path, catalog), view):
		return s, &noPage{http.StatusNotFound, v.title, components.Notice{
			Title: fmt.Sprintf("There is no view “%s” of %s", view.Words(), s.Type.FullName()),
			Words: "Pods have logs and shells. Objects that select pods have the logs of their pods. Usage is there if the cluster serves " + views.MetricsGroup + ".",
			Links: []components.Link{{Text: "Open the object", Href: web.Page(v.cluster.Slug(), v.path.String()), Primary: true}},
		}}
	}
	s.Object, s.View, s.Now = raw.Masked(), view, v.pages.Now()
	s.Frame = v.frame()
	return s, nil
}

// unmeasured says that the cluster serves no metrics, or that nobody knows.
func (v *visit) unmeasured() *noPage {
	notice, code := components.Lacking(feature.Metrics), http.StatusNotFound
	if at, unread := v.unread(v.around.catalog, views.MetricsGroup, ""); unread != nil {
		notice, code = *unread, at
		notice.Advice += " " + feature.Metrics.Instead
	}
	notice.Links = append(notice.Links, components.Link{Text: "Open the object", Href: web.Page(v.cluster.Slug(), v.path.String()), Primary: true})
	return &noPage{code, v.title, notice}
}
