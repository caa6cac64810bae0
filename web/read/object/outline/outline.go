// Package outline is the Schema tab of an object's page: the fields of its kind as a tree, and the description of one field. Its name isn't schema,
// because kube/schema has that name.
package outline

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
	"github.com/fieldmark/fieldmark/words"
)

// Outline is the state of the Schema tab: the fields of the object's kind as a tree, and the selected field. It is a value.
type Outline struct {
	Schema schema.Schema `json:"schema"`
	// Field is the selected field.
	Field schema.Path `json:"field"`
	// Open are the fields whose subfields are shown. Fields around an open field are open, too, even if they aren't in the list.
	Open []schema.Path `json:"open"`
	// Lost is a path in the address that has no field.
	Lost string `json:"lost,omitempty"`
}

const (
	// maxOpen is the most open fields that an address names.
	maxOpen = 40
	// maxBranches is the most fields that are rendered. If there are more, fields that are opened later show fewer.
	maxBranches = 1500
	// allClosed is the value in the address if no field is open. Without a value, spec is open.
	allClosed = "none"
)

// New is the tab as the query of an address describes it.
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

// nearest reads a path up to its last field that exists. If that isn't the whole path, lost is the text.
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

// Query is the inverse of New.
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

// isOpen tells whether a field's subfields are shown.
func (o Outline) isOpen(path schema.Path) bool {
	if len(o.Field) > len(path) && o.Field.Within(path) {
		return true
	}
	return slices.ContainsFunc(o.Open, func(open schema.Path) bool { return open.Within(path) })
}

// on is the outline with another selected field. Fields around the last one stay open.
func (o Outline) on(path schema.Path) Outline {
	if holder := o.Field.Parent(); len(holder) > 0 && !path.Within(holder) {
		o = o.opened(o.row(holder))
	}
	o.Field, o.Lost = path, ""
	return o
}

// opened shows a field's subfields.
func (o Outline) opened(path schema.Path) Outline {
	if slices.ContainsFunc(o.Open, func(open schema.Path) bool { return open.Within(path) }) {
		return o
	}
	o.Open = append(slices.DeleteFunc(slices.Clone(o.Open), path.Within), path)
	o.Open = o.Open[max(0, len(o.Open)-maxOpen):]
	return o
}

// closed closes a field, and all fields in it.
func (o Outline) closed(path schema.Path) Outline {
	o.Open = slices.DeleteFunc(slices.Clone(o.Open), func(open schema.Path) bool { return open.Within(path) })
	return o
}

// row is the field in the tree for a path. Fields of list items are directly below the list.
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

// chosen is the outline after the reader chooses a field. The field is selected and opened. If it was selected already, it is closed or opened
// again.
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
	values  int // number of the object's values at this field
	open    bool
	current bool
	href    string
	below   []branch
	cut     int // number of subfields that are left out
}

// view is an outline, with what it knows about its page.
type view struct {
	Outline
	tab.About
}

// forest builds the tree.
type forest struct {
	view
	left int
}

// branches are the top-level fields, with their open subfields.
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

// flat are all branches in the order in which they are shown.
func flat(branches []branch) []branch {
	var all []branch
	for _, b := range branches {
		all = append(append(all, b), flat(b.below)...)
	}
	return all
}

// label is the name of a field in the tree.
func label(path schema.Path) string {
	if name := (schema.Field{Path: path}).Name(); name != schema.Each {
		return name
	}
	return "[*]"
}

// fieldID is the id of a field's element.
func fieldID(path schema.Path) string { return "field-" + url.QueryEscape(path.String()) }

// OpenAPI is the API path of the OpenAPI document with the schema of the objects at a path.
func OpenAPI(of apipath.Path) string {
	name := "api/" + url.PathEscape(of.Version)
	if of.Group != "" {
		name = "apis/" + url.PathEscape(of.Group) + "/" + url.PathEscape(of.Version)
	}
	return "/openapi/v3/" + name
}

// rootHref is the address of the outline with the whole object selected.
func (v view) rootHref() string { return v.Address(v.on(schema.Path{}).Query()) }

// panel is the description of the selected field.
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

// maxValues is the most values of a field that are shown. maxValue is the most characters of each.
const (
	maxValues = 4
	maxValue  = 120
)

// valueText is a value in one line, or the number of its items or fields.
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

// trail is the links from the whole object to a field.
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

// unspoken says that the schema describes only the fields that all objects have; nil if it describes more.
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

// Panel is the schema's description of a field; nil if there is none.
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

// Knowledge is what the schema says about the ownership of fields; nil if there is no schema.
func (o *Outline) Knowledge() ownership.Schema {
	if o == nil || o.Schema.Definitions == nil {
		return nil
	}
	return o.Schema.Knowledge()
}
