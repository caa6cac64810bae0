package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// lab serves a page on which the API itself is tried out. The server requests only the surroundings, and calls
// needs for what else the page needs; the browser sends all other requests. made returns the page for a shell.
func lab(p *Pages, made func(*visit, page.Frame) page.Page, needs ...func(*visit)) toolHandler {
	return func(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
		p.visiting(w, r, slug, apipath.Path{}, func(v *visit) {
			ask := []func(){v.without(needsOf(tool)...)}
			for _, need := range needs {
				ask = append(ask, func() { need(v) })
			}
			around := v.look(ask...)
			if around.catalogErr != nil {
				v.fail(w, tool.Title, around, around.catalogErr)
				return
			}
			var frame page.Frame
			v.surround(&frame, tool, tool.Title, around)
			p.render(w, r, http.StatusOK, made(v, frame))
		})
	}
}
