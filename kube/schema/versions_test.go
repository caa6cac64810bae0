package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// version is the schema of a kind with this spec.
func version(t *testing.T, spec string) Schema {
	t.Helper()
	d, err := Parse(fmt.Appendf(nil, `{"components":{"schemas":{"X":{"type":"object","x-kubernetes-group-version-kind":[{"group":"g","version":"v","kind":"X"}],
		"properties":{"apiVersion":{"type":"string"},"metadata":{"type":"object"},"spec":%s}}}}}`, spec))
	if err != nil {
		t.Fatal(err)
	}
	s, found := d.Schema(Kind{"g", "v", "X"})
	if !found {
		t.Fatal("there is none")
	}
	return s
}

func TestDiffer(t *testing.T) {
	first := version(t, `{"type":"object","required":["size"],"properties":{
		"size":{"type":"integer"},"old":{"type":"object","properties":{"deep":{"type":"string"}}},"same":{"type":"string"},
		"mode":{"type":"string","enum":["a","b"]},"list":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}`)
	second := version(t, `{"type":"object","properties":{
		"size":{"type":"string"},"new":{"type":"boolean","default":true},"same":{"type":"string","description":"in other words"},
		"mode":{"type":"string","enum":["a","b","c"]},"list":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","description":"Deprecated: use id."}}}}}}`)
	got, whole := Differ([]Schema{first, second})
	var lines []string
	for _, d := range got {
		lines = append(lines, d.Path+" | "+strings.Join(d.In, " | "))
	}
	want := []string{
		".spec.list[*].name | string | string, deprecated",
		".spec.mode | string, one of a, b | string, one of a, b, c",
		".spec.new |  | boolean, default true",
		".spec.old | object | ",
		".spec.size | integer, required | string",
	}
	if !whole || !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwanted\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if got, _ := Differ([]Schema{first, first}); len(got) != 0 {
		t.Errorf("a version differs from itself: %+v", got)
	}
}

// TestDifferEnds with schemas that hold themselves.
func TestDifferEnds(t *testing.T) {
	s := of(t, definitions)
	if got, _ := Differ([]Schema{s, s}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
