package column

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// Bounds of what is read.
const (
	mostCell   = 200 // bytes of a value's text
	mostValues = 100 // values that are joined
)

// Read is what remains of an object: the texts of its columns.
type Read struct {
	UID     string   `json:"uid"`
	Version string   `json:"version"`
	Texts   []string `json:"texts"` // one for each column; empty: the object has no such value
}

// Reader reads the values of columns. Labels and ages are not among these columns, because rows have them.
type Reader struct {
	Columns []Column
	Secrets bool // the objects are Secrets
}

// Source is the most expensive source of the columns.
func (r Reader) Source() Source {
	worst := Row
	for _, c := range r.Columns {
		worst = max(worst, c.Source())
	}
	return worst
}

// Object reads an object, or its metadata alone.
func (r Reader) Object(body []byte) (Read, error) {
	return r.read(bytes.TrimSpace(body), r.paths())
}

// paths are the paths of all that is needed of an object.
func (r Reader) paths() paths {
	all := paths{}
	for _, name := range []string{"uid", "name", "namespace", "resourceVersion"} {
		all = append(all, []typed.Step{{Name: "metadata"}, {Name: name}})
	}
	for _, c := range r.Columns {
		all = append(all, c.steps)
	}
	return all
}

// List is what a list has.
type List struct {
	All      []Read
	Continue string
}

// List reads a list of objects, or of their metadata.
func (r Reader) List(body []byte) (List, error) {
	body = bytes.TrimSpace(body)
	head, err := lean(body, paths{{{Name: "kind"}}, {{Name: "apiVersion"}}}) // it may come after the items
	kind, _ := child(head, "kind").(string)
	version, _ := child(head, "apiVersion").(string)
	switch {
	case err != nil:
		return List{}, fmt.Errorf("reading a list: %w", err)
	case !strings.HasSuffix(kind, "List"):
		return List{}, errors.New("reading a list: the response is no list")
	}
	var l List
	r.Secrets = r.Secrets || object.Holds(version, kind)
	all := r.paths()
	err = members(body, func(name string, value []byte) error {
		switch name {
		case "metadata":
			metadata, err := lean(value, paths{{{Name: "continue"}}})
			l.Continue, _ = child(metadata, "continue").(string)
			return err
		case "items":
			if string(value) == "null" {
				return nil
			}
			return items(value, func(item []byte) error {
				one, err := r.read(item, all)
				l.All = append(l.All, one)
				return err
			})
		}
		return nil
	})
	if err != nil {
		return List{}, fmt.Errorf("reading a list: %w", err)
	}
	return l, nil
}

// Annotations are the keys of all annotations in a list, sorted.
func Annotations(body []byte) (all []string) {
	v, err := lean(bytes.TrimSpace(body), paths{{{Name: "items"}}})
	if err != nil {
		return nil
	}
	for _, annotations := range values(v, []typed.Step{{Name: "items"}, {Item: true}, {Name: "metadata"}, {Name: "annotations"}}) {
		all = append(all, keys(annotations)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// read takes the values from an object, and masks them first.
func (r Reader) read(text []byte, all paths) (Read, error) {
	v, err := lean(text, all)
	fields, is := v.(map[string]any)
	if err != nil || !is {
		return Read{}, errText
	}
	return r.texts(object.Object{Fields: fields}), nil
}

func (r Reader) texts(o object.Object) Read {
	if r.Secrets || o.IsSecret() {
		o = o.MaskedAsSecret()
	} else {
		if strings.HasPrefix(o.Kind(), "PartialObjectMetadata") {
			delete(o.Fields, "kind") // it would be masked like a Secret's
		}
		o = o.Masked()
	}
	one := Read{
		UID: cmp.Or(o.Meta("uid"), o.Meta("namespace")+"/"+o.Meta("name")), Version: o.Meta("resourceVersion"), Texts: make([]string, len(r.Columns)),
	}
	for i, c := range r.Columns {
		if r.Secrets && c.FitsSecrets() != nil {
			continue
		}
		one.Texts[i] = text(values(o.Fields, c.steps))
	}
	return one
}

func child(v any, name string) any {
	m, _ := v.(map[string]any)
	return m[name]
}

func keys(v any) (all []string) {
	m, _ := v.(map[string]any)
	for key := range m {
		all = append(all, key)
	}
	return all
}

// values are the values at a path, at most mostValues.
func values(v any, steps []typed.Step) []any {
	found := []any{v}
	for _, s := range steps {
		var next []any
		for _, v := range found {
			next = append(next, below(v, s)...)
		}
		found = next[:min(len(next), mostValues)]
	}
	return found
}

// below are the values one step further.
func below(v any, s typed.Step) (all []any) {
	every := s.Item && len(s.Keys) == 0 && s.Index == ""
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			switch {
			case every || s.Item && s.Fits(item, i):
				all = append(all, item)
			case !s.Item && !listed(item): // a path may leave out the items
				all = append(all, below(item, s)...)
			}
		}
	case map[string]any:
		if one, there := v[s.Name]; there && !s.Item {
			return []any{one}
		}
		if every {
			names := keys(v)
			slices.Sort(names)
			for _, name := range names {
				all = append(all, v[name])
			}
		}
	}
	return all
}

func listed(v any) bool { _, is := v.([]any); return is }

// text joins values. A list of plain values is written like several values.
func text(all []any) string {
	if len(all) == 1 {
		if list, is := all[0].([]any); is && !slices.ContainsFunc(list, nested) {
			all = list
		}
	}
	var words []string
	for _, v := range all[:min(len(all), mostValues)] {
		if word := word(v); word != "" {
			words = append(words, word)
		}
	}
	joined := strings.Join(words, ", ")
	if len(joined) > mostCell {
		return strings.ToValidUTF8(strings.Clone(joined[:mostCell]), "") + "…"
	}
	return joined
}

func nested(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// word is one value: a text as it is, and all else as compact JSON. Null is no value.
func word(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if v == "" {
			return `""`
		}
		return v
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}
