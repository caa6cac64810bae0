package subject

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/fights"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
)

// Above is the head of the page of a subject. live says whether the page follows what it shows; nil: it doesn't.
func (s Subject) Above(live *components.Liveness) page.Head {
	return page.Head{
		Where: s.Shell.Anatomy(), Small: page.Text(s.subtitle()), Live: live, Acts: s.actions(), Below: components.Tabs("Views of this object", s.tabs()),
	}
}

// actions are what one can do with the object, as on its own page.
func (s Subject) actions() (a components.Actions) {
	slug, p := s.Shell.Cluster.Slug, s.Shell.Path
	if s.Type.Can("patch") {
		a.Add(components.LinkButton(views.Edit(slug, p)))
	}
	a.Add(fights.StopLink(slug, report.Of(s.Shell.Fights, p)))
	if s.Type.Can("patch") {
		a.Add(components.LinkButton(views.Act(slug, p)))
	}
	a.Add(components.LinkButton(components.Link{
		Text: "API call", Href: web.Console(slug, request.Get, p.String(), accept.JSON), Hint: "Open the request for this object in the request console",
	}))
	if s.Type.Can("patch") && s.Object.ManagedFields() > 0 {
		a.Link(views.Assist(slug, p))
	}
	a.Link(shell.ObjectTools(slug, p, s.Type).Links...)
	if s.Type.Can("delete") {
		a.Link(views.Delete(slug, p))
	}
	return a
}
