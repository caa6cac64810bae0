package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// Matter says what is wrong with a field.
type Matter string

// The matters.
const (
	Unknown  Matter = "unknown"  // the schema has no such field
	Mistyped Matter = "type"     // the value has another type
	Missing  Matter = "missing"  // a required field is missing
	Unlisted Matter = "unlisted" // the value is not one of the allowed values
)

// Flaw is a difference between an object and its schema.
type Flaw struct {
	Node   *manifest.Node // the field; of a missing field, the object around it
	Matter Matter
	Name   string // the name of the field
	Near   string // the name or value that was probably meant; empty: there is no similar one
	Words  string // a sentence or two
}

// Limits of one examination.
const (
	mostFlaws    = 100
	mostExamined = 20_000
)

// Flaws compares an object with the schema. The result is in the order of the object's nodes. If whole is false, the object may be a part of one,
// so that required fields may be missing.
func (s Schema) Flaws(root *manifest.Node, whole bool) []Flaw {
	p, found := s.findPlace(nil)
	if !found || root == nil {
		return nil
	}
	x := examination{schema: s, whole: whole}
	x.object(root, p)
	return x.flaws
}

type examination struct {
	schema   Schema
	whole    bool
	flaws    []Flaw
	examined int
}

func (x *examination) addFlaw(f Flaw) { x.flaws = append(x.flaws, f) }

// value examines a value at a place of the schema.
func (x *examination) value(n *manifest.Node, p place) {
	x.examined++
	if n.Value == nil || x.examined > mostExamined || len(x.flaws) >= mostFlaws || untold(p) != "" || p.at.chosen() && p.at.Type == "" {
		return
	}
	if !p.at.takes(n.Value) {
		x.addFlaw(x.mistyped(n, p))
		return
	}
	switch n.Value.(type) {
	case map[string]any:
		x.object(n, p)
	case []any:
		if item, ok := x.schema.step(p, Each); ok {
			for _, child := range n.Children {
				x.value(child, item)
			}
		}
	case string:
		x.listed(n, p)
	}
}

// object examines the fields of an object.
func (x *examination) object(n *manifest.Node, p place) {
	for _, child := range n.Children {
		if inside, ok := x.schema.step(p, child.Key); ok {
			x.value(child, inside)
			continue
		}
		near := typed.Nearest(child.Key, slices.Sorted(maps.Keys(p.at.Properties)))
		x.addFlaw(Flaw{Node: child, Matter: Unknown, Name: child.Key, Near: near, Words: x.holder(p) + fmt.Sprintf(" has no field %q.", child.Key)})
	}
	if !x.whole {
		return
	}
	for _, name := range p.at.Required {
		field, ok := x.schema.step(p, name)
		if ok && !field.at.hasDefault() && n.Field(name) == nil {
			x.addFlaw(Flaw{Node: n, Matter: Missing, Name: name, Words: x.holder(p) + fmt.Sprintf(" needs the field %q.", name)})
		}
	}
}

// hasDefault tells whether the server sets a missing field. Documents of Kubernetes' own types have empty defaults for all required fields.
func (r resolved) hasDefault() bool {
	v, ok := r.fallback()
	switch v := v.(type) {
	case string:
		return v != ""
	case json.Number:
		return v != "0"
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return ok
}

// holder names the object around a field.
func (x *examination) holder(p place) string {
	if name := x.schema.typeWords(p.at); name != "object" {
		return name
	}
	if name := (Field{Path: p.path}).Name(); name != "" && name != Each {
		return "The field " + name
	}
	return "This object"
}

// listed examines a value of which the schema lists the allowed ones.
func (x *examination) listed(n *manifest.Node, p place) {
	allowed := texts(p.at.Enum)
	text, _ := n.Value.(string)
	if len(allowed) == 0 || slices.Contains(allowed, text) || text == "" {
		return
	}
	words := fmt.Sprintf("%q isn't an allowed value of %s. Allowed values: %s.", text, x.name(n, p), strings.Join(allowed, ", "))
	x.addFlaw(Flaw{Node: n, Matter: Unlisted, Name: n.Key, Near: typed.Nearest(text, allowed), Words: words})
}

// name is the name of a field, or of the list or map that a value is in.
func (x *examination) name(n *manifest.Node, p place) string {
	if n.Index < 0 && n.Key != "" {
		return n.Key
	}
	for _, step := range slices.Backward(p.path) {
		if step != Each {
			return step
		}
	}
	return "the object"
}

func (x *examination) mistyped(n *manifest.Node, p place) Flaw {
	words := fmt.Sprintf("%s takes a value of the type %s, and not %s.", x.name(n, p), x.schema.typeWords(p.at), spelled(n.Value))
	text, isText := n.Value.(string)
	switch {
	case isText && unquoted(text, p.at.Type):
		words += " Remove the quotes."
	case p.at.Type == "string" && shapeOf(n.Value) == "":
		words += " Put the value in quotes."
	}
	return Flaw{Node: n, Matter: Mistyped, Name: n.Key, Words: words}
}

// unquoted tells whether a text would be of a type without its quotes.
func unquoted(text, kind string) bool {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return false
	}
	switch v.(type) {
	case float64:
		return kind == "integer" || kind == "number"
	case bool:
		return kind == "boolean"
	}
	return false
}

// spelled is a value with its type.
func spelled(v any) string {
	switch v := v.(type) {
	case string:
		if len(v) > 40 {
			v = v[:strings.LastIndexFunc(v[:40], func(r rune) bool { return r < 0x80 })+1] + "…"
		}
		return fmt.Sprintf("the text %q", v)
	case bool:
		return fmt.Sprintf("%t", v)
	case json.Number:
		return "the number " + v.String()
	}
	return shapeOf(v)
}

func shapeOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	}
	return ""
}

// takes tells whether a value has the type of a schema.
func (r resolved) takes(v any) bool {
	_, number := v.(json.Number)
	_, text := v.(string)
	_, truth := v.(bool)
	switch {
	case r.isIntOrString(), r.isQuantity():
		return number || text
	case r.isList():
		return shapeOf(v) == "a list"
	case r.isObject():
		return shapeOf(v) == "an object"
	case r.Type == "string":
		return text
	case r.Type == "boolean":
		return truth
	case r.Type == "integer", r.Type == "number":
		return number
	}
	return true
}
