package pages

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Cluster serves everything below /c/{cluster}. The rest of the address is an API path, which decides
// which page it is.
func (p *Pages) Cluster(w http.ResponseWriter, r *http.Request, slug string) {
	if _, ok := p.clusters(r).Get(slug); !ok {
		p.unknownCluster(w, r, slug)
		return
	}
	path, err := apipath.Parse(tail(r))
	if err != nil {
		p.refuse(w, r, http.StatusBadRequest, p.shell(r, "Not an API path"), components.Notice{
			Tone: components.Bad, Title: "This address is ambiguous", Words: components.Sentence(err.Error()),
			Links: []components.Link{{Text: "Open the overview of the cluster", Href: web.Cluster(slug)}},
		})
		return
	}
	p.page(w, r, slug, path, web.Profile{}, (*visit).there)
}

// there is the page that the visit's path calls for.
func (v *visit) there() (page.Page, error) {
	if v.path.Watch {
		return nil, v.streamOnly()
	}
	switch v.path.Kind {
	case apipath.KindRoot, apipath.KindGroupList, apipath.KindDiscovery:
		return v.overview()
	case apipath.KindCollection:
		return v.collection()
	case apipath.KindObject, apipath.KindSubresource:
		return v.object()
	default:
		return nil, v.nonResource()
	}
}

func (p *Pages) unknownCluster(w http.ResponseWriter, r *http.Request, slug string) {
	n := components.Notice{
		Tone:   components.Warn,
		Title:  fmt.Sprintf("There is no cluster %q", slug),
		Words:  "Clusters are the contexts of your kubeconfig, and the practice cluster.",
		Advice: "Add the context to the kubeconfig and reload this page, or choose another cluster.",
		Links:  []components.Link{{Text: "Choose a cluster", Href: web.Home, Primary: true}},
	}
	if p.who(r).Person != nil {
		n.Words, n.Advice = "The settings of this Fieldmark name its clusters.", "Choose another cluster."
	}
	p.refuse(w, r, http.StatusNotFound, p.shell(r, "No such cluster"), n)
}

// cannotAsk says why no request is sent to a cluster: it is starting, or its context is broken.
func (p *Pages) cannotAsk(w http.ResponseWriter, v *visit, err error) {
	status, notice := v.cannot(err)
	notice.Links = append(notice.Links, components.Link{Text: "Choose another cluster", Href: web.Home})
	v.around = unconnected
	m := v.shell(v.cluster.Name())
	if pending(err) {
		notice.Advice += " This page opens by itself when the cluster is ready."
	}
	p.refuse(w, v.request, status, m, notice)
}

// cannot explains why no request can be sent to the cluster of the visit. If the reader must sign in for the cluster, it has a link.
func (v *visit) cannot(err error) (int, components.Notice) {
	status, notice := explain(err)
	if problem, ok := errors.AsType[*cluster.Problem](err); ok && problem.SignIn {
		status, notice.Tone, notice.Title = http.StatusUnauthorized, components.Warn, "Sign in for this cluster"
		notice.Advice = ""
		to := url.Values{"cluster": {v.cluster.Slug()}, "next": {v.request.URL.RequestURI()}}
		notice.Links = append(notice.Links, components.Link{Text: "Sign in", Href: web.SignIn + "?" + to.Encode(), Primary: true})
	}
	return status, notice
}

// streamOnly refuses a deprecated path with /watch/, whose response is a stream of events.
func (v *visit) streamOnly() error {
	plain := v.path
	plain.Watch = false
	_ = v.loadSurroundings() // without the catalog, the page has no menu of types
	return &noPage{http.StatusNotFound, "A stream", components.Notice{
		Title: "This path is a stream of events",
		Words: "A path with /watch/ is the old way to watch a collection. The response never ends, so there is no page for it.",
		Links: []components.Link{{Text: "Open the collection", Href: web.Page(v.cluster.Slug(), plain.String()), Primary: true}},
	}}
}

// nonResource refuses an API path that addresses no resource, such as /version.
func (v *visit) nonResource() error {
	_ = v.loadSurroundings()
	return &noPage{http.StatusNotFound, v.path.String(), components.Notice{
		Title: "Not a resource",
		Words: fmt.Sprintf("%s isn’t the path of a resource, so there is no page for it. The API server may respond to this path.", v.path),
		Links: []components.Link{
			{Text: "Open the response of the server", Href: web.API(v.cluster.Slug(), v.path.String())},
			{Text: "Open the overview of the cluster", Href: web.Cluster(v.cluster.Slug())},
		},
	}}
}

// Find leads to the collection of a type named in any way kubectl would take: plural, singular, kind
// or short name. If several types have that name, it lists them.
func (p *Pages) Find(w http.ResponseWriter, r *http.Request, slug string) {
	p.page(w, r, slug, apipath.Path{}, web.Profile{Title: "Jump to a type"}, (*visit).findTypePage)
}

func (v *visit) findTypePage() (page.Page, error) {
	word := strings.TrimSpace(v.request.URL.Query().Get("type"))
	if err := v.loadSurroundings(); err != nil {
		return nil, err
	}
	found := withoutMetrics(v.around.catalog.Find(word))
	if len(found) == 1 {
		t := found[0]
		return nil, &elsewhere{web.Page(v.cluster.Slug(), apipath.Collection(t.Group, t.Version, "", t.Resource).String())}
	}
	return nil, &noPage{http.StatusNotFound, v.title, v.choice(word)}
}

// choice is the notice if a name matches several types, or none. Then it has similar types.
func (v *visit) choice(word string) components.Notice {
	catalog := v.around.catalog
	n := components.Notice{Title: fmt.Sprintf("Several types are called %q", word), Words: "Choose one of them."}
	candidates := catalog.Find(word)
	if len(candidates) == 0 {
		n = components.Notice{
			Tone:   components.Warn,
			Title:  fmt.Sprintf("No type is called %q", word),
			Words:  "No resource type of this cluster has this plural, singular, kind or short name.",
			Advice: "Discovery lists every type.",
			Links:  []components.Link{{Text: "Open Discovery", Href: web.Tool(v.cluster.Slug(), web.Discovery)}},
		}
		candidates = similar(catalog, word)
	}
	for _, t := range candidates {
		n.Links = append(n.Links, components.Link{
			Text: t.FullName() + " (" + t.GroupVersion() + ")",
			Href: web.Page(v.cluster.Slug(), apipath.Collection(t.Group, t.Version, "", t.Resource).String()),
		})
	}
	return n
}

// NotFound answers for addresses that are no page.
func (p *Pages) NotFound(w http.ResponseWriter, r *http.Request) {
	p.refuse(w, r, http.StatusNotFound, p.shell(r, "No such page"), components.Notice{
		Title: "Page not found",
		Words: "The address of a page is /c/, the name of a cluster, and an API path. Example: " + web.Page("practice", "/api/v1/pods") + ".",
		Links: []components.Link{{Text: "Choose a cluster", Href: web.Home, Primary: true}},
	})
}

// themeCookie keeps the choice of colours. It holds no secret, so plain HTTP may carry it.
const themeCookie = "fieldmark-theme"

func themeOf(r *http.Request) string {
	c, err := r.Cookie(themeCookie)
	if err != nil || (c.Value != "light" && c.Value != "dark") {
		return ""
	}
	return c.Value
}

// Theme keeps a choice of colours and goes back to where it was made.
func (p *Pages) Theme(w http.ResponseWriter, r *http.Request) {
	theme, back := r.PostFormValue("theme"), r.PostFormValue("back")
	cookie := &http.Cookie{Name: themeCookie, Value: theme, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: 365 * 24 * 3600}
	if theme != "light" && theme != "dark" {
		cookie.Value, cookie.MaxAge = "", -1
	}
	http.SetCookie(w, cookie)
	goBack(w, r, back)
}

// goBack leads back to where a choice was made.
func goBack(w http.ResponseWriter, r *http.Request, back string) {
	http.Redirect(w, r, local(back), http.StatusSeeOther)
}

// local is an address on this server: the one that a form names, or the first page.
func local(back string) string {
	if !web.Local(back) {
		back = web.Home
	}
	u := url.URL{Path: back}
	if parsed, err := url.Parse(back); err == nil {
		u = *parsed
	}
	return u.String()
}

// withoutMetrics leaves out the types of figures, if a word means other types too: with pods, nobody means their metrics.
func withoutMetrics(found []discovery.Type) []discovery.Type {
	others := slices.DeleteFunc(slices.Clone(found), func(t discovery.Type) bool { return t.Group == usage.Group })
	if len(others) == 0 {
		return found
	}
	return others
}
