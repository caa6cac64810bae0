package visit

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// Maker makes the page of a visit. With an error there is no such page, and the response is a page that says why: NoPage is written by the maker,
// Elsewhere is a redirect, and Explain puts all other errors into words.
type Maker func(*Visit) (page.Page, error)

// Handler serves a tool on the cluster that has the slug.
type Handler func(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile)

// NoPage is an error for people: the page that says why there is no other, with its status code and the title of its document.
func NoPage(code int, title string, notice components.Notice) error {
	return &noPage{code, title, notice}
}

type noPage struct {
	code   int
	title  string // of the document
	notice components.Notice
}

func (n *noPage) Error() string { return n.notice.Title }

// Elsewhere leads to another address.
func Elsewhere(address string) error { return &elsewhere{address} }

type elsewhere struct{ address string }

func (e *elsewhere) Error() string { return "the page is at " + e.address }

// Page responds with a page of a cluster at an API path.
func (p *Site) Page(w http.ResponseWriter, r *http.Request, slug string, path apipath.Path, of web.Profile, m Maker) {
	p.Visiting(w, r, slug, path, of, func(v *Visit) { v.Answer(m(v)) })
}

// Visiting begins a visit of a cluster at an API path. Where there is no such cluster, or it can't be asked, the response says so instead.
func (p *Site) Visiting(w http.ResponseWriter, r *http.Request, slug string, path apipath.Path, of web.Profile, serve func(*Visit)) {
	c, ok := p.ClustersOf(r).Get(slug)
	if !ok {
		p.UnknownCluster(w, r, slug)
		return
	}
	p.use(w, r, slug)
	v, err := p.Begin(r, c, path)
	defer v.end()
	v.of, v.Title, v.w = of, of.Title, w
	if err != nil {
		p.cannotAsk(w, v, err)
		return
	}
	if waits := c.Waits(v.Context(), v.client); waits != nil {
		p.cannotAsk(w, v, waits)
		return
	}
	serve(v)
}

// Answer responds with what a maker returned.
func (v *Visit) Answer(made page.Page, err error) {
	if err == nil {
		v.site.Render(v.w, v.request, v.Code, made)
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
	v.site.Refuse(v.w, v.request, r.code, v.shell(r.title), r.notice)
}

// failed puts an error into words, with links to go on.
func (v *Visit) failed(err error) *noPage {
	code, notice := Explain(err)
	notice.Links = append(notice.Links,
		components.Link{Text: words.TryAgain, Href: v.request.URL.RequestURI(), Primary: true},
		components.Link{Text: "Choose another cluster", Href: web.Home})
	return &noPage{code, v.Title, notice}
}

// Refuse sends a page that says why there is no other.
func (p *Site) Refuse(w http.ResponseWriter, r *http.Request, status int, m shell.Model, n components.Notice) {
	p.Render(w, r, status, errorpage.Model{Frame: page.Frame{Kind: errorpage.Kind, Shell: m}, Notice: n})
}

// SendJSON responds with JSON to the program of a page, which asks for it by the media type.
func (p *Site) SendJSON(w http.ResponseWriter, r *http.Request, mediaType string, value any) {
	w.Header().Set("Vary", "Accept")
	w.Header().Set("Content-Type", mediaType)
	if err := json.NewEncoder(w).Encode(value); err != nil && r.Context().Err() == nil {
		p.Log.Error("could not send all data to a page", "type", mediaType, "err", err)
	}
}

// UnknownCluster says that no cluster has the slug.
func (p *Site) UnknownCluster(w http.ResponseWriter, r *http.Request, slug string) {
	n := components.Notice{
		Tone:   components.Warn,
		Title:  fmt.Sprintf("There is no cluster %q", slug),
		Words:  "Clusters are the contexts of your kubeconfig, and the practice cluster.",
		Advice: "Add the context to the kubeconfig and reload this page, or choose another cluster.",
		Links:  []components.Link{{Text: "Choose a cluster", Href: web.Home, Primary: true}},
	}
	if p.WhoIs(r).Person != nil {
		n.Words, n.Advice = "The settings of this Fieldmark name its clusters.", "Choose another cluster."
	}
	p.Refuse(w, r, http.StatusNotFound, p.Shell(r, "No such cluster"), n)
}

// cannotAsk says why no request is sent to a cluster: it is starting, or its context is broken.
func (p *Site) cannotAsk(w http.ResponseWriter, v *Visit, err error) {
	status, notice := v.Cannot(err)
	notice.Links = append(notice.Links, components.Link{Text: "Choose another cluster", Href: web.Home})
	v.Disconnect()
	m := v.shell(v.cluster.Name())
	if Pending(err) {
		notice.Advice += " This page opens by itself when the cluster is ready."
	}
	p.Refuse(w, v.request, status, m, notice)
}

// Cannot explains why no request can be sent to the cluster of the visit. If the reader must sign in for the cluster, it has a link.
func (v *Visit) Cannot(err error) (int, components.Notice) {
	status, notice := Explain(err)
	if problem, ok := errors.AsType[*cluster.Problem](err); ok && problem.SignIn {
		status, notice.Tone, notice.Title = http.StatusUnauthorized, components.Warn, "Sign in for this cluster"
		notice.Advice = ""
		to := url.Values{"cluster": {v.cluster.Slug()}, "next": {v.request.URL.RequestURI()}}
		notice.Links = append(notice.Links, components.Link{Text: "Sign in", Href: web.SignIn + "?" + to.Encode(), Primary: true})
	}
	return status, notice
}
