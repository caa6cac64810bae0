package pages

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/server/pages/read"
	"github.com/fieldmark/fieldmark/server/pages/run"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Cluster serves everything below /c/{cluster}. The rest of the address is an API path, which decides
// which page it is.
func (p *Pages) Cluster(w http.ResponseWriter, r *http.Request, slug string) {
	if _, ok := p.ClustersOf(r).Get(slug); !ok {
		p.UnknownCluster(w, r, slug)
		return
	}
	path, err := apipath.Parse(tail(r))
	if err != nil {
		p.Refuse(w, r, http.StatusBadRequest, p.Shell(r, "Not an API path"), components.Notice{
			Tone: components.Bad, Title: "This address is ambiguous", Words: components.Sentence(err.Error()),
			Links: []components.Link{{Text: "Open the overview of the cluster", Href: web.Cluster(slug)}},
		})
		return
	}
	p.Page(w, r, slug, path, web.Profile{}, there)
}

// tail is the API path in a page's address: what follows /c/{cluster}, as it was escaped.
func tail(r *http.Request) string {
	rest := strings.TrimPrefix(r.URL.EscapedPath(), "/c/")
	_, path, found := strings.Cut(rest, "/")
	if !found {
		return "/"
	}
	return "/" + path
}

// there is the page that the visit's path calls for.
func there(v *visit.Visit) (page.Page, error) {
	if v.Path.Watch {
		return nil, streamOnly(v)
	}
	switch v.Path.Kind {
	case apipath.KindRoot, apipath.KindGroupList, apipath.KindDiscovery:
		return read.Overview(v)
	case apipath.KindCollection:
		return read.Collection(v)
	case apipath.KindObject:
		if web.Running(v.Request().URL.Query().Get(web.TabField)) {
			return run.Object(v)
		}
		return read.Object(v)
	case apipath.KindSubresource:
		return read.Object(v)
	default:
		return nil, nonResource(v)
	}
}

// streamOnly refuses a deprecated path with /watch/, whose response is a stream of events.
func streamOnly(v *visit.Visit) error {
	plain := v.Path
	plain.Watch = false
	_ = v.LoadSurroundings() // without the catalog, the page has no menu of types
	return visit.NoPage(http.StatusNotFound, "A stream", components.Notice{
		Title: "This path is a stream of events",
		Words: "A path with /watch/ is the old way to watch a collection. The response never ends, so there is no page for it.",
		Links: []components.Link{{Text: "Open the collection", Href: web.Page(v.Cluster().Slug(), plain.String()), Primary: true}},
	})
}

// nonResource refuses an API path that addresses no resource, such as /version.
func nonResource(v *visit.Visit) error {
	_ = v.LoadSurroundings()
	return visit.NoPage(http.StatusNotFound, v.Path.String(), components.Notice{
		Title: "Not a resource",
		Words: fmt.Sprintf("%s isn’t the path of a resource, so there is no page for it. The API server may respond to this path.", v.Path),
		Links: []components.Link{
			{Text: "Open the response of the server", Href: web.API(v.Cluster().Slug(), v.Path.String())},
			{Text: "Open the overview of the cluster", Href: web.Cluster(v.Cluster().Slug())},
		},
	})
}

// Find leads to the collection of a type named in any way kubectl would take: plural, singular, kind
// or short name. If several types have that name, it lists them.
func (p *Pages) Find(w http.ResponseWriter, r *http.Request, slug string) {
	p.Page(w, r, slug, apipath.Path{}, web.Profile{Title: "Jump to a type"}, findTypePage)
}

func findTypePage(v *visit.Visit) (page.Page, error) {
	word := strings.TrimSpace(v.Request().URL.Query().Get("type"))
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	found := withoutMetrics(v.Catalog().Find(word))
	if len(found) == 1 {
		t := found[0]
		return nil, visit.Elsewhere(web.Page(v.Cluster().Slug(), apipath.Collection(t.Group, t.Version, "", t.Resource).String()))
	}
	return nil, visit.NoPage(http.StatusNotFound, v.Title, choice(v, word))
}

// choice is the notice if a name matches several types, or none. Then it has similar types.
func choice(v *visit.Visit, word string) components.Notice {
	catalog := v.Catalog()
	n := components.Notice{Title: fmt.Sprintf("Several types are called %q", word), Words: "Choose one of them."}
	candidates := catalog.Find(word)
	if len(candidates) == 0 {
		n = components.Notice{
			Tone:   components.Warn,
			Title:  fmt.Sprintf("No type is called %q", word),
			Words:  "No resource type of this cluster has this plural, singular, kind or short name.",
			Advice: "Discovery lists every type.",
			Links:  []components.Link{{Text: "Open Discovery", Href: web.Tool(v.Cluster().Slug(), web.Discovery)}},
		}
		candidates = visit.Similar(catalog, word)
	}
	for _, t := range candidates {
		n.Links = append(n.Links, components.Link{
			Text: t.FullName() + " (" + t.GroupVersion() + ")",
			Href: web.Page(v.Cluster().Slug(), apipath.Collection(t.Group, t.Version, "", t.Resource).String()),
		})
	}
	return n
}

// NotFound answers for addresses that are no page.
func (p *Pages) NotFound(w http.ResponseWriter, r *http.Request) {
	p.Refuse(w, r, http.StatusNotFound, p.Shell(r, "No such page"), components.Notice{
		Title: "Page not found",
		Words: "The address of a page is /c/, the name of a cluster, and an API path. Example: " + web.Page("practice", "/api/v1/pods") + ".",
		Links: []components.Link{{Text: "Choose a cluster", Href: web.Home, Primary: true}},
	})
}

// Theme keeps a choice of colours and goes back to where it was made.
func (p *Pages) Theme(w http.ResponseWriter, r *http.Request) {
	theme, back := r.PostFormValue("theme"), r.PostFormValue("back")
	cookie := &http.Cookie{Name: visit.ThemeCookie, Value: theme, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: 365 * 24 * 3600}
	if theme != "light" && theme != "dark" {
		cookie.Value, cookie.MaxAge = "", -1
	}
	http.SetCookie(w, cookie)
	visit.GoBack(w, r, back)
}

// withoutMetrics leaves out the types of figures, if a word means other types too: with pods, nobody means their metrics.
func withoutMetrics(found []discovery.Type) []discovery.Type {
	others := slices.DeleteFunc(slices.Clone(found), func(t discovery.Type) bool { return t.Group == usage.Group })
	if len(others) == 0 {
		return found
	}
	return others
}
