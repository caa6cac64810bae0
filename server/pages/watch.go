package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/lab/watch"
)

// Watch is the page on which a stream of events is opened, cut and resumed by hand.
func (p *Pages) Watch(w http.ResponseWriter, r *http.Request, slug string) {
	p.laboratory(w, r, slug, web.Watch, "Watch laboratory", func(_ *visit, s shell.Model) page.Page {
		return watch.Model{Shell: s, Options: watch.ParseOptions(r.URL.Query())}
	})
}
