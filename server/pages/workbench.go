package pages

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/write/deletion"
	"github.com/fieldmark/fieldmark/web/write/handover"
)

// about is what a tool for one object begins with.
type about struct {
	path   apipath.Path
	kind   discovery.Type
	object object.Object // masked
	around surroundings
}

// Delete is the page on which an object is deleted. It asks for the object and for what depends on it; the deletion itself is
// a request of the browser's.
func (p *Pages) Delete(w http.ResponseWriter, r *http.Request, slug string) {
	p.onObject(w, r, slug, tool{web.Delete, "Delete", "delete"}, func(v *visit, a about) {
		m := deletion.Model{Path: a.path, Type: a.kind, Object: a.object, Options: deletion.ParseOptions(r.URL.Query()), Now: p.Now()}
		m.Owned, m.Search = v.owned(a.object, a.around.catalog)
		m.Shell = v.shell("Delete "+a.path.Name, a.around)
		m.Shell.Tool = web.Delete
		p.render(w, r, http.StatusOK, m)
	})
}

// Assist is the page on which ownership is moved between managers. The browser sends the requests.
func (p *Pages) Assist(w http.ResponseWriter, r *http.Request, slug string) {
	p.onObject(w, r, slug, tool{web.Assist, "Ownership assistants", "patch"}, func(v *visit, a about) {
		m := handover.Model{Path: a.path, Type: a.kind, Object: a.object, Choice: handover.ParseChoice(r.URL.Query()), Now: p.Now()}
		m.Shell = v.shell("Ownership of "+a.path.Name, a.around)
		m.Shell.Tool = web.Assist
		p.render(w, r, http.StatusOK, m)
	})
}

// tool is a page of the workbench that is about one object.
type tool struct {
	name, title string
	verb        string // of the requests that it makes
}

// onObject asks for the object that a tool's query names, and lets it be filled.
func (p *Pages) onObject(w http.ResponseWriter, r *http.Request, slug string, of tool, fill func(*visit, about)) {
	c, ok := p.Clusters.Get(slug)
	if !ok {
		p.unknownCluster(w, r, slug)
		return
	}
	asked := r.URL.Query().Get(deletion.QueryPath)
	path, pathErr := apipath.Parse(asked)
	if pathErr != nil {
		path = apipath.Path{}
	}
	v, err := p.newVisit(r, c, path)
	defer v.end()
	if err != nil {
		p.cannotAsk(w, v, err)
		return
	}
	if path.Kind != apipath.KindObject {
		p.noPath(w, v, of, asked)
		return
	}
	var raw object.Object
	a := about{path: path}
	a.around = v.look(func() { raw, err = v.read(path.String()) })
	if a.around.catalogErr != nil {
		v.fail(w, of.title, a.around, a.around.catalogErr)
		return
	}
	known, unknownErr := v.findType(&a.kind)
	switch {
	case unknownErr != nil:
		v.fail(w, of.title, a.around, unknownErr)
	case !known:
		v.unknownType(w, a.around)
	case err != nil:
		p.nothingThere(w, v, a, err)
	case !a.kind.Can(of.verb):
		v.path = apipath.Path{Namespace: path.Namespace}
		p.refuse(w, r, http.StatusNotFound, v.shell(of.title, a.around), components.Notice{
			Title: fmt.Sprintf("No %s can do that", a.kind.FullName()),
			Words: fmt.Sprintf("The API server does not serve the verb %s for this type.", of.verb),
			Links: []components.Link{{Text: "To the object", Href: web.Page(slug, path.String()), Primary: true}},
		})
	default:
		v.path = apipath.Path{Namespace: path.Namespace}
		a.object = raw.Masked()
		fill(v, a)
	}
}

// noPath tells that a tool's address names no object.
func (p *Pages) noPath(w http.ResponseWriter, v *visit, of tool, asked string) {
	v.path = apipath.Path{}
	words := fmt.Sprintf("%q is not the API path of an object.", asked)
	if asked == "" {
		words = "Its address names no object. It begins on an object’s own page, at the foot."
	}
	p.refuse(w, v.request, http.StatusBadRequest, v.shell(of.title, v.look()), components.Notice{
		Tone: components.Warn, Title: "There is no object to work on", Words: words,
		Links: []components.Link{{Text: "To the cluster’s overview", Href: web.Cluster(v.cluster.Slug()), Primary: true}},
	})
}

// nothingThere tells why the object can't be read.
func (p *Pages) nothingThere(w http.ResponseWriter, v *visit, a about, err error) {
	code, notice := explain(err)
	var refused *api.Error
	if errors.As(err, &refused) && code == http.StatusNotFound {
		notice.Title = fmt.Sprintf("There is no %s %q", a.kind.Kind, a.path.Name)
		notice.Words = "It is gone already, or in another namespace."
	}
	v.path = apipath.Path{Namespace: a.path.Namespace}
	notice.Links = append(notice.Links, components.Link{
		Text: "To what there is", Href: web.Page(v.cluster.Slug(), apipath.CollectionOf(a.path).String()), Primary: true,
	})
	p.refuse(w, v.request, code, v.shell(a.path.Name, a.around), notice)
}
