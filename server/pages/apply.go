package pages

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
	"github.com/fieldmark/fieldmark/web/write/apply"
)

// usualNamespace is the namespace of documents that name none, as with kubectl.
const usualNamespace = "default"

// maxManifest bounds a text that comes in an address.
const maxManifest = 16 << 10

// apply is the page on which you write a manifest and preview its changes. The server requests only the object to edit. The browser
// sends the requests for previews.
func (v *visit) apply() (page.Page, error) {
	query := v.request.URL.Query()
	m := apply.Model{
		Manager: query.Get(apply.QueryManager), Validation: aim.ParseValidation(query.Get(apply.QueryValidation)),
		Namespace: query.Get(apply.QueryNamespace), Subresource: query.Get(apply.QuerySubresource), Now: v.pages.Now(),
	}
	if m.Manager == "" {
		m.Manager = apply.UsualManager
	}
	if m.Namespace == "" {
		m.Namespace = usualNamespace
	}
	if text := query.Get(apply.QueryManifest); len(text) <= maxManifest {
		m.Text = text
	}
	if asked := query.Get(apply.QueryExample) != ""; asked || len(query) == 0 {
		m.Text, m.Example = exampleOf(v.cluster), !asked
	}
	if v.request.Method == http.MethodPost {
		v.handed(&m)
	}
	var needs []func()
	switch wanted := query.Get(apply.QueryEdit) != ""; {
	case wanted && v.path.Kind != apipath.KindObject && v.path.Kind != apipath.KindSubresource:
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "Fieldmark can’t load the object",
			Words: fmt.Sprintf("%q is not the API path of an object.", query.Get(apply.QueryEdit)),
		}
	case wanted:
		needs = append(needs, func() { v.fillEditor(&m, query.Get(apply.QueryAs)) })
	}
	if err := v.loadSurroundings(needs...); err != nil {
		return nil, err
	}
	v.path = apipath.Path{Namespace: v.path.Namespace}
	m.Frame = v.frame().With(m.Problem)
	return m, nil
}

// handed takes in the manifest of a posted form, which another page sends after a conflict.
func (v *visit) handed(m *apply.Model) {
	v.request.Body = http.MaxBytesReader(v.w, v.request.Body, maxCheckForm)
	if err := v.request.ParseForm(); err != nil {
		v.code, m.Problem = noForm(err)
		return
	}
	form := v.request.PostForm
	m.Text, m.Example = v.pasted(apply.QueryManifest), false
	m.Subresource = form.Get(apply.QuerySubresource)
	for field, to := range map[string]*string{apply.QueryManager: &m.Manager, apply.QueryNamespace: &m.Namespace} {
		if text := form.Get(field); text != "" {
			*to = text
		}
	}
}

// fillEditor fills the editor with an object, or with the fields of one of its managers.
func (v *visit) fillEditor(m *apply.Model, as string) {
	raw, err := v.readObject(v.path.String())
	if err != nil {
		_, notice := explain(err)
		m.Problem = &notice
		return
	}
	if v.path.Namespace != "" {
		m.Namespace = v.path.Namespace
	}
	if v.path.Subresource != "" {
		m.Subresource = v.path.Subresource
	}
	m.From = &apply.From{Path: v.path.String(), As: as, Holders: holders(raw)}
	if raw.IsSecret() && v.request.URL.Query().Get(apply.QueryValues) != "1" {
		raw = raw.WithoutValues()
		m.Problem = v.valuesLeftOut()
	}
	stated := change.AsItIs(raw.Fields)
	if as != "" {
		holder, ok := holderOf(raw, as)
		if !ok {
			m.Problem = &components.Notice{Tone: components.Warn, Title: "This manager owns no fields of the object", Words: "Fieldmark shows the whole object instead."}
			m.From.As = ""
		} else {
			stated = change.Intent(raw.Fields, holder.Manager, v.known(raw))
			m.Manager = holder.Name
		}
	}
	text, err := manifest.YAML(stated)
	if err != nil {
		m.Problem = &components.Notice{Tone: components.Bad, Title: "Fieldmark can’t write the object as YAML", Words: components.Sentence(err.Error())}
		return
	}
	m.Text = string(text)
}

// valuesLeftOut says that the text doesn't contain the Secret's values, and what applying it does.
func (v *visit) valuesLeftOut() *components.Notice {
	query := v.request.URL.Query()
	query.Set(apply.QueryValues, "1")
	return &components.Notice{
		Tone: components.Warn, Title: "The text doesn’t contain the Secret’s values",
		Words: "An apply of only your changes keeps all values. An apply of the whole document removes the values that this manager owns.",
		Links: []components.Link{{Text: "Load the Secret with its values, readable on this screen", Href: web.WithQuery(web.Tool(v.cluster.Slug(), web.Apply), query)}},
	}
}

// known is the object's schema; nil if it doesn't arrive soon.
func (v *visit) known(raw object.Object) *schema.Schema {
	about := v.describe(v.fieldsPatience())
	if about.err != nil {
		return nil
	}
	kind := schema.Kind{Version: raw.APIVersion(), Kind: raw.Kind()}
	if group, version, named := strings.Cut(kind.Version, "/"); named {
		kind.Group, kind.Version = group, version
	}
	if found, ok := about.document.Schema(kind); ok {
		return &found
	}
	return nil
}

// holders are the managers of an object, with the key of each.
func holders(raw object.Object) []apply.Holder {
	var all []apply.Holder
	for _, e := range ownership.Parse(raw.Fields).Entries {
		all = append(all, apply.Holder{Key: holderKey(e.Manager), Words: fmt.Sprintf("the fields of %s", e.Manager.Words())})
	}
	return all
}

func holderKey(m ownership.Manager) string {
	return strings.Join([]string{m.Name, m.Operation, m.Subresource, m.APIVersion}, "|")
}

func holderOf(raw object.Object, key string) (ownership.Entry, bool) {
	for _, e := range ownership.Parse(raw.Fields).Entries {
		if holderKey(e.Manager) == key {
			return e, true
		}
	}
	return ownership.Entry{}, false
}
