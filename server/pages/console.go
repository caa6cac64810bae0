package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/lab/console"
)

// Request is the console, where any request is made by hand. The browser sends it; the page begins with what its address says.
func (p *Pages) Request(w http.ResponseWriter, r *http.Request, slug string) {
	p.laboratory(w, r, slug, web.Request, "Request console", func(v *visit, s shell.Model) page.Page {
		return console.Model{
			Shell: s, Draft: console.ParseDraft(r.URL.Query()), Practice: v.cluster.Origin() == cluster.FromPractice,
		}
	})
}
