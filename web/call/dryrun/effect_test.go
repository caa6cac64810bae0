package dryrun

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/status"
)

func parse(t testing.TB, text string) object.Object {
	t.Helper()
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

const managed = `{"apiVersion":"v1","kind":"%K","metadata":{"name":"a","uid":"u","resourceVersion":"%V","managedFields":[%M]},"data":{"x":"%X","y":"Yg=="}}`

func entry(name, fields string) string {
	return `{"manager":"` + name + `","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":` + fields + `}}`
}

func TestEffects(t *testing.T) {
	object := func(kind, version, x string, entries ...string) object.Object {
		return parse(t, strings.NewReplacer("%K", kind, "%V", version, "%X", x, "%M", strings.Join(entries, ",")).Replace(managed))
	}
	before := object("ConfigMap", "1", "1", entry("ada", `{"f:x":{},"f:y":{}}`))
	e, err := Compare(before, object("ConfigMap", "2", "1", entry("ada", `{"f:x":{}}`), entry("bob", `{"f:x":{},"f:y":{}}`)))
	if err != nil || len(e.Values) > 0 || e.Fields != 2 || len(e.Passed) != 2 {
		t.Fatalf("%v, %+v", err, e)
	}
	if p := e.Passed[1]; p.Paths[0] != ".data.y" || who(p.Before) != "ada (Apply)" || who(p.After) != "bob (Apply)" {
		t.Errorf("%+v", e)
	}
	if e, err = Compare(before, object("ConfigMap", "2", "1")); err != nil || len(e.Passed) != 1 || e.Fields != 2 || who(e.Passed[0].After) != "nobody" {
		t.Errorf("%v, %+v", err, e)
	}
	if e, err = Compare(before, object("ConfigMap", "2", "1", entry("ada", `{"f:x":{},"f:y":{}}`))); err != nil || !e.Nothing() {
		t.Errorf("%v, %+v", err, e)
	}
	for _, c := range []struct {
		v    Value
		want string
	}{
		{Value{Old: "1", New: "2", Owners: []string{"ada (Apply)"}}, "The field is owned by ada (Apply)."},
		{Value{New: "2"}, "The new field is owned by nobody."},
		{Value{Old: "1", Owners: []string{"a", "b"}}, "The removed field was owned by a, b."},
	} {
		if got := c.v.ownershipText(); got != c.want {
			t.Errorf("%+v: %q", c.v, got)
		}
	}
	secret := object("Secret", "1", "b2xk", entry("ada", `{"f:x":{}}`))
	e, err = Compare(secret, object("Secret", "2", "bmV3", entry("ada", `{"f:x":{}}`)))
	if err != nil || len(e.Values) != 1 || strings.Contains(e.Values[0].Old+e.Values[0].New+e.Values[0].ownershipText(), "bmV3") {
		t.Errorf("%v, %+v", err, e)
	}
}

// TestNoCanaryEscapesWords: admission may refuse, or warn of, what it was sent, and quote it.
func TestNoCanaryEscapesWords(t *testing.T) {
	manifest := object.Object{Fields: map[string]any{"apiVersion": "v1", "kind": "Secret", "stringData": map[string]any{"password": canary.Song}}}
	said := "the value " + canary.Song + " (" + canary.Coded + ") of " + canary.Plain + " is weak"
	a := (&Response{
		Warnings: []status.Warning{{Text: said}}, No: &status.Status{Code: 422, Message: said, Causes: []status.Cause{{Field: "data", Message: said}}},
	}).Hush(manifest)
	for _, words := range []string{a.Warnings[0].Text, a.No.Message, a.No.Causes[0].Message} {
		if canary.Escapes(words) || !strings.Contains(words, canary.Plain) {
			t.Error(words)
		}
	}
}

func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague {
			continue
		}
		for _, other := range []object.Object{{}, parse(t, strings.ReplaceAll(d.JSON, canary.Song, "another"))} {
			for _, two := range [][2]object.Object{{other, parse(t, d.JSON)}, {parse(t, d.JSON), other}} {
				e, err := Compare(two[0], two[1])
				if err == nil && canary.Escapes(fmt.Sprint(e)) {
					t.Errorf("%s: %+v", d.Name, e)
				}
			}
		}
	}
}
