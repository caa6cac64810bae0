package pages

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// maker makes the page of a visit. With an error there is no such page, and the response is a page that says why: a noPage is written by the maker, and
// explain puts all other errors into words. An elsewhere is a redirect.
type maker func(*visit) (page.Page, error)

// noPage is an error for people: it says why there is no page.
type noPage struct {
	code   int
	title  string // of the document
	notice components.Notice
}

func (n *noPage) Error() string { return n.notice.Title }

// elsewhere leads to another address.
type elsewhere struct{ address string }

func (e *elsewhere) Error() string { return "the page is at " + e.address }

// page responds with a page of a cluster at an API path.
func (p *Pages) page(w http.ResponseWriter, r *http.Request, slug string, path apipath.Path, of web.Profile, m maker) {
	p.visiting(w, r, slug, path, of, func(v *visit) { v.answer(m(v)) })
}

// visiting begins a visit of a cluster at an API path. Where there is no such cluster, or it can't be asked, the response says so instead.
func (p *Pages) visiting(w http.ResponseWriter, r *http.Request, slug string, path apipath.Path, of web.Profile, serve func(*visit)) {
	c, ok := p.clusters(r).Get(slug)
	if !ok {
		p.unknownCluster(w, r, slug)
		return
	}
	v, err := p.newVisit(r, c, path)
	defer v.end()
	v.of, v.title, v.w = of, of.Title, w
	if err != nil {
		p.cannotAsk(w, v, err)
		return
	}
	if waits := c.Waits(v.context(), v.client); waits != nil {
		p.cannotAsk(w, v, waits)
		return
	}
	serve(v)
}

// answer responds with what a maker returned.
func (v *visit) answer(made page.Page, err error) {
	if err == nil {
		v.pages.render(v.w, v.request, v.code, made)
		return
	}
	if e, ok := errors.AsType[*elsewhere](err); ok {
		http.Redirect(v.w, v.request, e.address, http.StatusSeeOther)
		return
	}
	r, ok := errors.AsType[*noPage](err)
	if !ok {
		r = v.failed(err)
	}
	v.pages.refuse(v.w, v.request, r.code, v.shell(r.title), r.notice)
}

// failed puts an error into words, with links to go on.
func (v *visit) failed(err error) *noPage {
	code, notice := explain(err)
	notice.Links = append(notice.Links,
		components.Link{Text: words.TryAgain, Href: v.request.URL.RequestURI(), Primary: true},
		components.Link{Text: "Choose another cluster", Href: web.Home})
	return &noPage{code, v.title, notice}
}

// refuse sends a page that says why there is no other.
func (p *Pages) refuse(w http.ResponseWriter, r *http.Request, status int, m shell.Model, n components.Notice) {
	p.render(w, r, status, errorpage.Model{Frame: page.Frame{Kind: errorpage.Kind, Shell: m}, Notice: n})
}

// sendJSON responds with JSON to the program of a page, which asks for it by the media type.
func (p *Pages) sendJSON(w http.ResponseWriter, r *http.Request, mediaType string, value any) {
	w.Header().Set("Vary", "Accept")
	w.Header().Set("Content-Type", mediaType)
	if err := json.NewEncoder(w).Encode(value); err != nil && r.Context().Err() == nil {
		p.Log.Error("could not send all data to a page", "type", mediaType, "err", err)
	}
}
