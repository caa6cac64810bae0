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
	deletion "github.com/fieldmark/fieldmark/web/write/delete"
)

// about is what a tool for one object begins with.
type about struct {
	path   apipath.Path
	kind   discovery.Type
	object object.Object // masked
}

// onObject reads the object of the visit's path, which a tool's query names. The tool sends requests with the verb.
func (v *visit) onObject(verb string) (about, error) {
	path := v.path
	if path.Kind != apipath.KindObject {
		return about{}, v.noPath(v.request.URL.Query().Get(deletion.QueryPath))
	}
	a, err := v.about(verb)
	if err == nil {
		v.path = apipath.Path{Namespace: path.Namespace}
	}
	return a, err
}

// about reads the object at the visit's path. The error says that it can't be read, or that its type doesn't serve the verb.
func (v *visit) about(verb string) (a about, err error) {
	var raw object.Object
	var unread error
	a.path = v.path
	if err := v.loadSurroundings(func() { raw, unread = v.readObject(v.path.String()) }); err != nil {
		return a, err
	}
	if err := v.findType(&a.kind); err != nil {
		return a, err
	}
	switch {
	case unread != nil:
		v.path = apipath.Path{Namespace: a.path.Namespace}
		return a, v.nothingThere(a, unread)
	case !a.kind.Can(verb):
		v.path = apipath.Path{Namespace: a.path.Namespace}
		return a, &noPage{http.StatusNotFound, v.title, components.Notice{
			Title: fmt.Sprintf("Not possible for %s", a.kind.FullName()),
			Words: fmt.Sprintf("The API server doesn’t serve the verb %s for this type.", verb),
			Links: []components.Link{{Text: "Open the object", Href: web.Page(v.cluster.Slug(), a.path.String()), Primary: true}},
		}}
	}
	a.object = raw.Masked()
	return a, nil
}

// noPath tells that a tool's address names no object.
func (v *visit) noPath(asked string) *noPage {
	v.path = apipath.Path{}
	_ = v.loadSurroundings()
	words := fmt.Sprintf("%q is not the API path of an object.", asked)
	if asked == "" {
		words = "The address names no object. Open the page of an object. The link to this tool is at the bottom of that page."
	}
	return &noPage{http.StatusBadRequest, v.title, components.Notice{
		Tone: components.Warn, Title: "This tool needs an object", Words: words,
		Links: []components.Link{{Text: "Open the overview of the cluster", Href: web.Cluster(v.cluster.Slug()), Primary: true}},
	}}
}

// nothingThere tells why the object can't be read.
func (v *visit) nothingThere(a about, err error) *noPage {
	code, notice := explain(err)
	var refused *api.Error
	if errors.As(err, &refused) && code == http.StatusNotFound {
		notice.Title = fmt.Sprintf("There is no %s %q", a.kind.Kind, a.path.Name)
		notice.Words = "The object has been deleted, or it is in another namespace."
	}
	notice.Links = append(notice.Links, components.Link{
		Text: "Open the collection", Href: web.Page(v.cluster.Slug(), apipath.CollectionOf(a.path).String()), Primary: true,
	})
	return &noPage{code, a.path.Name, notice}
}
