package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Field is the description of one field in a schema.
type Field struct {
	Path        Path
	Description string
	// About is the description of the field's type. If the field is a list with no description of its own type, it is that of the items.
	About string
	// Type is in words: "integer (int32)", "list of Container".
	Type    string
	Default string   // as JSON; empty: none
	Enum    []string // the allowed values
	// Required tells whether the parent of the field must have it.
	Required   bool
	Deprecated bool // the schema says so, by a keyword or in the description
	// Key tells whether the field identifies items of its list.
	Key   bool
	Merge Merge
	// Patch is how strategic merge patches treat the field. They may treat it differently.
	Patch Patch
	// Whole is the path of the list or map that is owned as a whole and includes the field; nil: the field has its own owners.
	Whole Path
	// Parent tells whether the field has fields.
	Parent bool
	// Untold says why the schema doesn't describe the content of the field; empty: it does.
	Untold string
}

// IsDefault tells whether a value is the field's default.
func (f Field) IsDefault(v any) bool {
	value, err := json.Marshal(v)
	return err == nil && f.Default != "" && jsonText(value) == f.Default
}

// Name is the name of the field in its parent.
func (f Field) Name() string {
	if len(f.Path) == 0 {
		return ""
	}
	return f.Path[len(f.Path)-1]
}

// place is a schema on the path to a field.
type place struct {
	path     Path
	at       resolved
	required bool
	key      bool
	keys     []string // of an item: the fields that identify it
	whole    Path
	unknown  bool // the schema doesn't have the field, but allows it
}

// Field finds the field at a path. The path may leave out the items of lists (.spec.containers.image); the path of the result has them.
// found is false if the kind has no such field.
func (s Schema) Field(path Path) (f Field, found bool) {
	p, found := s.findPlace(path)
	if !found {
		return Field{}, false
	}
	return s.field(p), true
}

func (s Schema) findPlace(path Path) (p place, found bool) {
	if len(path) > maxSteps {
		return place{}, false
	}
	p, found = s.top()
	for _, step := range path {
		if !found {
			break
		}
		p, found = s.into(p, step)
	}
	return p, found
}

// top is the place of the object itself.
func (s Schema) top() (place, bool) {
	root := s.Definitions[s.Root]
	if root == nil {
		return place{}, false
	}
	p := place{path: Path{}, at: s.resolve(root)}
	if p.at.named == "" {
		p.at.named = s.Root
	}
	return p, true
}

// into goes from a place to one of its fields, or to one of the fields of its items.
func (s Schema) into(p place, name string) (place, bool) {
	if p.at.isList() && name != Each {
		p, _ = s.step(p, Each)
	}
	return s.step(p, name)
}

// step goes from a place to one of its fields.
func (s Schema) step(from place, name string) (place, bool) {
	to := place{path: from.path.To(name), whole: from.whole, unknown: from.unknown}
	merged := s.merge(from)
	if to.whole == nil && merged.Strategy == Atomic {
		to.whole = from.path
	}
	var n *node
	switch child, declared := from.at.Properties[name]; {
	case from.at.isList():
		if name != Each {
			return place{}, false
		}
		n, to.keys = from.at.Items, merged.Keys
	case declared:
		n, to.required, to.key = child, slices.Contains(from.at.Required, name), slices.Contains(from.keys, name)
	case from.at.Values != nil:
		n = from.at.Values
	case from.at.takesAny():
		to.unknown = true
	default:
		return place{}, false
	}
	to.at = s.resolve(n)
	return to, true
}

func (s Schema) field(p place) Field {
	f := Field{
		Path: p.path, Description: p.at.Description, About: p.at.typed, Type: s.typeWords(p.at), Enum: texts(p.at.Enum),
		Required: p.required, Key: p.key, Merge: s.merge(p), Patch: patch(p.at), Whole: p.whole,
		Parent: s.descend(p).holds(), Untold: untold(p),
	}
	if inside := s.descend(p); f.About == "" && len(inside.path) > len(p.path) {
		f.About = inside.at.typed
	}
	if f.Description == "" || f.Description == f.About {
		f.Description, f.About = f.About, ""
	}
	if len(p.path) == 0 {
		f.Description, f.About = p.at.Description, ""
	}
	if len(p.at.Default) > 0 && string(p.at.Default) != "null" {
		f.Default = jsonText(p.at.Default)
	}
	f.Deprecated = p.at.Deprecated || saysDeprecated(f.Description)
	return f
}

func saysDeprecated(description string) bool {
	words := strings.ToLower(description)
	return strings.HasPrefix(words, "deprecated") || strings.Contains(words, "deprecated:")
}

// untold says why the schema doesn't describe the content of a place.
func untold(p place) string {
	switch {
	case p.unknown:
		return "The schema doesn't have this field, but it allows unknown fields."
	case p.at.missing:
		return "The schema refers to a definition that is missing in the document."
	case p.at.Embedded:
		return "The value is a whole Kubernetes object. Its kind decides which fields it has."
	case p.at.Open:
		return "The server keeps unknown fields here (x-kubernetes-preserve-unknown-fields), so the schema doesn't describe them."
	case p.at.isRaw(), p.at.takesAny() && !p.at.isQuantity() && !p.at.chosen():
		return "The schema doesn't describe the content."
	default:
		return ""
	}
}

func texts(values []json.RawMessage) []string {
	var all []string
	for _, v := range values {
		all = append(all, jsonText(v))
	}
	return all
}

// jsonText is JSON in one line. A string has quotes only if it needs them.
func jsonText(value json.RawMessage) string {
	var word string
	if json.Unmarshal(value, &word) == nil && word != "" && strings.TrimSpace(word) == word {
		return word
	}
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil {
		return string(value)
	}
	return b.String()
}

// each tells whether a place stands for all items of a list, or all values of a map.
func (p place) each() bool { return Field{Path: p.path}.Name() == Each }

// holds tells whether a place has named fields.
func (p place) holds() bool {
	return len(p.at.Properties) > 0 || p.each() && (p.at.isList() || p.at.Values != nil)
}

// descend goes from a list to its items, and from a map to its values, if these have fields. It doesn't go through lists of lists.
func (s Schema) descend(p place) place {
	if p.at.isList() || len(p.at.Properties) == 0 && p.at.Values != nil {
		p, _ = s.step(p, Each)
	}
	return p
}

// Children are the fields of the field at a path, by name. For a list, they are the fields of its items. For a map, they are the fields of
// its values.
func (s Schema) Children(path Path) []Field {
	p, found := s.findPlace(path)
	if !found {
		return nil
	}
	inside := s.descend(p)
	if len(inside.at.Properties) == 0 {
		if len(inside.path) > len(p.path) && inside.holds() {
			return []Field{s.field(inside)}
		}
		return nil
	}
	children := make([]Field, 0, len(inside.at.Properties))
	for _, name := range sorted(inside.at.Properties) {
		if child, ok := s.step(inside, name); ok {
			children = append(children, s.field(child))
		}
	}
	return children
}

// KeyDefault is the value of a key of a list's items if an item doesn't have it. It still identifies the item. The path is the list's.
// Numbers are json.Number.
func (s Schema) KeyDefault(list Path, key string) (value any, ok bool) {
	p, found := s.findPlace(list)
	if !found || !p.at.isList() {
		return nil, false
	}
	item, _ := s.step(p, Each)
	field, found := s.step(item, key)
	if !found {
		return nil, false
	}
	return field.at.fallback()
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
