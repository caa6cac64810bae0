package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// laboratory serves a page on which the API itself is tried out. The page asks the API server for nothing but its surroundings and
// what needs ask for; all else are requests of the browser's. The page is made of the shell it stands in.
func (p *Pages) laboratory(w http.ResponseWriter, r *http.Request, slug, tool, title string, made func(*visit, shell.Model) page.Page, needs ...func(*visit)) {
	c, ok := p.Clusters.Get(slug)
	if !ok {
		p.unknownCluster(w, r, slug)
		return
	}
	v, err := p.newVisit(r, c, apipath.Path{})
	defer v.end()
	if err != nil {
		p.cannotAsk(w, v, err)
		return
	}
	ask := make([]func(), len(needs))
	for i, need := range needs {
		ask[i] = func() { need(v) }
	}
	around := v.look(ask...)
	if around.catalogErr != nil {
		v.fail(w, title, around, around.catalogErr)
		return
	}
	m := v.shell(title, around)
	m.Tool = tool
	p.render(w, r, http.StatusOK, made(v, m))
}
