package pages

import (
	"net/http"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab"
	"github.com/fieldmark/fieldmark/web/lab/request"
	"github.com/fieldmark/fieldmark/web/learn"
	"github.com/fieldmark/fieldmark/web/read"
	"github.com/fieldmark/fieldmark/web/run"
	"github.com/fieldmark/fieldmark/web/write"
	"github.com/fieldmark/fieldmark/web/write/apply"
	deletion "github.com/fieldmark/fieldmark/web/write/delete"
)

// tools are the makers of the tools that need more than their surroundings, by name. All others open by themselves (page.Opener).
func tools() map[string]maker {
	return map[string]maker{
		web.Act:             (*visit).act,
		web.Apply:           (*visit).apply,
		web.Assist:          (*visit).assist,
		web.Check:           (*visit).check,
		web.Chunks:          (*visit).chunks,
		web.Compare:         (*visit).compare,
		web.Delete:          (*visit).deletion,
		web.Discovery:       (*visit).discovery,
		web.Explain:         (*visit).explain,
		web.Events:          (*visit).events,
		web.Representations: (*visit).representations,
		web.Request:         (*visit).requestPage,
		web.Versions:        (*visit).versions,
	}
}

// subjects are the parameters that name what a tool is about, by the tool's name.
var subjects = map[string]string{web.Act: web.ActPath, web.Apply: apply.QueryEdit, web.Assist: web.AssistPath, web.Delete: deletion.QueryPath}

// Tool is the handler of one of web.Tools, on the cluster that has the slug. Some also send data, or take acts on this server.
func (p *Pages) Tool(t web.Profile) func(w http.ResponseWriter, r *http.Request, slug string) {
	type handler func(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile)
	more := map[string]handler{web.Contention: p.contention, web.Requests: p.requests, web.Watched: p.watched, web.WhoAmI: p.whoami}
	if serve := more[t.Tool()]; serve != nil {
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
		p.page(w, r, slug, subjectOf(t, r.URL.Query()), t, m)
	}
}

// subjectOf is the path that a tool is about; without a kind if its address names none.
func subjectOf(t web.Profile, query url.Values) apipath.Path {
	text := query.Get(subjects[t.Tool()])
	path, err := apipath.Parse(text)
	switch {
	case err != nil || subjects[t.Tool()] == "":
		return apipath.Path{}
	case t.Tool() == web.Act:
		return objectAt(text) // several objects have no path in common
	}
	return path
}

// wings are the pages of all programs for the browser.
func wings() []page.Set {
	return []page.Set{read.Pages(), write.Pages(), lab.Pages(), learn.Pages(), run.Pages()}
}

// opens makes a tool that opens by itself; nil if it doesn't.
func opens(of web.Profile) maker {
	for _, wing := range wings() {
		reads, known := wing[of.Kind]
		if !known {
			continue
		}
		if empty, err := reads([]byte("{}")); err == nil {
			if o, opens := empty.(page.Opener); opens {
				return func(v *visit) (page.Page, error) {
					if err := v.loadSurroundings(); err != nil {
						return nil, err
					}
					return o.Open(v.frame(), v.request.URL.Query()), nil
				}
			}
		}
	}
	return nil
}

// requestPage is the page on which a request of one's own is sent.
func (v *visit) requestPage() (page.Page, error) {
	if err := v.loadSurroundings(); err != nil {
		return nil, err
	}
	return request.Model{Frame: v.frame(), Draft: draft.Parse(v.request.URL.Query()), Practice: v.cluster.Origin() == cluster.FromPractice}, nil
}
