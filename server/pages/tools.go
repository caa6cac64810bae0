package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/request"
	"github.com/fieldmark/fieldmark/web/lab/watch"
)

// toolHandler serves a tool of the cluster that has the slug.
type toolHandler func(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile)

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
		web.Request: lab(p, func(v *visit, f page.Frame) page.Page {
			return request.Model{Frame: f, Draft: draft.Parse(v.request.URL.Query()), Practice: v.cluster.Origin() == cluster.FromPractice}
		}),
		web.Representations: lab(p, compared),
		web.Watch:           lab(p, streamed),
	}
}

// streamed makes the watch laboratory. Where the server doesn't offer streaming lists, it begins with a list, unless the address says
// otherwise.
func streamed(v *visit, f page.Frame) page.Page {
	query := v.request.URL.Query()
	m := watch.Model{Frame: f, Options: watch.ParseOptions(query)}
	if len(f.Shell.Lacks) > 0 && !query.Has(watch.QueryBegin) {
		m.Options.Begin = watch.Listed
	}
	return m
}

// Tool is the handler of one of web.Tools, on the cluster that has the slug.
func (p *Pages) Tool(t web.Profile) func(w http.ResponseWriter, r *http.Request, slug string) {
	serve := p.tools()[t.Tool()]
	return func(w http.ResponseWriter, r *http.Request, slug string) { serve(w, r, slug, t) }
}
