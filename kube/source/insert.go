package source

import (
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Insert adds a field to an object of a document, before the other fields. value is the text of the field's value. The rest of the text
// stays byte for byte. If that isn't possible, or the field already exists, the text doesn't change, and an *EditError says why.
func (t Text) Insert(document int, parent, key, value string) (string, error) {
	d, n, err := t.node(document, parent, nil)
	if err != nil {
		return t.text, err
	}
	fields, _ := n.Value.(map[string]any)
	if len(fields) == 0 {
		return t.text, &EditError{parent + " has no fields, so no field can be added."}
	}
	if _, has := fields[key]; has {
		return t.text, &EditError{"The document has a field " + parent + "." + key + " already."}
	}
	places := t.editing(d, n).places
	first := places[n.Children[0].ID]
	for _, child := range n.Children[1:] {
		if p := places[child.ID]; !p.alias && (first.alias || p.start < first.start) {
			first = p
		}
	}
	if first.alias {
		return t.text, errIntricate
	}
	name, err := flow(key)
	if err != nil {
		return t.text, err
	}
	written, err := flow(value)
	if err != nil {
		return t.text, err
	}
	between := ", "
	if first.in == nil || first.in.Style&yaml.FlowStyle == 0 {
		begin := strings.LastIndexByte(t.text[:first.start], '\n') + 1
		between = "\n" + indent(t.text[begin:first.start])
	}
	fields = maps.Clone(fields)
	fields[key] = value
	text := t.text[:first.start] + name + ": " + written + between + t.text[first.start:]
	return t.verified(text, d, Replaced(n, func(any) (any, bool) { return fields, true }))
}

// indent is white space with the width of the text before a key.
func indent(before string) string { return strings.Repeat(" ", len([]rune(before))) }
