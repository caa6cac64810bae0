package apply

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// Help implements page.Helpful. It suggests and explains fields from the schema of the kind.
func (m Model) Help(q page.Question) (page.Answer, []page.Cmd) {
	if len(q.Path) == 0 && q.Value || len(q.Path) == 1 && (q.Path[0] == "apiVersion" || q.Path[0] == "kind") && q.Value {
		return m.namesOfKinds(q), nil
	}
	group, version := aim.SplitVersion(q.APIVersion)
	kind := schema.Kind{Group: group, Version: version, Kind: q.Kind}
	k := m.live.schemas.Find(kind)
	switch {
	case k == nil:
		return page.Answer{Suggestions: beginnings(q)}, nil
	case !k.Here:
		return page.Answer{Pending: true}, nil
	case k.Schema == nil:
		return page.Answer{}, nil
	case q.What == page.Hover:
		return explained(*k.Schema, q.Path), nil
	case q.Value:
		return page.Answer{Suggestions: values(*k.Schema, q.Path)}, nil
	}
	return page.Answer{Suggestions: keys(*k.Schema, q)}, nil
}

// beginnings are the fields that every object has, for a document without a kind.
func beginnings(q page.Question) []page.Suggestion {
	if q.What != page.Complete || len(q.Path) > 0 || q.Value {
		return nil
	}
	var all []page.Suggestion
	for _, s := range []page.Suggestion{
		{Label: "apiVersion", Detail: "string", Value: page.Scalar, Info: "The API group and version of the object, written as group/version."},
		{Label: "kind", Detail: "string", Value: page.Scalar, Info: "The kind of the object."},
		{Label: "metadata", Detail: "object", Value: page.Map, Info: "The object’s name, namespace, labels and annotations."},
	} {
		if !slices.Contains(q.Present, s.Label) {
			all = append(all, s)
		}
	}
	return all
}

// namesOfKinds are the API versions and kinds that the cluster serves, as values of apiVersion and kind.
func (m Model) namesOfKinds(q page.Question) page.Answer {
	if q.What != page.Complete || len(q.Path) == 0 {
		return page.Answer{}
	}
	seen := map[string]bool{}
	var a page.Answer
	add := func(label, detail string) {
		if !seen[label] {
			seen[label] = true
			a.Suggestions = append(a.Suggestions, page.Suggestion{Label: label, Detail: detail})
		}
	}
	for _, g := range m.Shell.Catalog.Groups {
		for _, v := range g.Versions {
			for _, t := range v.Types {
				switch {
				case !t.Can("patch") && !t.Can("create"):
				case q.Path[0] == "apiVersion" && (q.Kind == "" || q.Kind == t.Kind):
					add(t.GroupVersion(), "")
				case q.Path[0] == "kind" && (q.APIVersion == "" || q.APIVersion == t.GroupVersion()):
					add(t.Kind, t.GroupVersion())
				}
			}
		}
	}
	return a
}

// keys are the fields that are possible at a place, the required ones first.
func keys(s schema.Schema, q page.Question) []page.Suggestion {
	var all []page.Suggestion
	fields := s.Children(schema.Path(q.Path))
	slices.SortStableFunc(fields, func(a, b schema.Field) int { return cmp.Compare(order(a), order(b)) })
	for _, f := range fields {
		name := f.Name()
		if name == schema.Each || slices.Contains(q.Present, name) {
			continue
		}
		detail := f.Type
		if f.Required {
			detail += ", required"
		}
		all = append(all, page.Suggestion{Label: name, Detail: detail, Info: f.Description, Value: shape(s, f)})
	}
	return all
}

// order puts required fields first, and status last.
func order(f schema.Field) int {
	switch {
	case f.Required:
		return 0
	case len(f.Path) == 1 && f.Path[0] == "status":
		return 2
	}
	return 1
}

// shape is the kind of value that a field needs.
func shape(s schema.Schema, f schema.Field) page.Shape {
	switch {
	case f.Merge.List:
		return page.List
	case f.Parent || f.Merge.Map || len(s.Children(f.Path)) > 0:
		return page.Map
	}
	return page.Scalar
}

// values are the possible values of a field, if the schema lists them.
func values(s schema.Schema, path []string) []page.Suggestion {
	f, found := s.Field(schema.Path(path))
	if !found {
		return nil
	}
	var all []page.Suggestion
	for _, v := range f.Enum {
		all = append(all, page.Suggestion{Label: written(v), Detail: "one of " + strconv.Itoa(len(f.Enum))})
	}
	if len(all) == 0 && f.Type == "boolean" {
		all = []page.Suggestion{{Label: "true"}, {Label: "false"}}
	}
	if f.Default == "" {
		return all
	}
	usual := defaultOf(f)
	for i, known := range all {
		if known.Label == usual {
			all[i].Detail = "default"
			return all
		}
	}
	return append(all, page.Suggestion{Label: usual, Detail: "default"})
}

// defaultOf is a field's default in YAML.
func defaultOf(f schema.Field) string {
	var text string
	if json.Unmarshal([]byte(f.Default), &text) == nil {
		return written(text)
	}
	return f.Default
}

// written is a text in YAML, with quotes if YAML would otherwise read something else.
func written(text string) string {
	for i, c := range text {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-' && c != '/' && c != '.') {
			return strconv.Quote(text)
		}
	}
	switch strings.ToLower(text) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return strconv.Quote(text)
	}
	return text
}

// explained is the explanation of a field.
func explained(s schema.Schema, path []string) page.Answer {
	f, found := s.Field(schema.Path(path))
	if !found || len(path) == 0 {
		return page.Answer{}
	}
	a := page.Answer{Heading: f.Path.String(), Text: f.Description, Facts: []string{f.Type}}
	if f.Required {
		a.Facts = append(a.Facts, "required")
	}
	if f.Default != "" {
		a.Facts = append(a.Facts, "default "+defaultOf(f))
	}
	if len(f.Enum) > 0 {
		names := make([]string, 0, len(f.Enum))
		for _, v := range f.Enum {
			names = append(names, written(v))
		}
		a.Facts = append(a.Facts, "one of "+strings.Join(names, ", "))
	}
	if f.Merge.List || f.Parent {
		a.Facts = append(a.Facts, f.Merge.Name())
	}
	if meaning := f.Merge.Meaning(); meaning != "" && (f.Merge.List || f.Parent) {
		a.Text = strings.TrimSpace(a.Text + "\n\n" + meaning)
	}
	return a
}
