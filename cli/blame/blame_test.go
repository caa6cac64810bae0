package blame

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

var now = time.Date(2026, 5, 6, 12, 0, 0, 0, time.UTC)

const shared = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"shared","namespace":"shop","managedFields":[
	{"manager":"ada","operation":"Apply","apiVersion":"v1","time":"2026-05-06T11:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:colour":{},"f:size":{}}}},
	{"manager":"ben","operation":"Update","subresource":"scale","apiVersion":"v1","time":"2026-05-01T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:size":{},"f:gone":{}}}}]},
	"data":{"colour":"green","size":"10","text":"a\nb\n"}}`

func written(t *testing.T, text string) Written {
	t.Helper()
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	w, err := Write(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func printed(t *testing.T, form string, p printer, all ...Written) string {
	t.Helper()
	var b bytes.Buffer
	p.out, p.now = &b, now
	if err := outputs[form](&p, all); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	const want = `nobody                                        │ apiVersion: v1
                                              │ data:
ada (Apply) 60m                               │   colour: green
ada (Apply) 60m, ben (Update, scale) 5d       │   size: "10"
nobody                                        │   text: |
                                              │     a
                                              │     b
                                              │ kind: ConfigMap
                                              │ metadata:
                                              │   name: shared
                                              │   namespace: shop

Owned fields that no line shows:
  ben (Update, scale): .data.gone `
	got := printed(t, "text", printer{}, written(t, shared))
	if normal(got) != normal(want) && !strings.HasPrefix(normal(got), normal(want)) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// normal makes of runs of spaces one.
func normal(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestOneField(t *testing.T) {
	for field, want := range map[string]string{
		".data.size":   "ConfigMap shop/shared .data.size: ada (Apply) 60m, ben (Update, scale) 5d\n",
		".data.colour": "ConfigMap shop/shared .data.colour: ada (Apply) 60m\n",
		".data.text":   "ConfigMap shop/shared .data.text: nobody\n",
		".data":        "ConfigMap shop/shared .data: nobody owns the field as a whole; owners of its parts: ada (Apply) 60m, ben (Update, scale) 5d\n",
	} {
		if got := printed(t, "text", printer{field: field}, written(t, shared)); got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
	p := printer{out: &bytes.Buffer{}, field: ".data.nosuch"}
	for form := range outputs {
		if err := outputs[form](&p, []Written{written(t, shared)}); err == nil || !strings.Contains(err.Error(), "ConfigMap shop/shared has no field .data.nosuch") {
			t.Errorf("%s: %v", form, err)
		}
	}
}

func linesAt(t *testing.T, w Written, field string) []Line {
	t.Helper()
	lines, err := w.At(field)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestTypedPathsAndMisspeltOnes(t *testing.T) {
	const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop","managedFields":[{"manager":"ada","operation":"Apply","apiVersion":"v1","time":"2026-05-06T11:00:00Z","fieldsType":"FieldsV1",
		"fieldsV1":{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}}}}}}]},"spec":{"containers":[{"name":"app","image":"i"}]}}`
	o, err := object.Parse([]byte(pod))
	if err != nil {
		t.Fatal(err)
	}
	const want = `Pod shop/p .spec.containers[name="app"].image: ada (Apply) 60m` + "\n"
	for _, field := range []string{".spec.containers[name=\"app\"].image", "spec.containers[name=app].image", " spec.containers[0].image"} {
		alone, ok := WriteValue(o, nil, field)
		if !ok {
			t.Errorf("%s is not one value", field)
			continue
		}
		for _, w := range []Written{written(t, pod), alone} {
			if got := printed(t, "text", printer{field: field}, w); got != want {
				t.Errorf("%s: %q", field, got)
			}
		}
	}
	_, err = written(t, pod).At("spec.contaners[name=app].image")
	if err == nil || err.Error() != `Pod shop/p has no field .spec.contaners[name="app"].image. Did you mean .spec.containers[name="app"].image?` {
		t.Error(err)
	}
}

// In a terminal, no line is wider than the terminal. A pipe and --wide get whole lines.
func TestLinesFitTheTerminal(t *testing.T) {
	text := strings.ReplaceAll(shared, `"text":"a\nb\n"`, `"text":"a\nb\n","long":"`+strings.Repeat("word ", 60)+`","wide":"`+strings.Repeat("字", 90)+`"`)
	text = strings.ReplaceAll(text, `"ben"`, `"`+strings.Repeat("ben-", 20)+`"`)
	whole := printed(t, "text", printer{}, written(t, text))
	for _, width := range []int{40, 80, 120} {
		got := printed(t, "text", printer{width: width}, written(t, text))
		for _, line := range strings.Split(got, "\n") {
			if size := uniseg.StringWidth(line); size > width && strings.Contains(line, " ") && !strings.HasPrefix(line, "  ben-") {
				t.Errorf("%d columns in %d: %s", size, width, line)
			}
		}
		if !strings.Contains(got, "…\n") || !strings.Contains(strings.ReplaceAll(got, "\n", " "), "add --wide") || strings.Count(got, "\n") < strings.Count(whole, "\n") {
			t.Errorf("%d:\n%s", width, got)
		}
	}
	if got := printed(t, "text", printer{width: 60}, written(t, shared)); !strings.Contains(got, "ada (Apply) 60m +1 │   size") {
		t.Errorf("%s", got)
	}
	if got := printed(t, "text", printer{width: 1000}, written(t, text)); normal(got) != normal(whole) {
		t.Errorf("%s\nwant\n%s", got, whole)
	}
	if strings.Contains(whole, "…") || strings.Contains(whole, "--wide") {
		t.Errorf("%s", whole)
	}
}

// The owners of one value are found without writing the object as YAML. They are the same.
func TestOneValueAsInTheWholeObject(t *testing.T) {
	files, err := filepath.Glob("../../kube/ownership/testdata/*.json")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	values := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o, err := object.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		whole := written(t, string(text))
		for _, l := range whole.Lines {
			alone, ok := WriteValue(o, nil, l.Path)
			if !ok || len(linesAt(t, whole, l.Path)) != 1 {
				continue
			}
			values++
			if got, want := printed(t, "text", printer{field: l.Path}, alone), printed(t, "text", printer{field: l.Path}, whole); got != want {
				t.Errorf("%s: %q, want %q", file, got, want)
			}
		}
	}
	if values < 50 {
		t.Errorf("only %d values", values)
	}
	if _, ok := WriteValue(object.Object{Fields: map[string]any{"data": map[string]any{"a": "b"}}}, nil, ".data"); ok {
		t.Error("a map is not one value")
	}
}

func TestCompact(t *testing.T) {
	for _, all := range [][]Written{{written(t, shared)}, {written(t, shared), written(t, shared)}} {
		text := printed(t, "json", printer{short: true}, all...)
		schematest.Valid(t, "blame.v2.json", []byte(text))
		if long := printed(t, "json", printer{}, all...); strings.Count(text, "\n") != 1 || len(text) > len(long)*2/3 {
			t.Errorf("%d bytes, %d in v1: %s", len(text), len(long), text)
		}
	}
	var got CompactDocument
	if err := json.Unmarshal([]byte(printed(t, "json", printer{short: true}, written(t, shared))), &got); err != nil {
		t.Fatal(err)
	}
	v1 := documentOf(written(t, shared), written(t, shared).Lines)
	for i, l := range got.Lines {
		want := v1.Lines[i]
		if l.Line != want.Line || l.Text != want.Text || l.Path != want.Path || l.Default != want.Default || len(l.Owners) != len(want.Owners) {
			t.Errorf("%+v, want %+v", l, want)
			continue
		}
		for at, owner := range l.Owners {
			if got.Owners[owner] != want.Owners[at] {
				t.Errorf("line %d is owned by %+v, want %+v", l.Line, got.Owners[owner], want.Owners[at])
			}
		}
	}
	if got.APIVersion != "fieldmark.dev/v2" || len(got.Lines) != len(v1.Lines) || len(got.Owners) != 2 || len(got.Lost) != 1 || got.Owners[got.Lost[0].Owner].Name != "ben" {
		t.Errorf("%+v", got)
	}
	if err := (options{output: "yaml", color: "auto", short: true}).check([]string{"cm/a"}); err == nil || err.Error() != "--compact needs -o json, but the output is yaml" {
		t.Error(err)
	}
}

func TestDocuments(t *testing.T) {
	schematest.Valid(t, "blame.v1.json", []byte(printed(t, "json", printer{}, written(t, shared))))
	schematest.Valid(t, "blame.v1.json", []byte(printed(t, "json", printer{}, written(t, shared), written(t, shared))))
	var one Document
	if err := json.Unmarshal([]byte(printed(t, "json", printer{field: ".data.size"}, written(t, shared))), &one); err != nil {
		t.Fatal(err)
	}
	if one.APIVersion != "fieldmark.dev/v1" || one.Kind != "Blame" || one.Object != (Reference{"v1", "ConfigMap", "shop", "shared"}) {
		t.Errorf("%+v", one)
	}
	if len(one.Lines) != 1 || one.Lines[0].Line != 4 || one.Lines[0].Text != `  size: "10"` || one.Lines[0].Path != ".data.size" || len(one.Lines[0].Owners) != 2 {
		t.Errorf("%+v", one.Lines)
	}
	if o := one.Lines[0].Owners[1]; o.Name != "ben" || o.Operation != "Update" || o.Subresource != "scale" || o.APIVersion != "v1" || o.Time != "2026-05-01T12:00:00Z" {
		t.Errorf("%+v", o)
	}
	if len(one.Lost) != 1 || one.Lost[0].Path != ".data.gone" {
		t.Errorf("%+v", one.Lost)
	}
	var two List
	if err := json.Unmarshal([]byte(printed(t, "json", printer{}, written(t, shared), written(t, shared))), &two); err != nil || two.Kind != "BlameList" || len(two.Items) != 2 {
		t.Errorf("%v %+v", err, two)
	}
	if got := printed(t, "yaml", printer{field: ".data.colour"}, written(t, shared)); !strings.Contains(got, "kind: Blame\n") || !strings.Contains(got, "manager: ada\n") {
		t.Error(got)
	}
}

// What a terminal or a page of Markdown would obey is shown as it is, and changes neither.
func TestHostileNames(t *testing.T) {
	hostile := strings.Replace(shared, `"manager":"ada"`, `"manager":"a\u001b[31mda\nroot (Apply)\u202e`+"```"+`"`, 1)
	for _, form := range []string{"text", "markdown"} {
		got := printed(t, form, printer{}, written(t, hostile))
		if strings.ContainsAny(got, "\x1b\u202e") || strings.Contains(got, "\nroot") {
			t.Errorf("%s: %q", form, got)
		}
	}
	if got := printed(t, "markdown", printer{}, written(t, hostile)); strings.Count(got, "````") != 2 || !strings.Contains(got, "### ConfigMap shop/shared\n") {
		t.Error(got)
	}
}

func TestColorsSayNothingMore(t *testing.T) {
	plain, colored := printed(t, "text", printer{}, written(t, shared)), printed(t, "text", printer{color: true}, written(t, shared))
	for _, sgr := range append(colors, "0", "2") {
		colored = strings.ReplaceAll(colored, "\x1b["+sgr+"m", "")
	}
	if colored != plain {
		t.Errorf("%q\nwant\n%q", colored, plain)
	}
}

// TestTheHardObjects holds the command to what the page says of the same objects.
func TestTheHardObjects(t *testing.T) {
	files, err := filepath.Glob("../../kube/ownership/testdata/*.json")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o, err := object.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		page, err := owners.Write(o.Masked(), nil)
		if err != nil {
			t.Fatal(err)
		}
		w := written(t, string(text))
		if len(w.Lines) != len(page.Rows) {
			t.Fatalf("%s: %d lines, the page has %d", file, len(w.Lines), len(page.Rows))
		}
		for i, l := range w.Lines {
			shown := page.Line(i, true)
			if l.Path != shown.Path || l.Text != shown.Line.String() || len(l.Owners) != len(page.Rows[i].Columns) {
				t.Errorf("%s, line %d: %+v, the page has %+v", file, i+1, l, shown)
			}
			for _, who := range l.Owners {
				if !strings.Contains(page.Rows[i].Owners, `"manager":"`+who.Name+`"`) {
					t.Errorf("%s, line %d: %s isn't among the page's owners %s", file, i+1, who.Name, page.Rows[i].Owners)
				}
			}
		}
	}
}

func TestSecretsAreMaskedInEveryForm(t *testing.T) {
	for _, d := range canary.Documents() {
		o, err := object.Parse([]byte(d.JSON))
		if err != nil || d.Vague {
			continue
		}
		w, err := Write(o, nil)
		if err != nil {
			t.Fatal(err)
		}
		for form := range outputs {
			if got := printed(t, form, printer{}, w); canary.Escapes(got) {
				t.Errorf("%s, %s: a secret escapes:\n%s", d.Name, form, got)
			}
		}
	}
}
