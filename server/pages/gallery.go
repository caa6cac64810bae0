package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/web/gallery"
)

// Gallery is the page that shows every component in its states.
func (p *Pages) Gallery(w http.ResponseWriter, r *http.Request) {
	m := gallery.Model{Shell: p.Shell(r, "Components"), Stylesheet: p.Assets.GalleryStylesheet()}
	for _, t := range p.Assets.Tokens() {
		m.Tokens = append(m.Tokens, gallery.Token(t))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := m.View().Render(r.Context(), w); err != nil && r.Context().Err() == nil {
		p.Log.Error("rendering the gallery failed", "err", err)
	}
}
