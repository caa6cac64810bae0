package layout_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

const all = 1 << 20

func written(lines []layout.Line) string {
	text := make([]string, len(lines))
	for i, l := range lines {
		text[i] = l.String()
	}
	return strings.Join(text, "\n")
}

func laid(text string, how layout.How) string {
	lines, _ := layout.Of([]byte(text), how).To(all)
	return written(lines)
}

func TestJSONIsIndented(t *testing.T) {
	for _, text := range []string{
		`{"a":1,"b":[true,null,{"c":"d,\"e\""}],"f":{},"g":[],"h":-1.5e3}`, `[]`, `{}`, `"text"`, `12`, ` { "a" : [ 1 , 2 ] } `, `[[[1]],{"a":{"b":{}}}]`,
	} {
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(strings.TrimSpace(text)), "", "  "); err != nil {
			t.Fatal(err)
		}
		if got := laid(text, layout.How{}); got != want.String() {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want.String())
		}
	}
}

func TestWhatIsNoDocument(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"{\"a\":1}\n{\"b\":2}\n":      "{\n  \"a\": 1\n}\n{\n  \"b\": 2\n}",
		`{"a":[1,"two thr`:            "{\n  \"a\": [\n    1,\n    \"two thr",
		`{"a`:                         "{\n  \"a",
		"no JSON":                     "noJSON",
		`}]`:                          "}\n]",
		"{\"a\":\"\xff\",\"b\":\xff}": "{\n  \"a\": \"\uFFFD\",\n  \"b\": \uFFFD\n}",
	} {
		if got := laid(text, layout.How{}); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func spell(lines []manifest.Line) string {
	var b strings.Builder
	for _, l := range lines {
		for _, t := range l {
			if t.Class == manifest.Plain {
				b.WriteString(t.Text)
			} else {
				b.WriteString("<" + string(t.Class) + ":" + t.Text + ">")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestPiecesAreMarked(t *testing.T) {
	lines, err := layout.Value(map[string]any{"a": "<b>", "c": []any{json.Number("1.50"), "x, y", nil}, "d": map[string]any{}, "e": strings.Repeat("long ", 2000)})
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  <key:"a">: <string:"<b>">,
  <key:"c">: [
    <number:1.50>,
    <string:"x, y">,
    <word:null>
  ],
  <key:"d">: {},
  <key:"e">: <string:"` + strings.Repeat("long ", 2000) + `">
}
`
	if got := spell(layout.Lines(lines)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLinesKnowTheirValues(t *testing.T) {
	lines, _ := layout.Of([]byte(`{"a":{"managedFields":[{"x":"]"}],"b":[1,{"c":2}]},"managedFields":"cut`), layout.How{Fold: "managedFields"}).To(all)
	var got []string
	for _, l := range lines {
		way, begins := l.Way()
		words := strings.TrimSpace(l.String())
		if begins {
			words += " /" + strings.Join(way, "/")
		}
		if l.Folded {
			words += " folded"
		}
		got = append(got, words)
	}
	want := []string{
		"{ /", `"a": { /a`, `"managedFields": [ … ], /a/managedFields folded`, `"b": [ /a/b`, "1, /a/b/0", "{ /a/b/1", `"c": 2 /a/b/1/c`, "}", "]", "},",
		`"managedFields": [ … ] /managedFields folded`,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLinesOnAWay(t *testing.T) {
	lines, _ := layout.Of([]byte(`{"a":{"b":[1,{"c":2}]},"b":3}`), layout.How{}).To(all)
	way := []string{"a", "b", "1", "c"}
	var got []string
	for _, l := range lines {
		if steps, on := l.On(way); on {
			got = append(got, fmt.Sprintf("%d %s", steps, strings.TrimSpace(l.String())))
		}
	}
	want := []string{"0 {", `1 "a": {`, `2 "b": [`, "3 {", `4 "c": 2`}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestBitByBitIsTheSame(t *testing.T) {
	text := `{"kind":"List","items":[` + strings.Repeat(`{"a":[1,2,3],"b":"c"},`, 50) + `{}]}`
	j := layout.Of([]byte(text), layout.How{})
	lines, more := j.To(1)
	for n := 4; more; n += 3 {
		if lines, more = j.To(n); len(lines) > n {
			t.Fatalf("%d lines for %d", len(lines), n)
		}
	}
	if got := written(lines); got != laid(text, layout.How{}) {
		t.Error(got)
	}
}

func TestLongLinesAreBounded(t *testing.T) {
	long := strings.Repeat("ü", 5000)
	lines, _ := layout.Of([]byte(`{"a":"`+long+`","b":1}`), layout.How{}).To(all)
	if got := lines[1].String(); len(got) > 4100 || !strings.HasSuffix(got, "ü … (10010 bytes in this line)") {
		t.Errorf("%d bytes: …%s", len(got), got[len(got)-50:])
	}
	lines, more := layout.Of([]byte(`["`+strings.Repeat(long+`","`, 200)+`"]`), layout.How{}).To(100)
	if len(lines) > 10 || !more {
		t.Errorf("%d lines of 4000 bytes where 100 were asked for", len(lines))
	}
}

// Nothing secret escapes, wherever the text was cut, and what isn't secret is shown.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		for n := range d.JSON {
			if got := laid(d.JSON[:n], layout.How{Hide: true}); canary.Escapes(got) {
				t.Fatalf("%s, %d bytes: %s", d.Name, n, got)
			}
		}
		if got := laid(d.JSON, layout.How{Hide: true}); canary.Escapes(got) || !strings.Contains(got, canary.Plain) {
			t.Errorf("%s: %s", d.Name, got)
		}
	}
}

func TestHiddenValuesSayHowLongTheyAre(t *testing.T) {
	got := laid(`{"kind":"Secret","data":{"a":"canary","n":12},"type":"Opaque"}`, layout.How{Hide: true})
	if !strings.Contains(got, `"a": •••••••• (6 bytes, hidden),`) || strings.Contains(got, "12") || !strings.Contains(got, "Opaque") {
		t.Error(got)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"}],"managedFields":[{}]}`))
	f.Add([]byte("}]{:,\"\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		j := layout.Of(text, layout.How{Hide: true, Fold: "managedFields"})
		for n, more := 1, true; more; n++ {
			_, more = j.To(n)
		}
		got := laid(string(text), layout.How{})
		if !json.Valid(text) || strings.Contains(got, "bytes in this line)") || !bytes.Equal(bytes.ToValidUTF8(text, nil), text) {
			return
		}
		var want, compact bytes.Buffer
		_ = json.Compact(&want, text)
		if err := json.Compact(&compact, []byte(got)); err != nil || compact.String() != want.String() {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestLinesOfTextAndBytes(t *testing.T) {
	lines, more := layout.Text([]byte("a\r\nb\n\nc"), 3)
	if written(lines) != "a\nb\n" || !more {
		t.Error(lines, more)
	}
	lines, more = layout.Bytes([]byte("0123456789abcdefgh"), 1)
	if len(lines) != 1 || !more || !strings.HasSuffix(written(lines), "|0123456789abcdef|") {
		t.Error(lines, more)
	}
	if lines, more = layout.Bytes(nil, 1); len(lines) > 0 || more {
		t.Error(lines, more)
	}
}
