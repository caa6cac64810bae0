package lesson

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	typedpath "github.com/fieldmark/fieldmark/kube/typed"
)

// Path leads to a value within an answer. It is written as structured-merge-diff writes paths, .spec.containers[name="app"].image,
// with two additions: ["key"] for a field whose name has dots or brackets in it, and [-1] for a list's last item.
type Path []Element

// Element is one step of a path: exactly one of its parts is set.
type Element struct {
	Field string         `json:"field,omitempty"`
	Index *int           `json:"index,omitempty"` // from 0; negative: from the end
	Keys  map[string]any `json:"keys,omitempty"`  // of a list's item that is known by its keys
	Value any            `json:"value,omitempty"` // of a set's item
}

// ParsePath reads a path. The empty one, and ".", lead to the whole.
func ParsePath(text string) (Path, error) {
	var p Path
	rest := text
	if rest == "." {
		return nil, nil
	}
	for rest != "" {
		var e Element
		var err error
		switch rest[0] {
		case '.':
			end := strings.IndexAny(rest[1:], ".[") + 1
			if end == 0 {
				end = len(rest)
			}
			e.Field, rest = rest[1:end], rest[end:]
			if e.Field == "" {
				return nil, fmt.Errorf("path %q: a field has no name", text)
			}
		case '[':
			end := typedpath.Until(rest, ']')
			if end == len(rest) {
				err = errors.New("a bracket is not closed")
			} else {
				e, err = bracketed(rest[1:end])
				rest = rest[end+1:]
			}
		default:
			err = fmt.Errorf("begins with %q, and not with a dot or a bracket", rest[:1])
		}
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", text, err)
		}
		p = append(p, e)
	}
	return p, nil
}

// bracketed reads what stands between brackets.
func bracketed(text string) (Element, error) {
	if value, isValue := strings.CutPrefix(text, "="); isValue {
		v, err := scalar(value)
		return Element{Value: v}, err
	}
	if strings.HasPrefix(text, `"`) {
		name, err := scalar(text)
		field, isText := name.(string)
		if err == nil && !isText {
			err = fmt.Errorf("%q is no name", text)
		}
		return Element{Field: field}, err
	}
	if n, err := strconv.Atoi(text); err == nil {
		return Element{Index: &n}, nil
	}
	keys := map[string]any{}
	for text != "" {
		name, rest, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return Element{}, fmt.Errorf("[%s] is no index, no name in quotes, no value and no keys", text)
		}
		value := rest[:typedpath.Until(rest, ',')]
		v, err := scalar(value)
		if err != nil {
			return Element{}, err
		}
		keys[name] = v
		text = strings.TrimPrefix(rest[len(value):], ",")
	}
	if len(keys) == 0 {
		return Element{}, fmt.Errorf("a bracket is empty")
	}
	return Element{Keys: keys}, nil
}

// scalar reads a value as JSON writes it.
func scalar(text string) (any, error) {
	v, err := decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s is no value as JSON writes it (strings stand in quotes)", text)
	}
	switch v.(type) {
	case map[string]any, []any, nil:
		return nil, fmt.Errorf("%s is no string, number, true or false", text)
	}
	return v, nil
}

// decode reads JSON; numbers stay as they are written.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	if d.More() {
		return nil, fmt.Errorf("more than one value")
	}
	return v, nil
}

// In finds the value in a decoded document; false: it isn't there.
func (p Path) In(document any) (any, bool) {
	at := document
	for _, e := range p {
		next, ok := e.in(at)
		if !ok {
			return nil, false
		}
		at = next
	}
	return at, true
}

func (e Element) in(at any) (any, bool) {
	switch at := at.(type) {
	case map[string]any:
		v, ok := at[e.Field]
		return v, ok && e.Field != ""
	case []any:
		if e.Index != nil {
			i := *e.Index
			if i < 0 {
				i += len(at)
			}
			if i < 0 || i >= len(at) {
				return nil, false
			}
			return at[i], true
		}
		for _, item := range at {
			if e.is(item) {
				return item, true
			}
		}
	}
	return nil, false
}

// is tells whether a list's item is the one that is meant.
func (e Element) is(item any) bool {
	if e.Value != nil {
		return reflect.DeepEqual(item, e.Value)
	}
	fields, isMap := item.(map[string]any)
	for name, value := range e.Keys {
		if !isMap || !reflect.DeepEqual(fields[name], value) {
			return false
		}
	}
	return len(e.Keys) > 0
}

// written is a value as checks compare it and learners read it: strings as they are, all else as JSON.
func written(v any) string {
	if s, isText := v.(string); isText {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// Route is the way to what the path finds in a decoded document: names of fields, and places in lists as numbers from 0. False: it
// isn't there.
func (p Path) Route(document any) ([]string, bool) {
	var route []string
	at := document
	for _, e := range p {
		next, ok := e.in(at)
		if !ok {
			return nil, false
		}
		route = append(route, e.step(at))
		at = next
	}
	return route, true
}

// step is how the element is called in a route; it is there.
func (e Element) step(at any) string {
	items, isList := at.([]any)
	switch {
	case !isList:
		return e.Field
	case e.Index != nil && *e.Index < 0:
		return strconv.Itoa(len(items) + *e.Index)
	case e.Index != nil:
		return strconv.Itoa(*e.Index)
	}
	return strconv.Itoa(slices.IndexFunc(items, e.is))
}
