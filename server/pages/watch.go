package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/page"
	"github.com/fieldmark/fieldmark/web/shell"
	"github.com/fieldmark/fieldmark/web/watchlab"
)

// Watch is the page on which a stream of events is opened, cut and resumed by hand.
func (p *Pages) Watch(w http.ResponseWriter, r *http.Request, slug string) {
	p.laboratory(w, r, slug, web.Watch, "Watch laboratory", func(_ *visit, s shell.Model) page.Page {
		return watchlab.Model{Shell: s, Options: watchlab.ParseOptions(r.URL.Query())}
	})
}
