package pages

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/rescue"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/write/assist"
	deletion "github.com/fieldmark/fieldmark/web/write/delete"
)

// about is what a tool for one object begins with.
type about struct {
	path   apipath.Path
	kind   discovery.Type
	object object.Object // masked
	around surroundings
}

// deletion is the page on which you delete an object. The server requests the object and its dependents. The browser sends the
// request that deletes it.
func (p *Pages) deletion(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	p.onObject(w, r, slug, tool, "delete", func(v *visit, a about) {
		m := deletion.Model{Path: a.path, Type: a.kind, Object: a.object, Options: deletion.ParseOptions(r.URL.Query()), Now: p.Now()}
		var wg rescue.Group
		wg.Go(func() { m.Owned, m.Search = v.owned(a.object, a.around.catalog) })
		wg.Go(func() { m.Doom = v.doom(a) })
		wg.Wait()
		v.surround(&m.Frame, tool, "Delete "+a.path.Name, a.around)
		p.render(w, r, http.StatusOK, m)
	})
}

// handover is the page on which ownership is moved between managers. The browser sends the requests.
func (p *Pages) handover(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	p.onObject(w, r, slug, tool, "patch", func(v *visit, a about) {
		m := assist.Model{Path: a.path, Type: a.kind, Object: a.object, Choice: assist.ParseChoice(r.URL.Query()), Now: p.Now()}
		if _, scales := a.kind.Subresource("scale"); scales {
			v.withoutTypes(a.around.catalog, feature.Autoscalers)
		}
		v.surround(&m.Frame, tool, "Ownership of "+a.path.Name, a.around)
		p.render(w, r, http.StatusOK, m)
	})
}

// onObject requests the object that a tool's query names, and calls the function that makes the tool's page. The tool sends requests
// with the verb.
func (p *Pages) onObject(w http.ResponseWriter, r *http.Request, slug string, of web.Profile, verb string, fill func(*visit, about)) {
	asked := r.URL.Query().Get(deletion.QueryPath)
	path, err := apipath.Parse(asked)
	if err != nil {
		path = apipath.Path{}
	}
	p.visiting(w, r, slug, path, func(v *visit) {
		if path.Kind != apipath.KindObject {
			p.noPath(w, v, of, asked)
			return
		}
		if a, ok := v.about(w, of, verb); ok {
			v.path = apipath.Path{Namespace: path.Namespace}
			fill(v, a)
		}
	})
}

// about reads the object at the visit's path. If the object can't be read, or its type doesn't serve the verb, the page says so, and ok is false.
func (v *visit) about(w http.ResponseWriter, of web.Profile, verb string) (a about, ok bool) {
	var raw object.Object
	var err error
	a.path = v.path
	a.around = v.look(func() { raw, err = v.read(v.path.String()) })
	if a.around.catalogErr != nil {
		v.fail(w, of.Title, a.around, a.around.catalogErr)
		return a, false
	}
	known, unknownErr := v.findType(&a.kind)
	switch {
	case unknownErr != nil:
		v.fail(w, of.Title, a.around, unknownErr)
	case !known:
		v.unknownType(w, a.around)
	case err != nil:
		v.pages.nothingThere(w, v, a, err)
	case !a.kind.Can(verb):
		v.path = apipath.Path{Namespace: a.path.Namespace}
		v.pages.refuse(w, v.request, http.StatusNotFound, v.shell(of.Title, a.around), components.Notice{
			Title: fmt.Sprintf("Not possible for %s", a.kind.FullName()),
			Words: fmt.Sprintf("The API server doesn’t serve the verb %s for this type.", verb),
			Links: []components.Link{{Text: "Open the object", Href: web.Page(v.cluster.Slug(), a.path.String()), Primary: true}},
		})
	default:
		a.object = raw.Masked()
		return a, true
	}
	return a, false
}

// noPath tells that a tool's address names no object.
func (p *Pages) noPath(w http.ResponseWriter, v *visit, of web.Profile, asked string) {
	v.path = apipath.Path{}
	words := fmt.Sprintf("%q is not the API path of an object.", asked)
	if asked == "" {
		words = "The address names no object. Open the page of an object. The link to this tool is at the bottom of that page."
	}
	p.refuse(w, v.request, http.StatusBadRequest, v.shell(of.Title, v.look()), components.Notice{
		Tone: components.Warn, Title: "This tool needs an object", Words: words,
		Links: []components.Link{{Text: "Open the overview of the cluster", Href: web.Cluster(v.cluster.Slug()), Primary: true}},
	})
}

// nothingThere tells why the object can't be read.
func (p *Pages) nothingThere(w http.ResponseWriter, v *visit, a about, err error) {
	code, notice := explain(err)
	var refused *api.Error
	if errors.As(err, &refused) && code == http.StatusNotFound {
		notice.Title = fmt.Sprintf("There is no %s %q", a.kind.Kind, a.path.Name)
		notice.Words = "The object has been deleted, or it is in another namespace."
	}
	v.path = apipath.Path{Namespace: a.path.Namespace}
	notice.Links = append(notice.Links, components.Link{
		Text: "Open the collection", Href: web.Page(v.cluster.Slug(), apipath.CollectionOf(a.path).String()), Primary: true,
	})
	p.refuse(w, v.request, code, v.shell(a.path.Name, a.around), notice)
}
