package write

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
	"github.com/fieldmark/fieldmark/server/pages/visit"
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
func (v making) apply() (page.Page, error) {
	query := v.Request().URL.Query()
	m := apply.Model{
		Manager: query.Get(apply.QueryManager), Validation: aim.ParseValidation(query.Get(apply.QueryValidation)),
		Namespace: query.Get(apply.QueryNamespace), Subresource: query.Get(apply.QuerySubresource), Now: v.Now(),
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
		m.Text, m.Example = visit.ExampleOf(v.Cluster()), !asked
		if asked && m.Text != "" && query.Get(apply.QueryManager) == "" {
			m.Manager = visit.ExampleManager
		}
	}
	if v.Request().Method == http.MethodPost {
		v.handed(&m)
	}
	var needs []func()
	switch wanted := query.Get(apply.QueryEdit) != ""; {
	case wanted && v.Path.Kind != apipath.KindObject && v.Path.Kind != apipath.KindSubresource:
		m.Problem = &components.Notice{
			Tone: components.Warn, Title: "Fieldmark can’t load the object",
			Words: fmt.Sprintf("%q is not the API path of an object.", query.Get(apply.QueryEdit)),
		}
	case wanted:
		needs = append(needs, func() { v.fillEditor(&m, query.Get(apply.QueryAs)) })
	}
	if err := v.LoadSurroundings(needs...); err != nil {
		return nil, err
	}
	v.Path = apipath.Path{Namespace: v.Path.Namespace}
	m.Frame = v.Frame().With(m.Problem)
	return m, nil
}

// handed takes in the manifest of a posted form, which another page sends after a conflict.
func (v making) handed(m *apply.Model) {
	v.BoundBody(maxCheckForm)
	if err := v.Request().ParseForm(); err != nil {
		v.Code, m.Problem = noForm(err)
		return
	}
	form := v.Request().PostForm
	m.Text, m.Example = v.pasted(apply.QueryManifest), false
	m.Subresource = form.Get(apply.QuerySubresource)
	for field, to := range map[string]*string{apply.QueryManager: &m.Manager, apply.QueryNamespace: &m.Namespace} {
		if text := form.Get(field); text != "" {
			*to = text
		}
	}
}

// fillEditor fills the editor with an object, or with the fields of one of its managers.
func (v making) fillEditor(m *apply.Model, as string) {
	raw, err := v.ReadObject(v.Path.String())
	if err != nil {
		_, notice := visit.Explain(err)
		m.Problem = &notice
		return
	}
	if v.Path.Namespace != "" {
		m.Namespace = v.Path.Namespace
	}
	if v.Path.Subresource != "" {
		m.Subresource = v.Path.Subresource
	}
	m.From = &apply.From{Path: v.Path.String(), As: as, Holders: holders(raw)}
	if raw.IsSecret() && v.Request().URL.Query().Get(apply.QueryValues) != "1" {
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
func (v making) valuesLeftOut() *components.Notice {
	query := v.Request().URL.Query()
	query.Set(apply.QueryValues, "1")
	return &components.Notice{
		Tone: components.Warn, Title: "The text doesn’t contain the Secret’s values",
		Words: "An apply of only your changes keeps all values. An apply of the whole document removes the values that this manager owns.",
		Links: []components.Link{{Text: "Load the Secret with its values, readable on this screen", Href: web.WithQuery(web.Tool(v.Cluster().Slug(), web.Apply), query)}},
	}
}

// known is the object's schema; nil if it doesn't arrive soon.
func (v making) known(raw object.Object) *schema.Schema {
	about := v.Describe(v.Path, v.FieldsPatience())
	if about.Err != nil {
		return nil
	}
	kind := schema.Kind{Version: raw.APIVersion(), Kind: raw.Kind()}
	if group, version, named := strings.Cut(kind.Version, "/"); named {
		kind.Group, kind.Version = group, version
	}
	if found, ok := about.Document.Schema(kind); ok {
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
