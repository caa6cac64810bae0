// Package explain is the page that explains a refusal: what happened, why, on which object, who owns the fields, and the ways out. A
// plain form posts the text, so that no address has it, and the server responds with the whole page.
package explain

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Fields of the form, besides the text.
const (
	FieldText      = components.RefusalText
	FieldManifest  = "manifest"
	FieldManager   = "manager"
	FieldNamespace = "namespace"
)

// Kind names the page in the embedded model.
const Kind = "explain"

// Model is the page's state.
type Model struct {
	page.Frame
	Text      string          `json:"text"`
	Manifest  string          `json:"manifest"`
	Manager   string          `json:"manager"`
	Namespace string          `json:"namespace"`
	Answer    *explain.Answer `json:"answer"` // nil: no text yet
	Now       time.Time       `json:"now"`
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page. The page has no live state; another address reloads it.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Addressed:
		return m, []page.Cmd{page.Reload{}}
	case page.Acted:
		if form, key, is := components.ReadCopy(msg.Action); is {
			return m, m.copied(form, key)
		}
	}
	return m, nil
}

// copied copies the explanation with a number.
func (m Model) copied(form components.CopyForm, key string) []page.Cmd {
	i, err := strconv.Atoi(key)
	if err != nil || m.Answer == nil || i < 0 || i >= len(m.Answer.Explanations) {
		return nil
	}
	e, who := m.Answer.Explanations[i], cast(*m.Answer)
	c := copying.Conflict{Title: e.What, Why: e.Why}
	if len(e.Objects) == 1 {
		c.Object = objectName(e.Objects[0].Object, e.Objects[0].Resource)
	}
	for _, f := range e.Fields {
		field := copying.Contested{Path: f.Path, Live: string(f.Live), Stated: string(f.Stated)}
		for _, o := range f.Owners {
			field.Owners = append(field.Owners, copying.Owner{Manager: who.Of(o.Manager), Wrote: owners.Wrote(o, m.Now)})
		}
		c.Fields = append(c.Fields, field)
	}
	return page.CopyAs(form, c)
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head { return page.Head{Small: page.Brief(m)} }

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Explain) }

// objectAddress is the page of an object; empty if its type or name isn't known.
func (m Model) objectAddress(o explain.Object) string {
	resource, _, _ := strings.Cut(o.Resource, ".")
	if resource == "" || o.APIVersion == "" || o.Name == "" {
		return ""
	}
	group, version, named := strings.Cut(o.APIVersion, "/")
	if !named {
		group, version = "", o.APIVersion
	}
	return web.Page(m.Shell.Cluster.Slug, apipath.Object(group, version, o.Namespace, resource, o.Name).String())
}

// fieldAddress is the page of an object with one field selected.
func (m Model) fieldAddress(o explain.Object, f explain.Field) string {
	address := m.objectAddress(o)
	if address == "" || f.Path == "" || len(f.Owners) == 0 {
		return ""
	}
	return web.WithQuery(address, map[string][]string{"field": {f.Path}})
}

func objectName(o check.Object, resource string) string {
	name := strings.TrimPrefix(o.Namespace+"/"+o.Name, "/")
	if o.Kind == "" {
		return strings.TrimSpace(resource + " " + name)
	}
	return strings.TrimSpace(o.Kind + " " + name)
}

// cast are the managers of the explanations.
func cast(a explain.Answer) *owners.Cast {
	var c owners.Cast
	for _, e := range a.Explanations {
		for _, f := range e.Fields {
			c.MeetAll(f.Owners)
		}
	}
	return &c
}

// titles of the ways out that check doesn't have.
var titles = map[string]string{
	explain.WayCorrect: "Correct the request", explain.WayRetry: words.TryAgain, explain.WayRecreate: "Delete the object and create it again", explain.WayGrant: "Get the permission",
	explain.WayLook: "Get more information", explain.WayInstall: "Install what is missing",
}

// Title names a way out for people, and says if no dry run tried it. An unknown way keeps its own name.
func Title(w check.Way) string {
	title := cmp.Or(check.WayTitle(w), titles[w.Way], components.Visible(w.Way))
	if w.NotTried {
		title += " (not tried)"
	}
	return title
}
