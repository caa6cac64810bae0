package source

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// objectWith is a document that says which object it is about, with more of it.
func objectWith(more string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n" + more
}

func spell(p Problem) string {
	return fmt.Sprintf("%s %d:%d-%d:%d %s", p.Severity, p.Start.Line, p.Start.Column, p.End.Line, p.End.Column, p.Message)
}

var problemCases = map[string]struct {
	text string
	want []string // what each problem begins with, in order
}{
	"nothing":            {"", nil},
	"comments":           {"# nothing\n\n", nil},
	"sound":              {objectWith("data: {a: b}\n"), nil},
	"JSON":               {"{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"A\",\n\t\"metadata\": {\"name\": \"x\"}\n}\n", nil},
	"generateName":       {"apiVersion: v1\nkind: A\nmetadata: {generateName: x-}\n", nil},
	"BOM and CRLF":       {"\ufeff" + strings.ReplaceAll(objectWith("data:\n  a: b\n"), "\n", "\r\n"), nil},
	"dots":               {objectWith("...\n---\n") + objectWith("...\n"), nil},
	"directive":          {"%YAML 1.1\n---\n" + objectWith(""), []string{"error 1:1-1:10 kubectl refuses a file with a directive such as %YAML. Delete this line."}},
	"beside":             {"--- {apiVersion: v1, kind: A, metadata: {name: x}}\n", []string{"error 1:4-1:51 kubectl refuses text in the same line as ---. Move the text to the next line."}},
	"after dots":         {objectWith("...\n") + objectWith(""), []string{"warning 5:1-5:15 kubectl ignores everything from the line with three dots (...) to the next line with ---. Write --- instead of the dots."}},
	"missing":            {"a: b\n", []string{"error 1:1-1:5 The document has no apiVersion, no kind, no metadata.name"}},
	"missing name":       {"\n# x\napiVersion: v1\nkind: A\n", []string{"error 3:1-3:15 The document has no metadata.name"}},
	"not text":           {"apiVersion: v1\nkind: 1\nmetadata: {name: x}\n", []string{"error 2:1-2:8 kind must be text, but it is 1."}},
	"empty in between":   {objectWith("---\n# nothing\n---\n") + objectWith(""), []string{"info 4:1-4:4 The document that begins here is empty"}},
	"a list":             {"- a\n", []string{"error 1:1-1:4 The document must be an object with fields such as apiVersion and kind, but it is a list."}},
	"a text":             {"hello\n", []string{"error 1:1-1:6 The document must be an object"}},
	"tab":                {objectWith("data:\n\ta: b\n"), []string{"error 5:1-5:2 YAML can't be indented with tabs"}},
	"duplicate":          {objectWith("data:\n  a: b\n  'a': c\n"), []string{`warning 6:3-6:6 The field "a" is here twice; the first time in line 5.`}},
	"duplicate object":   {objectWith("kind: B\n"), []string{`warning 4:1-4:5 The field "kind" is here twice; the first time in line 2.`}},
	"number as key":      {objectWith("data: {1: a}\n"), []string{`warning 4:8-4:9 1 is not text in YAML. It is read as the field "1"`}},
	"null as key":        {objectWith("data: {~: a}\n"), []string{"error 4:8-4:9 A field must have a name"}},
	"mapping as key":     {objectWith("data: {[a]: b}\n"), []string{"error 4:8-4:11 A field's name must be plain text"}},
	"Norway":             {objectWith("data: {country: no, ok: off}\n"), []string{"warning 4:17-4:19 no is read as false, not as text.", "warning 4:25-4:28 off is read as false"}},
	"octal":              {objectWith("mode: 0644\n"), []string{"warning 4:7-4:11 0644 is read as an octal number, 420."}},
	"no number":          {objectWith("a: .inf\n"), []string{"error 4:4-4:8 .inf is a number"}},
	"indented otherwise": {objectWith("data:\n  a: b\n c: d\n"), []string{"error 6:2-6:6 This line doesn't fit the lines above."}},
	"colon":              {objectWith("data:\n  a: b: c\n"), []string{"error 5:3-5:10 A colon and a space can't be here."}},
	"brackets":           {objectWith("a: [1, 2\nb: c\n"), []string{"error 4:1-4:9 The bracket that starts here"}},
	"quotes":             {objectWith("a: \"x\nb: c\n"), []string{"error 4:1-4:6 The quote that starts here is never closed."}},
	"at":                 {objectWith("a: @x\n"), []string{"error 4:1-4:6 A value can't start with this character."}},
	"star":               {objectWith("a: *\n"), []string{"error 4:1-4:5 Put text that starts with * or & in quotes."}},
	"anchor":             {objectWith("a: *x\n"), []string{"error 4:4-4:6 The alias *x has no anchor &x above it."}},
	"alias in itself":    {objectWith("a: &x {b: *x}\n"), []string{"error 4:11-4:13 The value of *x contains this alias itself"}},
	"merge of no map":    {objectWith("a: {<<: 1}\n"), []string{"error 4:9-4:10 Only mappings can be merged"}},
	"invalid UTF-8":      {objectWith("a: ä\xff\n"), []string{"error 4:5-4:6 The byte 0xff is not UTF-8 text."}},
	"control character":  {objectWith("a: \x01\n"), []string{"error 4:1-4:5 The text has a control character"}},
	"one of two":         {objectWith("a: [1\n---\n") + objectWith("b: c\n"), []string{"error 4:1-4:6 The bracket that starts here"}},
	"UTF-16 columns":     {objectWith("\"🌱\": {ä: b, ä: c}\n"), []string{`warning 4:14-4:15 The field "ä" is here twice`}},
	"alias bomb":         {objectWith(bomb()), []string{"error 8:10-8:13 The aliases of this document copy more than 20000 values"}},
	"a billion bytes":    {objectWith("a: &a \"" + strings.Repeat("x", 1<<20) + "\"\nb: [*a,*a,*a,*a]\n"), []string{"error 5:14-5:16 The aliases"}},
	"deep":               {objectWith("a: " + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "\n"), []string{"error 4:204-4:404 The value has more than 200 nested levels."}},
	"very deep":          {objectWith("a: " + strings.Repeat("[", 100_000)), []string{"error 4:504-4:100004 The text has too many nested levels"}},
	"many documents":     {strings.Repeat(objectWith("---\n"), maxDocuments+2), []string{"error 4001:1-4001:15 The text has more than 1000 documents"}},
	"too long":           {strings.Repeat("a", MaxText+1), []string{"error 1:1-1:1 The text has 3145729 bytes."}},
}

func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10))
	}
	return b.String()
}

func TestProblems(t *testing.T) {
	for name, c := range problemCases {
		t.Run(name, func(t *testing.T) {
			got := Parse(c.text)
			ok := len(got.Problems) == len(c.want)
			for i := 0; ok && i < len(c.want); i++ {
				ok = strings.HasPrefix(spell(got.Problems[i]), c.want[i])
			}
			if !ok {
				for _, p := range got.Problems {
					t.Error(spell(p))
				}
				t.Errorf("want %q", c.want)
			}
			for _, d := range got.Documents {
				broken := false
				for _, p := range got.Problems {
					broken = broken || p.Document == d.Index && p.Severity == Error
				}
				if d.Broken != broken {
					t.Errorf("document %d broken: %v", d.Index, d.Broken)
				}
			}
		})
	}
}

func TestFind(t *testing.T) {
	d := Parse(objectWith(`data: {a.b/c: 1, plain: 2}
spec:
  containers:
    - {name: app, image: x}
    - name: 'a "quoted" b'
      ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP}]
  finalizers: [one, "2", 3]
`)).Documents[0]
	for path, want := range map[string]string{
		`.data.a.b/c`:                        "4:8-4:16",
		`data[a.b/c]`:                        "4:8-4:16",
		`.data`:                              "4:1-4:27",
		`.spec.containers[name="app"].image`: "7:19-7:27",
		`spec.containers[0].image`:           "7:19-7:27",
		`.spec.containers[name="a \"quoted\" b"]`:                                        "8:7-9:71",
		`.spec.containers[name="a \"quoted\" b"].ports[containerPort=80,protocol="TCP"]`: "9:15-9:34",
		`.spec.containers[1].ports[containerPort=80,protocol="UDP"].protocol`:            "9:56-9:69",
		`.spec.containers[1].ports[containerPort=80,protocol="UDP"]`:                     "9:36-9:70",
		`.spec.containers[1].ports[containerPort=81,protocol="UDP"]`:                     "",
		`.spec.finalizers[="one"]`:                                                       "10:16-10:19",
		`.spec.finalizers[="2"]`:                                                         "10:21-10:24",
		`.spec.finalizers[=3]`:                                                           "10:26-10:27",
		`.spec.finalizers[=4]`:                                                           "",
		`.spec.none`:                                                                     "",
		`.spec.containers[name="b"]`:                                                     "",
	} {
		got := ""
		if found := d.Find(path); len(found) > 0 {
			p := d.Place(found[0])
			got = fmt.Sprintf("%d:%d-%d:%d", p.Start.Line, p.Start.Column, p.End.Line, p.End.Column)
			if at := d.At(p.Start); at == nil || at.ID < found[0].ID || at.ID >= found[0].End {
				t.Errorf("%s: at its start is %v", path, at)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if n := d.Nearest(".spec.containers[0].resources.limits"); n != d.Find(".spec.containers[0]")[0] {
		t.Errorf("nearest: %+v", n)
	}
	if n := d.Nearest("x"); n != d.Root {
		t.Errorf("nearest to nothing: %+v", n)
	}
}

var editCases = []struct {
	name, text, path string
	set              any // nil: remove
	want             string
}{
	{"a field", "a: 1\nb: 2 # two\nc: 3\n", ".b", nil, "a: 1\nc: 3\n"},
	{"comments around stay", "a: 1\n# about b\nb:\n  # inside\n  x: 1\n  # last\n\n# about c\nc: 3\n", ".b", nil, "a: 1\n# about b\n  # last\n\n# about c\nc: 3\n"},
	{"with what held nothing else", "a: 1\nspec:\n  template:\n    x: 1\nc: 3\n", ".spec.template.x", nil, "a: 1\nc: 3\n"},
	{"first of an item", "l:\n- name: x\n  image: y\n", ".l[0].name", nil, "l:\n- image: y\n"},
	{"first of an item, comment", "l:\n- name: x # c\n  image: y\n", ".l[0].name", nil, "l:\n-  # c\n  image: y\n"},
	{"an item by its key", "l:\n  - name: x\n    image: y\n  - name: z\n", `.l[name="x"]`, nil, "l:\n  - name: z\n"},
	{"first in braces", "a: {b: 1, c: 2}\n", ".a.b", nil, "a: {c: 2}\n"},
	{"last in braces", "a: {b: 1, c: 2 }\n", ".a.c", nil, "a: {b: 1 }\n"},
	{"of a set", "a: [x, u, z] # c\n", `.a[="u"]`, nil, "a: [x, z] # c\n"},
	{"JSON", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n", ".b", nil, "{\n  \"a\": 1\n}\n"},
	{"text", "a: |\n  b: c\n  # d\n\n# e\nf: 1\n", ".a", nil, "\n# e\nf: 1\n"},
	{"CRLF", "a: 1\r\nb: 2\r\nc: 3\r\n", ".b", nil, "a: 1\r\nc: 3\r\n"},
	{"number", "a: 1 # keep\nb: 2\n", ".a", "x", "a: x # keep\nb: 2\n"},
	{"quoted", "a: 'it''s' # keep\n", ".a", "true", "a: \"true\" # keep\n"},
	{"text for a value", "a: 1 # keep\nb: 2\n", ".a", "x\ny\n", "a: | # keep\n  x\n  y\nb: 2\n"},
	{"value for a text", "a: |- # keep\n  x\n  y\nb: 2\n", ".a", "z", "a: z # keep\nb: 2\n"},
	{"value for a mapping", "a: # keep\n  x: 1\nb: 2\n", ".a", "z", "a: z # keep\nb: 2\n"},
	{"list for a value, CRLF", "a: 1\r\nb: 2\r\n", ".a", []any{"x", "u"}, "a:\r\n- x\r\n- u\r\nb: 2\r\n"},
	{"in an item", "l:\n- name: x\n  image: y # keep\n", `.l[name="x"].image`, "z:1", "l:\n- name: x\n  image: z:1 # keep\n"},
	{"in braces", "a: {b: 1, c: 2} # keep\n", ".a.b", "x, y", "a: {b: \"x, y\", c: 2} # keep\n"},
	{"nothing yet", "a:\nb: 2\n", ".a", "x", "a: x\nb: 2\n"},
	{"other documents", "a: 1\n---\na: 2\n", ".a", "x", "a: x\n---\na: 2\n"},
	{"an alias itself", "x: &x 1\na: *x\n", ".a", "u", "x: &x 1\na: u\n"},
}

func TestEdits(t *testing.T) {
	for _, c := range editCases {
		t.Run(c.name, func(t *testing.T) {
			text := Parse(c.text)
			got, err := text.Remove(0, c.path, nil)
			if c.set != nil {
				got, err = text.Set(0, c.path, nil, c.set)
			}
			if err != nil || got != c.want {
				t.Errorf("%v\ngot  %q\nwant %q", err, got, c.want)
			}
		})
	}
}

// Names of fields can have dots and line breaks, or be empty. Their parts tell which one is meant.
func TestEditsOfFieldsWithTheSamePath(t *testing.T) {
	const text = "spec:\n  x.y: 1\n  x:\n    \"y\": 2\n    z: 5\n  \"\": 3\n  \"two\\nlines\": 4\n  l:\n  - name: a\n    p.q: 6\n    p: {q: 7, r: 8}\n"
	for _, c := range []struct{ parts, line string }{
		{".spec .x.y", "  x.y: 1\n"},
		{".spec .x .y", "    \"y\": 2\n"},
		{".spec .", "  \"\": 3\n"},
		{".spec .two\nlines", "  \"two\\nlines\": 4\n"},
		{`.spec .l [name="a"] .p.q`, "    p.q: 6\n"},
	} {
		parts := strings.Split(c.parts, " ")
		path := strings.Join(parts, "")
		if got, err := Parse(text).Remove(0, path, parts); err != nil || got != strings.Replace(text, c.line, "", 1) {
			t.Errorf("%q is removed: %v\n%s", parts, err, got)
		}
		name, _, _ := strings.Cut(c.line, ": ")
		set := name + ": nine\n"
		if got, err := Parse(text).Set(0, path, parts, "nine"); err != nil || got != strings.Replace(text, c.line, set, 1) {
			t.Errorf("%q is set: %v\n%s", parts, err, got)
		}
	}
	for _, parts := range [][]string{{".spec", ".x.z"}, {".spec.x.y"}, {".spec", "[0]"}, {".spec", ".l", ".name"}} {
		if got, err := Parse(text).Remove(0, strings.Join(parts, ""), parts); err == nil || got != text {
			t.Errorf("%q is removed:\n%s", parts, got)
		}
	}
}

func TestEditsThatCanNotBe(t *testing.T) {
	for _, c := range []struct{ text, path, want string }{
		{"a: {b: &x 1}\nc: *x\n", ".a", "can't be changed alone"},
		{"a: &x {b: 1}\nc: *x\n", ".c.b", "is in line 1"},
		{"a: &x {b: 1}\nc: {<<: *x}\n", ".c.b", "is in line 1"},
		{"a: 1\n", ".a", "The document would be empty"},
		{"a: 1\n", ".b", "has no field .b"},
		{"a: [\n", ".a", "can't be read"},
	} {
		got, err := Parse(c.text).Remove(0, c.path, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || got != c.text {
			t.Errorf("%q %s: %q, %v", c.text, c.path, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for name, c := range problemCases {
		if len(c.text) < 1000 && name != "" {
			f.Add(c.text)
		}
	}
	for seed := range uint64(20) {
		text, _ := textsOf(seed)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed := Parse(text)
		for _, p := range parsed.Problems {
			inside(t, text, p.Span)
		}
		for _, d := range parsed.Documents {
			inside(t, text, d.Span)
			if d.Root == nil {
				if !d.Broken {
					t.Error("not read, and nothing is wrong")
				}
				continue
			}
			if !d.Broken {
				agrees(t, d)
			}
			for _, n := range nodesOf(d.Root)[1:] {
				inside(t, text, d.Place(n))
				inside(t, text, d.Head(n))
				d.At(d.Place(n).Start)
			}
			if all := nodesOf(d.Root); len(all) > 1 {
				last := pathTo(all[len(all)-1])
				_, _ = parsed.Remove(d.Index, last, nil)
				_, _ = parsed.Set(d.Index, last, nil, "x\n")
			}
		}
	})
}

func agrees(t *testing.T, d Document) {
	t.Helper()
	if want, err := read(d.Text); err == nil && !sameValue(d.Root.Value, want) {
		t.Errorf("%q: got %v, want %v", d.Text, d.Root.Value, want)
	}
}

func inside(t *testing.T, text string, s Span) {
	t.Helper()
	l := linesOf(text, 0)
	from, to := l.offset(s.Start), l.offset(s.End)
	if s.Start.Line < 1 || s.Start.Column < 1 || s.End.Line > len(l.starts) || from > to || utf8.ValidString(text) && (l.position(from) != s.Start || l.position(to) != s.End) {
		t.Errorf("%q: %+v", text, s)
	}
}

// What is long, and made to take long, is read in the time that a linear reader needs.
func TestHostileTextsAreReadInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	const size = 1 << 19
	for name, text := range map[string]string{
		"one line of fields":   "{" + strings.Repeat(`"a":1,`, size/6) + "}",
		"one line, no ASCII":   "{" + strings.Repeat(`ä: é, `, size/8) + "}",
		"duplicates":           strings.Repeat("no: 1\n", size/6),
		"items":                "a:\n" + strings.Repeat("- \n", size/3),
		"flow items":           "a: [" + strings.Repeat("x,", size/2) + "]",
		"a line of dashes":     strings.Repeat("- ", 5000) + "x",
		"anchors":              strings.Repeat("- &a b\n", size/7),
		"aliases":              "- &a b\n" + strings.Repeat("- *a\n", size/5),
		"documents":            strings.Repeat("a\n---\n", size/6),
		"empty documents":      strings.Repeat("---\n", size/4),
		"a colon too many":     "a: b: " + strings.Repeat("c: ", size/3),
		"never closed":         strings.Repeat("a: b\n", size/5-10) + "c: \"",
		"a mistake at the end": strings.Repeat("- a\n", size/4-10) + "b: c",
		"comments":             "a: b\n" + strings.Repeat("# c\n", size/4),
		"merges":               "- &a {b: c}\n" + strings.Repeat("- {<<: *a}\n", size/11),
	} {
		t.Run(name, func(*testing.T) { Parse(text) })
	}
}

func BenchmarkParse(b *testing.B) {
	var text strings.Builder
	text.WriteString(objectWith("spec:\n  containers:\n"))
	for i := range 1249 {
		fmt.Fprintf(&text, "  - name: c%d\n    image: \"i:%d\" # pinned\n    args: [a, b]\n    env:\n", i, i)
	}
	b.ReportMetric(float64(strings.Count(text.String(), "\n")), "lines")
	for b.Loop() {
		if t := Parse(text.String()); len(t.Problems) > 0 {
			b.Fatal(t.Problems)
		}
	}
}

func TestAround(t *testing.T) {
	text := "a: 1\nb: 2\n--- # two\nc: 3\n---\nd: 4"
	for i, want := range []string{
		`1 ""+"a: 1\nb: 2\n"+"--- # two\n"`,
		`2 "b: 2\n---"+" # two\nc: 3\n"+"---\n"`,
		`4 "c: 3\n---"+"\nd: 4"+""`,
	} {
		d := Parse(text).Documents[i]
		before, after, first := d.Around(1)
		if got := fmt.Sprintf("%d %q+%q+%q", first, before, d.Text, after); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
