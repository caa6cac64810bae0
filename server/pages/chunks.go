package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/lab/chunks"
)

// Chunks is the page on which a collection is listed chunk by chunk. The browser asks for each chunk.
func (p *Pages) Chunks(w http.ResponseWriter, r *http.Request, slug string) {
	p.laboratory(w, r, slug, web.Chunks, "Chunk stepper", func(_ *visit, around shell.Model) page.Page {
		m := chunks.Parse(r.URL.Query())
		m.Shell = around
		m.Shell.Path.Namespace = m.Target.Path.Namespace
		return m
	})
}
