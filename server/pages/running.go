package pages

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/views"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
	"github.com/fieldmark/fieldmark/web/run/logs"
	"github.com/fieldmark/fieldmark/web/run/subject"
	"github.com/fieldmark/fieldmark/web/run/terminal"
	"github.com/fieldmark/fieldmark/web/run/usage"
)

// running is the page of a view that shows what runs.
func (v *visit) running(w http.ResponseWriter, view views.View) {
	s, ok := v.subject(w, view)
	if !ok {
		return
	}
	switch view {
	case views.Shell:
		if _, served := s.Type.Subresource("ephemeralcontainers"); !served {
			s.Shell.Lacks = append(s.Shell.Lacks, feature.EphemeralContainers)
		}
		v.pages.render(w, v.request, http.StatusOK, terminal.Model{Subject: s, Choice: terminal.ParseChoice(v.request.URL.Query())})
	case views.Usage:
		v.pages.render(w, v.request, http.StatusOK, v.usage(s))
	default:
		v.logs(w, s)
	}
}

// kindOf are the kinds of the pages of views.
var kindOf = map[views.View]string{views.Logs: logs.Kind, views.Shell: terminal.Kind, views.Usage: usage.Kind}

// subject reads the object that such a page is about. If that isn't possible, or the object has no such view, the page says so, and ok is false.
func (v *visit) subject(w http.ResponseWriter, view views.View) (s subject.Subject, ok bool) {
	var raw object.Object
	var err error
	around := v.look(func() { raw, err = v.read(v.path.String()) })
	if around.catalogErr != nil {
		v.fail(w, v.path.Name, around, around.catalogErr)
		return s, false
	}
	known, unknownErr := v.findType(&s.Type)
	switch {
	case unknownErr != nil:
		v.fail(w, v.path.Name, around, unknownErr)
	case !known:
		v.unknownType(w, around)
	case err != nil:
		v.noObject(w, objectpage.Model{Type: s.Type}, around, err)
	case view == views.Usage && views.Unmeasured(s.Type, around.catalog):
		v.unmeasured(w, around)
	case !slices.Contains(views.Of(s.Type, v.path, around.catalog), view):
		v.pages.refuse(w, v.request, http.StatusNotFound, v.shell(v.path.Name, around), components.Notice{
			Title: fmt.Sprintf("There is no view “%s” of %s", view.Words(), s.Type.FullName()),
			Words: "Pods have logs and shells. Objects that select pods have the logs of their pods. Usage is there if the cluster serves " + views.MetricsGroup + ".",
			Links: []components.Link{{Text: "Open the object", Href: web.Page(v.cluster.Slug(), v.path.String()), Primary: true}},
		})
	default:
		s.Object, s.View, s.Now = raw.Masked(), view, v.pages.Now()
		v.surround(&s.Frame, web.OfKind(kindOf[view]), v.path.Name, around)
		return s, true
	}
	return s, false
}

// unmeasured says that the cluster serves no metrics, or that nobody knows.
func (v *visit) unmeasured(w http.ResponseWriter, around surroundings) {
	notice, code := components.Lacking(feature.Metrics), http.StatusNotFound
	if at, unread := v.unread(around.catalog, views.MetricsGroup, ""); unread != nil {
		notice, code = *unread, at
		notice.Advice += " " + feature.Metrics.Instead
	}
	notice.Links = append(notice.Links, components.Link{Text: "Open the object", Href: web.Page(v.cluster.Slug(), v.path.String()), Primary: true})
	v.pages.refuse(w, v.request, code, v.shell(v.path.Name, around), notice)
}
