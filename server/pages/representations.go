package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/lab/representations"
)

// Representations shows one path in every form that it may be answered in. The browser asks for them.
func (p *Pages) Representations(w http.ResponseWriter, r *http.Request, slug string) {
	p.laboratory(w, r, slug, web.Representations, "Representations", func(_ *visit, frame shell.Model) page.Page {
		return representations.New(frame, r.URL.Query())
	})
}
