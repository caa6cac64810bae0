package run

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/run/describe"
	"github.com/fieldmark/fieldmark/web/run/logs"
	"github.com/fieldmark/fieldmark/web/run/shell"
	"github.com/fieldmark/fieldmark/web/run/subject"
	"github.com/fieldmark/fieldmark/web/run/usage"
)

// running is the page of a view that shows what runs.
func (v making) running() (page.Page, error) {
	view := views.Parse(v.Request().URL.Query())
	v.Is(kindOf[view], v.Path.Name)
	s, err := v.subject(view)
	if err != nil {
		return nil, err
	}
	switch view {
	case views.Describe:
		return v.describe(s), nil
	case views.Shell:
		if _, served := s.Type.Subresource("ephemeralcontainers"); !served {
			s.Shell.Lacks = append(s.Shell.Lacks, feature.EphemeralContainers)
		}
		return shell.Model{Subject: s, Choice: shell.ParseChoice(v.Request().URL.Query())}, nil
	case views.Usage:
		return v.usage(s), nil
	default:
		return v.logs(s), nil
	}
}

// kindOf are the kinds of the pages of views.
var kindOf = map[views.View]string{views.Describe: describe.Kind, views.Logs: logs.Kind, views.Shell: shell.Kind, views.Usage: usage.Kind}

// subject reads the object that such a page is about. The error says why that isn't possible, or that the object has no such view.
func (v making) subject(view views.View) (s subject.Subject, err error) {
	var raw object.Object
	var unread error
	if err := v.LoadSurroundings(func() { raw, unread = v.ReadObject(v.Path.String()) }); err != nil {
		return s, err
	}
	if err := v.FindType(&s.Type); err != nil {
		return s, err
	}
	switch catalog := v.Catalog(); {
	case unread != nil:
		return s, v.NoObject(s.Type, unread)
	case view == views.Usage && views.Unmeasured(s.Type, catalog):
		return s, v.unmeasured()
	case !slices.Contains(views.Of(s.Type, v.Path, catalog), view):
		return s, visit.NoPage(http.StatusNotFound, v.Title, components.Notice{
			Title: fmt.Sprintf("There is no view “%s” of %s", view.Words(), s.Type.FullName()),
			Words: "Pods have logs and shells. Pods, Jobs, Nodes, Services, Ingresses and PersistentVolumeClaims can be described. Objects that select pods have the logs of their pods. Usage is there if the cluster serves " + views.MetricsGroup + ".",
			Links: []components.Link{{Text: "Open the object", Href: web.Page(v.Cluster().Slug(), v.Path.String()), Primary: true}},
		})
	}
	s.Object, s.View, s.Now = raw.Masked(), view, v.Now()
	s.Frame = v.Frame()
	return s, nil
}

// unmeasured says that the cluster serves no metrics, or that nobody knows.
func (v making) unmeasured() error {
	notice, code := components.Lacking(feature.Metrics), http.StatusNotFound
	if at, unread := v.Unread(v.Catalog(), views.MetricsGroup, ""); unread != nil {
		notice, code = *unread, at
		notice.Advice += " " + feature.Metrics.Instead
	}
	notice.Links = append(notice.Links, components.Link{Text: "Open the object", Href: web.Page(v.Cluster().Slug(), v.Path.String()), Primary: true})
	return visit.NoPage(code, v.Title, notice)
}
