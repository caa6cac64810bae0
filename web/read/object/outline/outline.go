// Package outline is the Schema tab of an object's page: the fields of its kind as a tree, and what is known of one of them. It isn't
// called schema because kube/schema is, which it shows.
package outline

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
	"github.com/fieldmark/fieldmark/words"
)

// Outline is what the Schema tab shows: the fields of the object's kind as a tree, and what is known of the one that the
// reader is on. It is a value: moving makes another.
type Outline struct {
	Schema schema.Schema `json:"schema"`
	// Field is the field that the reader is on.
	Field schema.Path `json:"field"`
	// Open are the fields whose own fields are shown. What holds one of them is open as well, whether it is named or not.
	Open []schema.Path `json:"open"`
	// Lost is a path that was asked for and leads to no field.
	Lost string `json:"lost,omitempty"`
}

const (
	// maxOpen bounds how many open fields an address names.
	maxOpen = 40
	// maxBranches bounds how many fields are laid out; what opens then shows fewer.
	maxBranches = 1500
	// allClosed is what an address names as open where nothing is: without a word, spec is.
	allClosed = "none"
)

// New is the tab as an address asks for it.
func New(s schema.Schema, query url.Values) *Outline {
	o := Outline{Schema: s, Field: schema.Path{}}
	o.Field, o.Lost = o.nearest(query.Get("field"))
	asked := query["open"]
	if len(asked) == 0 && len(o.Field) == 0 {
		asked = []string{".spec"}
	}
	for _, text := range asked[:min(len(asked), maxOpen)] {
		if path, lost := o.nearest(text); lost == "" {
			o = o.opened(path)
		}
	}
	return &o
}

// nearest reads a path, as far as it leads to fields; where it does not lead to its end, it is lost.
func (o Outline) nearest(text string) (path schema.Path, lost string) {
	path, err := schema.ParsePath(text)
	if err != nil {
		return schema.Path{}, text
	}
	for {
		if f, found := o.Schema.Field(path); found {
			return f.Path, lost
		}
		if len(path) == 0 {
			return path, ""
		}
		path, lost = path.Parent(), text
	}
}

// Query is what an address says to come back to here.
func (o Outline) Query() url.Values {
	query := url.Values{"tab": {"schema"}}
	if len(o.Field) > 0 {
		query.Set("field", o.Field.String())
	}
	for _, path := range o.Open {
		query.Add("open", path.String())
	}
	switch {
	case len(o.Field) > 0:
	case len(o.Open) == 0:
		query.Set("open", allClosed)
	case len(o.Open) == 1 && o.Open[0].String() == ".spec":
		query.Del("open")
	}
	return query
}

// isOpen tells whether a field's own fields are shown.
func (o Outline) isOpen(path schema.Path) bool {
	if len(o.Field) > len(path) && o.Field.Within(path) {
		return true
	}
	return slices.ContainsFunc(o.Open, func(open schema.Path) bool { return open.Within(path) })
}

// on is the outline with the reader on another field; what was open around the one before stays so.
func (o Outline) on(path schema.Path) Outline {
	if holder := o.Field.Parent(); len(holder) > 0 && !path.Within(holder) {
		o = o.opened(o.row(holder))
	}
	o.Field, o.Lost = path, ""
	return o
}

// opened shows a field's own fields.
func (o Outline) opened(path schema.Path) Outline {
	if slices.ContainsFunc(o.Open, func(open schema.Path) bool { return open.Within(path) }) {
		return o
	}
	o.Open = append(slices.DeleteFunc(slices.Clone(o.Open), path.Within), path)
	o.Open = o.Open[max(0, len(o.Open)-maxOpen):]
	return o
}

// closed folds a field away, with all that is in it.
func (o Outline) closed(path schema.Path) Outline {
	o.Open = slices.DeleteFunc(slices.Clone(o.Open), func(open schema.Path) bool { return open.Within(path) })
	return o
}

// row is the field of the tree that stands for a path: those of a list's items stand below the list itself.
func (o Outline) row(path schema.Path) schema.Path {
	for len(path) > 0 && path[len(path)-1] == schema.Each {
		holder := path.Parent()
		if children := o.Schema.Children(holder); len(children) == 1 && slices.Equal(children[0].Path, path) {
			return path
		}
		path = holder
	}
	return path
}

// chosen is where choosing a field leads: to the field, with its own fields shown; from the field itself, to those folded
// away, or shown again.
func (o Outline) chosen(f schema.Field) Outline {
	switch {
	case !slices.Equal(f.Path, o.Field):
		o = o.on(f.Path)
	case o.isOpen(f.Path):
		return o.closed(f.Path)
	}
	if f.Parent {
		o = o.opened(f.Path)
	}
	return o
}

// branch is a field in the tree.
type branch struct {
	field   schema.Field
	values  int // that the object has there
	open    bool
	current bool
	href    string
	below   []branch
	cut     int // of the fields below, those that are left out
}

// view is an outline on a page.
type view struct {
	Outline
	tab.About
}

// forest makes the tree.
type forest struct {
	view
	left int
}

// branches are the fields of the object itself, with what is open in them.
func (v view) branches() []branch {
	f := &forest{view: v, left: maxBranches}
	all, _ := f.grow(schema.Path{}, []any{v.Object.Fields})
	return all
}

func (f *forest) grow(at schema.Path, values []any) (all []branch, cut int) {
	fields := f.Schema.Children(at)
	shown := fields[:min(len(fields), f.left)]
	f.left -= len(shown)
	for _, field := range shown {
		here := values
		for _, step := range field.Path[len(at):] {
			here = schema.Next(here, step)
		}
		b := branch{field: field, values: len(here), open: field.Parent && f.isOpen(field.Path)}
		b.href = f.Address(f.chosen(field).Query()) + "#" + url.PathEscape(fieldID(field.Path))
		if b.open {
			b.below, b.cut = f.grow(field.Path, here)
		}
		b.current = f.Field.Within(field.Path) && !slices.ContainsFunc(b.below, branch.holdsCurrent)
		all = append(all, b)
	}
	return all, len(fields) - len(shown)
}

func (b branch) isCurrent() bool { return b.current }

func (b branch) holdsCurrent() bool {
	return b.current || slices.ContainsFunc(b.below, branch.holdsCurrent)
}

// flat are branches as they stand below each other.
func flat(branches []branch) []branch {
	var all []branch
	for _, b := range branches {
		all = append(append(all, b), flat(b.below)...)
	}
	return all
}

// label is how a field is called in the tree.
func label(path schema.Path) string {
	if name := (schema.Field{Path: path}).Name(); name != schema.Each {
		return name
	}
	return "[*]"
}

// fieldID is the id of a field's element.
func fieldID(path schema.Path) string { return "field-" + url.QueryEscape(path.String()) }

// openAPI is the document that the schema is from, as the API server answers.
func (v view) openAPI() string {
	name := "api/" + url.PathEscape(v.Path.Version)
	if v.Path.Group != "" {
		name = "apis/" + url.PathEscape(v.Path.Group) + "/" + url.PathEscape(v.Path.Version)
	}
	return web.API(v.Cluster, "/openapi/v3/"+name)
}

// rootHref leads to the object itself.
func (v view) rootHref() string { return v.Address(v.on(schema.Path{}).Query()) }

// panel is what is known of the field that the reader is on.
func (v view) panel() components.FieldPanel {
	field, _ := v.Schema.Field(v.Field)
	p := components.FieldPanel{Name: label(field.Path), Field: field, Trail: v.trail(field.Path)}
	if len(field.Path) == 0 {
		p.Name = v.Kind()
		return p
	}
	holders := schema.Values(v.Object.Fields, field.Path.Parent())
	values := schema.Next(holders, field.Name())
	p.Here = &components.FieldValues{Values: len(values), Places: len(holders)}
	if field.Name() == schema.Each {
		p.Here.Places = len(values)
	}
	for _, value := range values[:min(len(values), maxValues)] {
		p.Here.Texts = append(p.Here.Texts, valueText(value, field.Merge.Map))
	}
	return p
}

// maxValues is how many values are shown of those that a field has, and maxValue how long each may be.
const (
	maxValues = 4
	maxValue  = 120
)

// valueText is a value on a line, or how much it holds.
func valueText(v any, keyed bool) string {
	switch v := v.(type) {
	case []any:
		return words.Count(int64(len(v)), "item", "items")
	case map[string]any:
		if keyed {
			return words.Count(int64(len(v)), "key", "keys")
		}
		return words.Count(int64(len(v)), "field", "fields")
	case nil:
		return "null"
	case string:
		return oneLine(v)
	default:
		return oneLine(fmt.Sprint(v))
	}
}

func oneLine(text string) string {
	if text == "" {
		return `""`
	}
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxValue {
		return string(runes[:maxValue]) + "…"
	}
	return text
}

// trail leads from the object itself to a field.
func (v view) trail(path schema.Path) []components.Link {
	links := []components.Link{{Text: v.Kind(), Href: v.rootHref()}}
	for i := 0; i < len(path); {
		text := path[i]
		i++
		for i < len(path) && path[i] == schema.Each {
			text += "[*]"
			i++
		}
		links = append(links, components.Link{Text: text, Href: v.Address(v.on(v.row(path[:i])).Query())})
	}
	return links
}

// unspoken says that the schema of the kind tells nothing beyond what all objects have; nil: it does.
func (v view) unspoken() *components.Notice {
	for _, f := range v.Schema.Children(schema.Path{}) {
		common := slices.Contains([]string{"apiVersion", "kind", "metadata"}, f.Name())
		if !common {
			return nil
		}
	}
	root, _ := v.Schema.Field(schema.Path{})
	return &components.Notice{
		Title: "The schema doesn’t describe the fields of " + v.Kind(),
		Why:   &why.CustomResources,
		Words: strings.TrimSpace(root.Untold + " The object can have any fields besides those of all objects. In maps, each key can have its own owners. Lists have one owner as a whole."),
	}
}

// Panel is what the schema says of a field, as a page shows it; nil where it says nothing.
func (o *Outline) Panel(about tab.About, path schema.Path) *components.FieldPanel {
	if o == nil || len(o.Schema.Definitions) == 0 {
		return nil
	}
	field, found := o.Schema.Field(path)
	if !found {
		return nil
	}
	return &components.FieldPanel{Name: label(field.Path), Field: field, Trail: view{o.on(field.Path), about}.trail(field.Path)}
}

// Knowledge is what the schema tells of how fields are owned; nil where there is none.
func (o *Outline) Knowledge() ownership.Schema {
	if o == nil || o.Schema.Definitions == nil {
		return nil
	}
	return o.Schema.Knowledge()
}
