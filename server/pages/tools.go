package pages

import (
	"maps"
	"net/http"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/pages/lab"
	"github.com/fieldmark/fieldmark/server/pages/read"
	"github.com/fieldmark/fieldmark/server/pages/run"
	"github.com/fieldmark/fieldmark/server/pages/survey"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/server/pages/write"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	weblab "github.com/fieldmark/fieldmark/web/lab"
	weblearn "github.com/fieldmark/fieldmark/web/learn"
	webread "github.com/fieldmark/fieldmark/web/read"
	webrun "github.com/fieldmark/fieldmark/web/run"
	websurvey "github.com/fieldmark/fieldmark/web/survey"
	webwrite "github.com/fieldmark/fieldmark/web/write"
)

// tools are the makers of the tools that need more than their surroundings, by name. All others open by themselves (page.Opener).
func tools() map[string]visit.Maker {
	all := map[string]visit.Maker{}
	for _, wing := range []map[string]visit.Maker{read.Tools(), write.Tools(), lab.Tools(), survey.Tools(), run.Tools()} {
		maps.Copy(all, wing)
	}
	return all
}

// handlers serve the tools that also send data, or take acts on this server, by name.
func (p *Pages) handlers() map[string]visit.Handler {
	all := read.Pages{Site: p.Site}.Handlers()
	maps.Copy(all, lab.Pages{Site: p.Site}.Handlers())
	maps.Copy(all, survey.Pages{Site: p.Site}.Handlers())
	return all
}

// Tool is the handler of one of web.Tools, on the cluster that has the slug. Some also send data, or take acts on this server.
func (p *Pages) Tool(t web.Profile) func(w http.ResponseWriter, r *http.Request, slug string) {
	if serve := p.handlers()[t.Tool()]; serve != nil {
		return func(w http.ResponseWriter, r *http.Request, slug string) { serve(w, r, slug, t) }
	}
	m, special := tools()[t.Tool()]
	if !special {
		m = opens(t)
	}
	if m == nil {
		panic("the tool " + t.Tool() + " has no maker, and it isn’t a page.Opener")
	}
	return func(w http.ResponseWriter, r *http.Request, slug string) {
		p.Page(w, r, slug, subjectOf(t, r.URL.Query()), t, m)
	}
}

// subjectOf is the path that a tool is about; without a kind if its address names none.
func subjectOf(t web.Profile, query url.Values) apipath.Path {
	text := query.Get(t.Subject)
	path, err := apipath.Parse(text)
	switch {
	case err != nil || t.Subject == "":
		return apipath.Path{}
	case t.Tool() == web.Act:
		return run.ObjectAt(text) // several objects have no path in common
	}
	return path
}

// wings are the pages of all programs for the browser.
func wings() []page.Set {
	return []page.Set{webread.Pages(), webwrite.Pages(), weblab.Pages(), weblearn.Pages(), websurvey.Pages(), webrun.Pages()}
}

// opens makes a tool that opens by itself; nil if it doesn't.
func opens(of web.Profile) visit.Maker {
	for _, wing := range wings() {
		reads, known := wing[of.Kind]
		if !known {
			continue
		}
		if empty, err := reads([]byte("{}")); err == nil {
			if o, opens := empty.(page.Opener); opens {
				return func(v *visit.Visit) (page.Page, error) {
					if err := v.LoadSurroundings(); err != nil {
						return nil, err
					}
					return o.Open(v.Frame(), v.Request().URL.Query()), nil
				}
			}
		}
	}
	return nil
}
