package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/lab/console"
	"github.com/fieldmark/fieldmark/web/lab/watch"
)

// toolHandler serves a tool of the cluster that has the slug.
type toolHandler func(w http.ResponseWriter, r *http.Request, slug string, tool web.ToolPage)

// tools are the handlers of web.Tools, by name. Those that need no request to the API server are written here.
func (p *Pages) tools() map[string]toolHandler {
	return map[string]toolHandler{
		web.Act:        p.act,
		web.Apply:      p.apply,
		web.Assist:     p.handover,
		web.Check:      p.check,
		web.Chunks:     p.stepped,
		web.Compare:    p.twoServers,
		web.Contention: p.contention,
		web.Delete:     p.deletion,
		web.Discovery:  p.discovery,
		web.Explain:    p.explaining,
		web.Happened:   p.happened,
		web.Requests:   p.wirelog,
		web.Versions:   p.versions,
		web.Watched:    p.watched,
		web.WhoAmI:     p.whoami,
		web.Request: lab(p, func(v *visit, s shell.Model) page.Page {
			return console.Model{Shell: s, Draft: draft.Parse(v.request.URL.Query()), Practice: v.cluster.Origin() == cluster.FromPractice}
		}),
		web.Representations: lab(p, compared),
		web.Watch:           lab(p, streamed),
	}
}

// streamed makes the watch laboratory. Where the server doesn't offer streaming lists, it begins with a list, unless the address says
// otherwise.
func streamed(v *visit, s shell.Model) page.Page {
	query := v.request.URL.Query()
	m := watch.Model{Shell: s, Options: watch.ParseOptions(query)}
	if len(s.Lacks) > 0 && !query.Has(watch.QueryBegin) {
		m.Options.Begin = watch.Listed
	}
	return m
}

// Tool is the handler of one of web.Tools, on the cluster that has the slug.
func (p *Pages) Tool(t web.ToolPage) func(w http.ResponseWriter, r *http.Request, slug string) {
	serve := p.tools()[t.Name]
	return func(w http.ResponseWriter, r *http.Request, slug string) { serve(w, r, slug, t) }
}
