package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

const sightings = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"group":"field.guide","scope":"Namespaced",
	"names":{"plural":"sightings","kind":"Sighting"},"versions":[
	{"name":"v1","served":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","required":["spec"],"properties":{
		"spec":{"type":"object","required":["bird"],"properties":{"bird":{"type":"string"},"count":{"type":"integer"}}}}}}},
	{"name":"v2","served":false,"schema":{"openAPIV3Schema":{"type":"object"}}},
	{"name":"v3","served":true}]}}`

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var fields map[string]any
	read := json.NewDecoder(strings.NewReader(text))
	read.UseNumber()
	if err := read.Decode(&fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestDefinitions(t *testing.T) {
	all := Definitions(parsed(t, sightings))
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	d := all[0]
	if got := fmt.Sprint(d.Kind, d.Type.FullName(), d.Type.Singular, d.Type.Namespaced, d.Type.Can("patch"), d.Type.Parts()); got != "{field.guide v1 Sighting}sightings.field.guidesightingtrue truestatus" {
		t.Errorf("%s", got)
	}
	for text, want := range map[string]string{
		`{"apiVersion":"field.guide/v1","kind":"Sighting","metadata":{"name":"a","labels":{"x":"y"}},"spec":{"bird":"wren","count":2}}`: "[]",
		`{"apiVersion":"field.guide/v1","kind":"Sighting","metadata":{"name":"a"}}`:                                                     "[missing]",
		`{"apiVersion":"field.guide/v1","kind":"Sighting","metadata":{"name":"a"},"spec":{"brid":"wren"}}`:                              "[unknown missing]",
	} {
		matters := []Matter{}
		for _, f := range d.Schema.Flaws(manifest.Tree(parsed(t, text)), true) {
			matters = append(matters, f.Matter)
		}
		if got := fmt.Sprint(matters); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestDefinitionsOfBrokenTexts(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"spec":7}`, `{"spec":{"versions":[{"name":"v1","served":true}]}}`, `{"spec":{"group":"a.b","names":{"plural":"as","kind":"A"},"versions":"v1"}}`,
		`{"spec":{"group":"a.b","names":{"plural":"as"},"versions":[{"name":"v1","served":true,"schema":{"openAPIV3Schema":{}}}]}}`,
	} {
		if all := Definitions(parsed(t, text)); len(all) > 0 {
			t.Errorf("%s: %+v", text, all)
		}
	}
}
