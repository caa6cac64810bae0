package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/kube/plain"
)

func decode(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestYAML(t *testing.T) {
	for _, c := range []struct{ name, json, want string }{
		{"sorted, lists not indented", `{"b":[1,{"d":"x","c":null}],"a":true}`, "a: true\nb:\n- 1\n- c: null\n  d: x\n"},
		{
			"what old readers mistake", `{"yes":"on","n":"12:30:45","o":"0644","e":"1_000","p":"=","q":"no"}`,
			"e: \"1_000\"\n\"n\": \"12:30:45\"\no: \"0644\"\np: \"=\"\nq: \"no\"\n\"yes\": \"on\"\n",
		},
		{"numbers keep every digit", `{"a":12345678901234567890,"b":1.50,"c":1e3}`, "a: 12345678901234567890\nb: 1.50\nc: 1e3\n"},
		{"long text as a block", `{"a":"one\ntwo\n"}`, "a: |\n  one\n  two\n"},
		{"empty containers", `{"a":{},"b":[],"c":""}`, "a: {}\nb: []\nc: \"\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := YAML(decode(t, c.json))
			if err != nil || string(got) != c.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestWhatNobodyCouldReadIsNotWritten(t *testing.T) {
	deep := any(strings.Repeat("\n", 1<<20))
	for range 100 {
		deep = map[string]any{"a": deep}
	}
	for name, write := range map[string]func(any) ([]byte, error){"YAML": YAML, "JSON": JSON} {
		if _, err := write(deep); !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func spell(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		for _, t := range l {
			if t.Class == Plain {
				b.WriteString(t.Text)
			} else {
				b.WriteString("<" + string(t.Class) + ":" + t.Text + ">")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestYAMLLines(t *testing.T) {
	lines, err := YAMLLines(decode(t, `{"kind":"Pod","list":[{"a:b":1,"c":"x: y"},"ü"],"t":"one\n\ntwo","e":{},"b":true,"q":"7"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `<key:b>: <word:true>
<key:e>: {}
<key:kind>: <string:Pod>
<key:list>:
- <key:a:b>: <number:1>
  <key:c>: <string:'x: y'>
- <string:ü>
<key:q>: <string:"7">
<key:t>: <string:|->
<string:  one>
<string:>
<string:  two>
`
	if got := spell(lines); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// FuzzYAML: whatever JSON an object holds, its YAML reads back as the same value, and the cut lines
// make up the very same text.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x",null,true,{"k":"v"}]}`, `"a: b\n#c"`, `{"":"\t x \n","~":"null","\u0000":"\u2028"}`, `["- a","? b","!c","|","0x1F","1e5",".5","0o7"]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			return
		}
		text, err := YAML(v)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		checkReadsBack(t, v, text)
		lines, err := YAMLLines(v)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		checkLines(t, lines, text)
		checkPlaces(t, v)
		checkReadBack(t, v)
	})
}

// checkReadBack checks that a document is what one learns of the library's own text by reading it. Two things are not learned: numbers that Go can't hold are
// numbers, and a key in a line of its own may have colons.
func checkReadBack(t *testing.T, v any) {
	t.Helper()
	got, err := YAMLDocument(v)
	if err != nil {
		t.Fatal(err)
	}
	want, err := readBack(v)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range want.Lines {
		if i >= len(got.Lines) {
			break
		}
		for j := range line {
			if j < len(got.Lines[i]) && got.Lines[i][j].Class == Number {
				line[j].Class = Number
			}
		}
		if text := line.String(); strings.Contains(text, "? ") && text == got.Lines[i].String() {
			want.Lines[i] = got.Lines[i]
		}
	}
	if !reflect.DeepEqual(got.Lines, want.Lines) {
		t.Fatalf("lines of %#v\n%s\nwant\n%s", v, spell(got.Lines), spell(want.Lines))
	}
	if got, want := spellPlaces(got.Places), spellPlaces(want.Places); got != want {
		t.Fatalf("places of %#v\n%s\nwant\n%s", v, got, want)
	}
}

// TestRandomDocuments: whatever an object holds, its document is the one that the library would write.
func TestRandomDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		checkReadBack(t, randomValue(r, 4))
	}
}

// hardTexts have all that YAML quotes, folds and indents.
var hardTexts = []string{
	"", " ", "a", "app.kubernetes.io/name", "f:spec", "k:{\"name\":\"a\"}", "a: b", "a:", "#a", "a #b", "- a", "-", "? a", "yes", "N", "null", "~", "1", "-1.5", "0x1F", "1:30", "2026-12-01",
	"2026-12-01T01:41:53Z", "1e5", ".5", "=", "<<", "*a", "&a", "!a", "%a", "@a", "|", ">", "'", "\"", "a'b", "{a", "[a", "a,b", "a]", "two\nlines", "two\nlines\n", "ends\n\n\n", "\n", "\n\n", "\nbegins",
	" indented\n line", "a\n  b\n", "\tb\nc", "a\t\nb", "a \nb", "a\r\nb", "a\u2028b", "\ufeff", "\u202ea", "a\u0000b", "é\nö", "日本語", "👩‍🚀", "\U000e0041", "a\n\n  b\n\nc", "true", "True", "C:/a", "a:b:", "t: x", ": 1",
	"a\n: 1\nt: b", "? a\n: 1", strings.Repeat("x", 120), strings.Repeat("x", 129), strings.Repeat("long words ", 30), strings.Repeat("é", 70), "#!/bin/sh\nset -e\n# a comment\n\techo\n", "...", "---", "--- a\nb",
	"--level", "--level=3", "--", "---a", "--a: b", "-a", "/ready", "/", "/a b", "//", "/a #b", "100m", "64Mi", "1e5m", "30s", "1h", "0x1m", "1_0m", "007", "0", "12345678901234567890123", "0000-00-00T00:00:00Z", "2026-13-41T25:61:61Z",
	"two words", "two  words", "ends ", "a: b", "a :b", "a :", "a b:", "a:b c", "a ::b", "a::b", "a:::", "a=b", "a= b", "no way", "on 1", "1 on", "a - b", "a -b", "a ?b", "no no", "a:  b", "a:/", "a:.b", "a .5",
}

func randomText(r *rand.Rand) string {
	if r.IntN(4) == 0 {
		return hardTexts[r.IntN(len(hardTexts))] + hardTexts[r.IntN(len(hardTexts))]
	}
	return hardTexts[r.IntN(len(hardTexts))]
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(9); {
	case n < 3 && depth > 0:
		m := map[string]any{}
		for range r.IntN(5) {
			m[randomText(r)] = randomValue(r, depth-1)
		}
		return m
	case n < 5 && depth > 0:
		l := []any{}
		for range r.IntN(4) {
			l = append(l, randomValue(r, depth-1))
		}
		return l
	case n == 5:
		return json.Number([]string{"0", "-1", "1.5", "1e400", "12345678901234567890", "-0.0e-7"}[r.IntN(6)])
	case n == 6:
		return []any{true, false, nil}[r.IntN(3)]
	}
	return randomText(r)
}

func checkLines(t *testing.T, lines []Line, text []byte) {
	t.Helper()
	var joined strings.Builder
	for _, l := range lines {
		joined.WriteString(l.String() + "\n")
	}
	if joined.String() != string(text) {
		t.Errorf("lines\n%q\nmake up other text than\n%q", joined.String(), text)
	}
}

func checkReadsBack(t *testing.T, v any, text []byte) {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatalf("cannot be read back: %v\n%s", err, text)
	}
	if got := value(document.Content[0]); !reflect.DeepEqual(got, v) {
		t.Errorf("reads back as %#v, was %#v\n%s", got, v, text)
	}
}

// value rebuilds the decoded JSON value of a node.
func value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = value(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		l := []any{}
		for _, c := range n.Content {
			l = append(l, value(c))
		}
		return l
	}
	var number json.Number
	if n.Style == 0 && json.Unmarshal([]byte(n.Value), &number) == nil && n.Value != "null" {
		return number // also one too large for a machine's own numbers
	}
	switch n.ShortTag() {
	case "!!bool":
		return n.Value == "true"
	case "!!null":
		return nil
	default:
		return n.Value
	}
}

// spellPlaces says of each line where the nodes are that begin in it, and of the others what goes on there.
func spellPlaces(places []Place) string {
	var b strings.Builder
	for _, p := range places {
		if p.Continued {
			b.WriteString("… " + where(p.Inner) + "\n")
			continue
		}
		b.WriteString(where(p.Outer))
		if p.Inner != p.Outer {
			b.WriteString(" to " + where(p.Inner))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func where(n *Node) string {
	switch {
	case n.Parent == nil:
		return "/"
	case n.Index >= 0:
		return where(n.Parent) + strconv.Itoa(n.Index) + "/"
	default:
		return where(n.Parent) + n.Key + "/"
	}
}

func TestPlaces(t *testing.T) {
	long := strings.Repeat("k", 200)
	for _, c := range []struct{ name, json, want string }{
		{"a scalar", `"x"`, "/\n"},
		{"nothing in it", `{}`, "/\n"},
		{"fields", `{"b":1,"a":{"c":{}}}`, "/a/\n/a/c/\n/b/\n"},
		{"items begin with their first field", `{"l":[{"n":1,"m":2},"x",{},[]]}`, "/l/\n/l/0/ to /l/0/m/\n/l/0/n/\n/l/1/\n/l/2/\n/l/3/\n"},
		{"lists in lists", `[[["a"],"b"],[{"k":[1]}]]`, "/0/ to /0/0/0/\n/0/1/\n/1/ to /1/0/k/\n/1/0/k/0/\n"},
		{"text of several lines", `{"a":["x\n\ny\n"],"t":"one\n two"}`, "/a/\n/a/0/\n… /a/0/\n… /a/0/\n… /a/0/\n/t/\n… /t/\n… /t/\n"},
		{"text alone", `"one\ntwo"`, "/\n… /\n… /\n"},
		{"a long name stands in a line of its own", `{"` + long + `":1}`, "/" + long + "/\n… /" + long + "/\n"},
		{"null and empty names", `{"":null,"~":""}`, "//\n/~/\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			document, err := YAMLDocument(decode(t, c.json))
			if err != nil {
				t.Fatal(err)
			}
			if got := spellPlaces(document.Places); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			checkPlaces(t, decode(t, c.json))
		})
	}
}

// checkPlaces checks that every node begins in one line, in their order, and that the line shows what it is.
func checkPlaces(t *testing.T, v any) {
	t.Helper()
	document, err := YAMLDocument(v)
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	if len(document.Root.Children) > 0 {
		next = 1 // the document has no line of its own
	}
	for i, p := range document.Places {
		if p.Continued {
			continue
		}
		if p.Outer.ID != next || p.Inner.ID < next {
			t.Fatalf("line %d begins with node %d, not %d\n%s", i, p.Outer.ID, next, spell(document.Lines))
		}
		next = p.Inner.ID + 1
	}
	if next != document.Root.End {
		t.Fatalf("%d nodes have no line\n%s", document.Root.End-next, spell(document.Lines))
	}
}

func TestTree(t *testing.T) {
	root := Tree(decode(t, `{"b":[{"c":1}],"a":null}`))
	b := root.Field("b")
	if b == nil || b.ID != 2 || b.End != 5 || root.End != 5 || b.Children[0].Field("c").Parent.Parent != b {
		t.Errorf("%+v", b)
	}
	if root.Field("c") != nil || b.Field("") != nil || root.Field("a").Field("a") != nil {
		t.Error("found what isn't there")
	}
}

// People copy YAML. What they don't see is in it as an escape, and its value is the same.
func TestWhatNobodySeesIsEscaped(t *testing.T) {
	for _, hidden := range []string{"\u200b", "\u2028", "\ufeff", "\u00ad", "\U000e0041", "\u202e", "\x1b", "\x00", "\u0085", "a\u200bb\nc\n", "\u200b\n\tx\n", "x: \u2066", "👩\u200d💻", "\t", "a\\u200b\u200b"} {
		value := map[string]any{"a": hidden, hidden: []any{hidden, map[string]any{"b": hidden}}}
		text, err := YAML(value)
		if err != nil {
			t.Fatal(err)
		}
		if plain.Hides(string(text)) {
			t.Errorf("%q is in %q", hidden, text)
		}
		var back any
		if err := yaml.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, any(value)) {
			t.Errorf("%q is read as %v %v", text, back, err)
		}
		document, err := YAMLDocument(value)
		if err != nil || len(document.Lines) != len(document.Places) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
