package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Names of fields can have dots and line breaks, or be empty. The server's paths don't quote them.
func TestConflictsOfFieldsWithTheSamePath(t *testing.T) {
	const (
		head   = `"apiVersion":"input.example.com/v1","kind":"Thing","metadata":{"name":"odd","namespace":"shop"`
		fields = `{"f:spec":{"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}}}`
	)
	live := parse(t, `{`+head+`,"managedFields":[`+entry("one Apply input.example.com/v1 "+fields)+`]},"spec":{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}}`)
	text := "apiVersion: input.example.com/v1\nkind: Thing\nmetadata: {name: odd, namespace: shop}\nspec:\n  x.y: 10\n  x:\n    \"y\": 20\n  \"\": 30\n  \"two\\nlines\": 40\n"
	d := documents("odd.yaml", text)[0]
	refused := conflict(`.spec. "one"`, `.spec.two`+"\nlines"+` "one"`, `.spec.x.y "one"`, `.spec.x.y "one"`)
	refused.Causes[1].Field, refused.Causes[1].Message = ".spec.two\nlines", `conflict with "one"`
	var got []string
	for _, f := range Judge(Input{Document: d, Live: Response{Object: live}, Plain: Response{No: refused}, Manager: "two"}, ContentsOf([]Document{d})) {
		if f.Kind == Conflict {
			got = append(got, fmt.Sprintf("%q:%d %s→%s %v", f.Path, f.Line, f.Live, f.Stated, strings.Contains(f.Why, "Other fields have the same path")))
		}
		for _, w := range f.Ways {
			if strings.Contains(f.Why, "Other fields have the same path") && (w.Way == WayHandOver || w.Way == WayRule) {
				t.Errorf("%s:%d: the way %s can mean another field:\n%s", f.Path, f.Line, w.Way, w.Text)
			}
		}
	}
	want := []string{`".spec.":8 3→30 false`, `".spec.two\nlines":9 4→40 false`, `".spec.x.y":7 2→20 true`, `".spec.x.y":5 1→10 true`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Only the field that changes is in conflict, also if another field has the same path.
func TestAConflictOfOneOfTwoFieldsWithTheSamePath(t *testing.T) {
	live := parse(t, `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"odd","managedFields":[`+
		entry(`one Apply v1 {"f:spec":{"f:x":{"f:y":{}},"f:x.y":{}}}`)+`]},"spec":{"x.y":1,"x":{"y":2}}}`)
	d := documents("odd.yaml", "apiVersion: v1\nkind: Thing\nmetadata: {name: odd}\nspec:\n  x: {\"y\": 2}\n  x.y: 10\n")[0]
	var got []string
	for _, f := range Judge(Input{Document: d, Live: Response{Object: live}, Plain: Response{No: conflict(`.spec.x.y "one"`)}, Manager: "two"}, ContentsOf(nil)) {
		got = append(got, spell(f))
	}
	if want := []string{`conflict .spec.x.y:6 1→10 [one (Apply)]`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What an apply changes, adds and removes is told for each field, also if another field has the same path.
func TestChangesOfFieldsWithTheSamePath(t *testing.T) {
	const head = `"apiVersion":"v1","kind":"Thing","metadata":{"name":"odd","managedFields":[`
	mine := entry(`me Apply v1 {"f:spec":{"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}}}`)
	live := parse(t, `{`+head+mine+`]},"spec":{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}}`)
	for text, c := range map[string]struct {
		predicted string
		fields    string // that me owns afterwards
		want      []string
	}{
		"spec:\n  x.y: 10\n  x: {\"y\": 20}\n  \"\": 30\n  \"two\\nlines\": 40\n": {
			`{"x.y":10,"x":{"y":20},"":30,"two\nlines":40}`, `"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}`,
			[]string{`changed ".spec.":8 3→30`, `changed ".spec.two\nlines":9 4→40`, `changed ".spec.x.y":7 2→20`, `changed ".spec.x.y":6 1→10`},
		},
		"spec:\n  x.y: 10\n": {
			`{"x.y":10}`, `"f:x.y":{}`,
			[]string{`pruned ".spec.":5 3→`, `pruned ".spec.two\nlines":5 4→`, `pruned ".spec.x.y":5 2→`, `changed ".spec.x.y":6 1→10`},
		},
		"spec:\n  x.y: 1\n  \"\": 3\n  \"two\\nlines\": 5\n  x: {\"y\": 3}\n": { // an admission changes one of them
			`{"x.y":1,"x":{"y":4},"":3,"two\nlines":6}`, `"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}`,
			[]string{`server ".spec.two\nlines":8 4→5`, `server ".spec.x.y":9 2→3`},
		},
	} {
		d := documents("odd.yaml", "apiVersion: v1\nkind: Thing\nmetadata: {name: odd}\n# x\n"+text)[0]
		after := parse(t, `{`+head+entry(`me Apply v1 {"f:spec":{`+c.fields+`}}`)+`]},"spec":`+c.predicted+`}`)
		var got []string
		for _, f := range Judge(Input{Document: d, Live: Response{Object: live}, Plain: Response{Object: after}, Manager: "me"}, ContentsOf(nil)) {
			got = append(got, fmt.Sprintf("%s %q:%d %s→%s", f.Kind, f.Path, f.Line, f.Live, f.Stated))
			for _, w := range f.Ways {
				if strings.HasSuffix(f.Path, ".x.y") && (strings.HasPrefix(w.Text, "---") || w.Way == WayRule || w.Way == WayHandOver) {
					t.Errorf("%s: the way %s can mean another field:\n%s", f.Path, w.Way, w.Text)
				}
			}
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// What other managers and older entries keep is told for each field, also if another field has the same path.
func TestKeptFieldsWithTheSamePath(t *testing.T) {
	const (
		head = `"apiVersion":"v1","kind":"Thing","metadata":{"name":"odd","managedFields":[`
		spec = `{"x.y":1,"x":{"y":2},"":3,"two\nlines":4}`
		all  = `{"f:spec":{"f:":{},"f:two\nlines":{},"f:x":{"f:y":{}},"f:x.y":{}}}`
	)
	each := entry(`a Apply v1 {"f:spec":{"f:":{}}}`) + "," + entry(`b Apply v1 {"f:spec":{"f:two\nlines":{}}}`) + "," + entry(`c Apply v1 {"f:spec":{"f:x":{"f:y":{}}}}`) + "," + entry(`d Apply v1 {"f:spec":{"f:x.y":{}}}`)
	older := entry("me Update v1 " + all)
	for name, c := range map[string]struct {
		text, second string // the manifest, and another document about the same object
		owners       string // of all fields before the apply
		mine         string // what me owns after it
		want         []string
	}{
		"shared": {
			"spec:\n  x.y: 1\n  x: {\"y\": 2}\n  \"\": 3\n  \"two\\nlines\": 4\n", "", each, all,
			[]string{`shared ".spec.":7 3→3 [a (Apply)]`, `shared ".spec.two\nlines":8 4→4 [b (Apply)]`, `shared ".spec.x.y":6 2→2 [c (Apply)]`, `shared ".spec.x.y":5 1→1 [d (Apply)]`},
		},
		"stuck": {
			"spec:\n  x.y: 1\n", "", older, `{"f:spec":{"f:x.y":{}}}`,
			[]string{`stuck ".spec.":4 3→ [me (Update)]`, `stuck ".spec.two\nlines":4 4→ [me (Update)]`, `stuck ".spec.x.y":4 2→ [me (Update)]`},
		},
		"in another document": {
			"spec:\n  x: {\"y\": 2}\n", "spec:\n  \"\": 3\n  two: {lines: 4}\n  x: {\"y\": 2}\n", older, `{"f:spec":{"f:x":{"f:y":{}}}}`,
			[]string{`stuck ".spec.two\nlines":4 4→ [me (Update)]`, `stuck ".spec.x.y":4 1→ [me (Update)]`},
		},
	} {
		const top = "apiVersion: v1\nkind: Thing\nmetadata: {name: odd}\n"
		written := top + c.text
		if c.second != "" {
			written += "---\n" + top + c.second
		}
		both := documents("odd.yaml", written)
		contents := ContentsOf(nil)
		if c.second != "" {
			contents = ContentsOf(both)
		}
		live := parse(t, `{`+head+c.owners+`]},"spec":`+spec+`}`)
		after := parse(t, `{`+head+c.owners+","+entry("me Apply v1 "+c.mine)+`]},"spec":`+spec+`}`)
		var got []string
		for _, f := range Judge(Input{Document: both[0], Live: Response{Object: live}, Plain: Response{Object: after}, Manager: "me"}, contents) {
			got = append(got, fmt.Sprintf("%s %q:%d %s→%s [%s]", f.Kind, f.Path, f.Line, f.Live, f.Stated, names(f.Owners)))
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// The ways out of a conflict change the line of the field that is meant.
func TestWaysOutOfConflictsOfFieldsWithTheSamePath(t *testing.T) {
	live := parse(t, `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"odd","managedFields":[`+
		entry(`one Apply v1 {"f:spec":{"f:x":{"f:y":{}},"f:x.y":{}}}`)+`]},"spec":{"x.y":1,"x":{"y":2}}}`)
	d := documents("odd.yaml", "apiVersion: v1\nkind: Thing\nmetadata: {name: odd}\nspec:\n  x.y: 10\n  x:\n    y.z: 3\n    \"y\": 20\n")[0]
	var got []string
	for _, f := range Judge(Input{Document: d, Live: Response{Object: live}, Plain: Response{No: conflict(`.spec.x.y "one"`, `.spec.x.y "one"`)}, Manager: "two"}, ContentsOf(nil)) {
		for _, w := range f.Ways {
			for line := range strings.Lines(w.Text) {
				if strings.HasPrefix(line, "-  ") || strings.HasPrefix(line, "+  ") {
					got = append(got, fmt.Sprint(f.Line, " ", w.Way, " ", strings.TrimSpace(line)))
				}
			}
		}
	}
	want := []string{`8 give-up -    "y": 20`, `8 share -    "y": 20`, `8 share +    "y": 2`, `5 give-up -  x.y: 10`, `5 share -  x.y: 10`, `5 share +  x.y: 1`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
