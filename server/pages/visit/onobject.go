package visit

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
	"github.com/fieldmark/fieldmark/web/frame/shell"
	deletion "github.com/fieldmark/fieldmark/web/run/delete"
)

// About is what a tool for one object begins with.
type About struct {
	Path   apipath.Path
	Type   discovery.Type
	Object object.Object // masked
}

// OnObject reads the object of the visit's path, which a tool's query names. The tool sends requests with the verb.
func (v *Visit) OnObject(verb string) (About, error) {
	path := v.Path
	if path.Kind != apipath.KindObject {
		return About{}, v.NoPath(v.request.URL.Query().Get(deletion.QueryPath))
	}
	a, err := v.About(verb)
	if err == nil {
		v.Path = apipath.Path{Namespace: path.Namespace}
	}
	return a, err
}

// About reads the object at the visit's path. The error says that it can't be read, or that its type doesn't serve the verb.
func (v *Visit) About(verb string) (a About, err error) {
	var raw object.Object
	var unread error
	a.Path = v.Path
	if err := v.LoadSurroundings(func() { raw, unread = v.ReadObject(v.Path.String()) }); err != nil {
		return a, err
	}
	if err := v.FindType(&a.Type); err != nil {
		return a, err
	}
	switch {
	case unread != nil:
		v.Path = apipath.Path{Namespace: a.Path.Namespace}
		return a, v.nothingThere(a, unread)
	case !a.Type.Can(verb):
		v.Path = apipath.Path{Namespace: a.Path.Namespace}
		return a, NoPage(http.StatusNotFound, v.Title, components.Notice{
			Title: fmt.Sprintf("Not possible for %s", a.Type.FullName()),
			Words: fmt.Sprintf("The API server doesn’t serve the verb %s for this type.", verb),
			Links: []components.Link{{Text: "Open the object", Href: web.Page(v.cluster.Slug(), a.Path.String()), Primary: true}},
		})
	}
	a.Object = raw.Masked()
	return a, nil
}

// NoPath tells that a tool's address names no object.
func (v *Visit) NoPath(asked string) error {
	v.Path = apipath.Path{}
	_ = v.LoadSurroundings()
	words := fmt.Sprintf("%q is not the API path of an object.", asked)
	if asked == "" {
		words = "The address names no object. Open the page of an object. The link to this tool is at the bottom of that page."
	}
	return NoPage(http.StatusBadRequest, v.Title, components.Notice{
		Tone: components.Warn, Title: "This tool needs an object", Words: words,
		Links: []components.Link{{Text: "Open the overview of the cluster", Href: web.Cluster(v.cluster.Slug()), Primary: true}},
	})
}

// nothingThere tells why the object can't be read.
func (v *Visit) nothingThere(a About, err error) error {
	code, notice := Explain(err)
	var refused *api.Error
	if errors.As(err, &refused) && code == http.StatusNotFound {
		notice.Title = fmt.Sprintf("There is no %s %q", a.Type.Kind, a.Path.Name)
		notice.Words = "The object has been deleted, or it is in another namespace."
	}
	notice.Links = append(notice.Links, components.Link{
		Text: "Open the collection", Href: web.Page(v.cluster.Slug(), apipath.CollectionOf(a.Path).String()), Primary: true,
	})
	return NoPage(code, a.Path.Name, notice)
}

// MaxObject bounds one object's JSON: the API server stores up to about 3 MiB.
const MaxObject = 8 << 20

// Name names the object, with its subresource where the page is of one.
func (v *Visit) Name() string {
	if v.Path.Subresource != "" {
		return v.Path.Name + "/" + v.Path.Subresource
	}
	return v.Path.Name
}

// ReadObject reads an object, or a subresource of one. A response at the path of a Secret that is no Secret is an error, because its values couldn't be
// masked.
func (v *Visit) ReadObject(path string) (object.Object, error) {
	answer, err := v.client.Do(v.Context(), api.Request{Path: path, MaxBytes: MaxObject})
	if err != nil {
		return object.Object{}, err
	}
	o, err := object.Parse(answer.Body)
	if err == nil && v.Path.OfSecrets() && !o.IsSecret() {
		return o, errors.New("the response at the path of a Secret is not a Secret, so Fieldmark doesn’t show the response")
	}
	return o, err
}

// NoObject tells why there is no object to show.
func (v *Visit) NoObject(t discovery.Type, err error) error {
	code, notice := Explain(err)
	collection := web.Page(v.cluster.Slug(), apipath.CollectionOf(v.Path).String())
	var refused *api.Error
	if errors.As(err, &refused) && code == http.StatusNotFound {
		notice.Title = fmt.Sprintf("There is no %s %q", t.Kind, v.Path.Name)
		if v.Path.Subresource != "" {
			notice.Title = fmt.Sprintf("There is no %s of %s %q", v.Path.Subresource, t.Kind, v.Path.Name)
		}
		notice.Words = "The object may have been deleted, or it is in another namespace."
	}
	notice.Links = append(notice.Links, components.Link{Text: "List all " + shell.Plural(t), Href: collection, Primary: true})
	return NoPage(code, v.Title, notice)
}
