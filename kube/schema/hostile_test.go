package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

var things = Kind{"example.com", "v1", "Thing"}

// thing is a document in which the kind Thing has the spec, and what else is defined.
func thing(spec string, others ...string) string {
	return `{"components":{"schemas":{"Thing":{"type":"object","properties":{"spec":` + spec + `},
		"x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Thing"}]}` + strings.Join(append([]string{""}, others...), ",") + `}}}`
}

func ofThing(t testing.TB, text string) Schema {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, found := d.Schema(things)
	if !found {
		t.Fatal("the kind is not found")
	}
	return travelled(t, s)
}

func TestSpecsOfAllSorts(t *testing.T) {
	for _, c := range []struct{ spec, typ, merge, untold string }{
		{`{}`, "anything", "untyped", "doesn't describe the content"},
		{`{"type":"object"}`, "object", "untyped", "doesn't describe the content"},
		{`{"type":"object","x-kubernetes-preserve-unknown-fields":true}`, "object", "untyped", "x-kubernetes-preserve-unknown-fields"},
		{`{"x-kubernetes-preserve-unknown-fields":true}`, "anything", "untyped", "x-kubernetes-preserve-unknown-fields"},
		{`{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{}}}`, "object", "granular object", "keeps unknown fields"},
		{`{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}`, "Kubernetes object", "untyped", "whole Kubernetes object"},
		{`{"type":"object","additionalProperties":true}`, "map of string to anything", "granular map", ""},
		{`{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}`, "map of string to list of string", "granular map", ""},
		{`{"type":"object","x-kubernetes-map-type":"atomic"}`, "object", "atomic map", "doesn't describe"},
		{`{"type":"array"}`, "list of anything", "atomic list", ""},
		{`{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`, "list of list of integer", "atomic list", ""},
		{`{"type":"array","items":{},"x-kubernetes-list-type":"map"}`, "list of anything", "atomic list", ""},
		{`{"type":"array","items":{},"x-kubernetes-patch-strategy":"merge"}`, "list of anything", "set", ""},
		{`{"type":"array","items":{},"x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"id"}`, "list of anything", "list by id", ""},
		{`{"type":"array","items":{},"x-kubernetes-patch-strategy":"retainKeys"}`, "list of anything", "atomic list", ""},
		{`{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}`, "integer or string", "single value", ""},
		{`{"anyOf":[{"type":"boolean"},{"type":"string"}]}`, "boolean or string", "single value", ""},
		{`{"default":{},"allOf":[{"$ref":"#/components/schemas/a.b.Other"}]}`, "Other", "granular object", ""},
		{`{"$ref":"#/components/schemas/a.b.Other","x-kubernetes-map-type":"atomic"}`, "Other", "atomic object", ""},
		{`{"$ref":"#/components/schemas/nosuch"}`, "anything", "untyped", "definition that is missing in the document"},
		{`{"$ref":"https://evil.test/schema"}`, "anything", "untyped", "doesn't describe"},
		{`{"type":"array","items":{"$ref":"#/components/schemas/Thing"}}`, "list of Thing", "atomic list", ""},
	} {
		s := ofThing(t, thing(c.spec, `"a.b.Other":{"description":"another","type":"object","properties":{"x":{"type":"string"}}}`))
		f := at(t, s, ".spec")
		if f.Type != c.typ || f.Merge.Name() != c.merge || !strings.Contains(f.Untold, c.untold) || c.untold == "" && f.Untold != "" {
			t.Errorf("%s is a %q, merged as %q, %q", c.spec, f.Type, f.Merge.Name(), f.Untold)
		}
	}
}

func TestUnknownFieldsAreFoundWhereTheyAreKept(t *testing.T) {
	s := ofThing(t, thing(`{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"known":{"type":"object","properties":{"a":{"type":"string"}}}}}`))
	if f := at(t, s, ".spec.what.ever"); !strings.Contains(f.Untold, "doesn't have this field") || f.Type != "anything" {
		t.Errorf("%+v", f)
	}
	if _, found := s.Field(Path{"spec", "known", "b"}); found {
		t.Error("a field that is pruned is found")
	}
}

func TestWrongTypesAreLeftOut(t *testing.T) {
	s := ofThing(t, thing(`{"type":["object"],"description":7,"required":"a","enum":{},"items":[],"properties":{"a":5,"b":null,"c":{"type":"string","deprecated":"yes"}},
		"x-kubernetes-list-map-keys":7,"default":{"x":[1,2]},"x-kubernetes-preserve-unknown-fields":"true","allOf":[null,3,{"description":"kept"}],"oneOf":7}`))
	f := at(t, s, ".spec")
	if f.Description != "kept" || f.Default != `{"x":[1,2]}` || len(s.Children(Path{"spec"})) != 3 {
		t.Errorf("%+v", f)
	}
	for _, broken := range []string{"", "[]", "7", "null x", `{"components":`, strings.Repeat("[", 20000)} {
		if _, err := Parse([]byte(broken)); err == nil {
			t.Errorf("%.20s is a document", broken)
		}
	}
	for _, empty := range []string{"{}", "null", `{"components":7}`, `{"components":{"schemas":[]}}`, `{"components":{"schemas":{"a":null}}}`} {
		d, err := Parse([]byte(empty))
		if _, found := d.Schema(things); err != nil || found {
			t.Errorf("%s: %v, %v", empty, err, found)
		}
	}
}

func TestReferencesInCirclesEnd(t *testing.T) {
	ref := func(to string) string { return `{"$ref":"#/components/schemas/` + to + `"}` }
	doubling := []string{}
	for i := range 60 {
		doubling = append(doubling, fmt.Sprintf(`"D%d":{"allOf":[%s,%s]}`, i, ref(fmt.Sprint("D", i+1)), ref(fmt.Sprint("D", i+1))))
	}
	for name, text := range map[string]string{
		"to itself":      thing(ref("A"), `"A":`+ref("A")),
		"to each other":  thing(ref("A"), `"A":`+ref("B"), `"B":{"allOf":[`+ref("A")+`]}`),
		"a list of it":   thing(ref("A"), `"A":{"type":"array","items":`+ref("A")+`}`),
		"a map of it":    thing(ref("A"), `"A":{"type":"object","additionalProperties":`+ref("A")+`}`),
		"a choice of it": thing(ref("A"), `"A":{"oneOf":[`+ref("A")+`,{"type":"string"}]}`),
		"doubling":       thing(ref("D0"), doubling...),
	} {
		s := ofThing(t, text)
		f := at(t, s, ".spec")
		if f.Type == "" || len(f.Type) > 200 {
			t.Errorf("%s: it is a %q", name, f.Type)
		}
		s.Children(f.Path)
	}
}

func TestWhatIsNestedTooDeepIsCutOff(t *testing.T) {
	const deep = 3000
	for _, around := range [][2]string{{`{"properties":{"a":`, `}}`}, {`{"items":`, `}`}, {`{"additionalProperties":`, `}`}, {`{"allOf":[`, `]}`}, {`{"default":[`, `]}`}} {
		s := ofThing(t, thing(strings.Repeat(around[0], deep)+"{}"+strings.Repeat(around[1], deep)))
		text, err := json.Marshal(s)
		if err != nil || len(text) > 20_000 {
			t.Errorf("%s: %d bytes, %v", around[0], len(text), err)
		}
		at(t, s, ".spec")
	}
}

func TestPathsAsText(t *testing.T) {
	for text, want := range map[string]Path{
		"":                                       {},
		".":                                      {},
		".spec":                                  {"spec"},
		".spec.containers[*].image":              {"spec", "containers", Each, "image"},
		`.spec.containers[name="app"].image`:     {"spec", "containers", Each, "image"},
		`.a[k="]\"]",p=1][0][="x"]`:              {"a", Each, Each, Each},
		`.metadata.annotations["a.b/c"]`:         {"metadata", "annotations", "a.b/c"},
		`.metadata.labels["say \"hi\""][""].x`:   {"metadata", "labels", `say "hi"`, "", "x"},
		`[*]`:                                    {Each},
		" spec.containers[name=app].image ":      {"spec", "containers", Each, "image"},
		"metadata.labels[example.com/app]":       {"metadata", "labels", "example.com/app"},
		strings.Repeat(".a", 100):                slices.Repeat(Path{"a"}, maxSteps),
		`.metadata.annotations.example-com/note`: {"metadata", "annotations", "example-com/note"},
	} {
		got, err := ParsePath(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is %q, %v", text, got, err)
		}
		if again, err := ParsePath(got.String()); err != nil || !slices.Equal(again, got) {
			t.Errorf("%s is written as %s, and read as %q, %v", text, got, again, err)
		}
	}
	for _, broken := range []string{".spec.", "[", `["x`, `.a["x" y]`, ".a[b=1,c]"} {
		if got, err := ParsePath(broken); err == nil {
			t.Errorf("%q is %q", broken, got)
		}
	}
}

func TestValues(t *testing.T) {
	var object any
	text := `{"spec":{"items":[{"n":1,"m":{"x":"a"}},{"m":{"y":"b","x":"c"}},7],"map":{"*":"star"}}}`
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		".spec.items[*].n": "[1]", ".spec.items[*].m[*]": "[a c b]", ".spec.items[*].m.x": "[a c]", ".spec.nosuch": "[]",
		".spec.items.n": "[]", ".spec.map[*]": "[star]", ".spec.items[*].n.x": "[]",
	} {
		p, err := ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(Values(object, p)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// Whatever a document holds, reading it ends, and what is found holds together.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{
		thing(`{}`), thing(`{"$ref":"#/components/schemas/Thing"}`), thing(`{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/Thing"}]}}`),
		thing(`{"type":"object","additionalProperties":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":{"properties":{"a":{"default":1}}}}}`),
	} {
		f.Add([]byte(seed), ".spec[*].a")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		d, err := Parse(data)
		if err != nil {
			return
		}
		for _, n := range d.nodes {
			if n == nil {
				continue
			}
			for _, k := range n.Kinds {
				s, found := d.Schema(k)
				if !found {
					t.Fatalf("%v is not found", k)
				}
				walk(t, travelled(t, s), text)
			}
		}
	})
}

// walk looks at fields, as many as there are or a few hundred.
func walk(t *testing.T, s Schema, text string) {
	if path, err := ParsePath(text); err == nil {
		s.Field(path)
		s.Children(path)
		s.KeyDefault(path, "a")
	}
	seen := 0
	for left := []Path{{}}; len(left) > 0 && seen < 300; left = left[1:] {
		f, found := s.Field(left[0])
		if !found {
			t.Fatalf("%s is no field", left[0])
		}
		if children := s.Children(left[0]); (len(children) > 0) != f.Parent {
			t.Fatalf("%s has %d fields, a parent is %v", f.Path, len(children), f.Parent)
		}
		for _, child := range s.Children(left[0]) {
			seen++
			if _, found := s.Field(child.Path); found {
				left = append(left, child.Path)
			}
			_ = child.Merge.Meaning() + child.Patch.Meaning() + child.Merge.Name()
		}
	}
}
