package markdown

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	exampleFile  = "testdata/guide/example/lesson.md"
	glossaryFile = "testdata/guide/glossary.md"
	goldenFile   = "testdata/example.json"
)

func read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// known is what the example speaks of.
func known(t testing.TB) Known {
	t.Helper()
	terms, _, problems := Glossary(glossaryFile, read(t, glossaryFile))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	k := Known{Terms: map[string]lesson.Term{}, Picture: func(name string) (string, bool) { return "<svg></svg>", name == "line" }}
	for _, term := range terms {
		k.Terms[term.ID] = term
	}
	return k
}

func TestExample(t *testing.T) {
	parsed, problems := Parse(known(t), "example", exampleFile, read(t, exampleFile))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(parsed); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(goldenFile, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if b.String() != string(read(t, goldenFile)) {
		t.Errorf("the example is read as something else than %s says (write it anew with -update)", goldenFile)
	}
}

func TestGlossary(t *testing.T) {
	k := known(t)
	want := lesson.Term{
		ID: "watch", Title: "watch", Line: 3, Lesson: "example",
		Text:  `A request that stays open: the API server tells of each event as it happens & adds "more".`,
		Words: `A request that stays open: the API server tells of each event as it happens & adds "more". It ends sooner or later.`,
		HTML: `<p>A request that stays <em>open</em>: the API server tells of each <a href="/learn/glossary#event" title="What a watch brings." class="term">event</a> as it happens &amp; adds &quot;more&quot;.</p>` +
			"\n<p>It ends sooner or later.</p>",
	}
	if got := k.Terms["watch"]; got != want {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	_, _, problems := Glossary("g", []byte("## a\n\nx\n\n## b {#b}\n\n## c {#c}\n\n- x\n\nlesson: x\nlesson: y\n\n## d {#c}\n\nIn {{namespace}}, see [x](term:none).\n"))
	want2 := []string{
		"g:1: a term begins with a line ## its name {#its-id}",
		"g:5: b is not explained: a paragraph has to follow",
		"g:7: c is not explained: a paragraph has to follow",
		"g:9: c: a term is explained in paragraphs of text alone",
		"g:12: c has a line lesson: already",
		"g:14: there is a term #c before",
		"g:14: c: the glossary has no variables",
		"g:16: term:none is not in lessons/guide/glossary.md: correct the name, or write an entry with {#none}",
	}
	if got := problems.Error(); got != strings.Join(want2, "\n") {
		t.Errorf("got\n%s", got)
	}
}

// fields is a head without faults.
const fields = "---\ntitle: T\nsummary: S.\nconcepts: [3]\nminutes: 5\n---\n\n"

// inStep is a lesson with one faultless request, in line 11, and what follows it, from line 19 on.
func inStep(text string) string {
	return fields + "## Step\n\n```request one\nGET /api\n```\n\n```check\nstatus = 200\n```\n\n" + text
}

// fault is a lesson, and what is said to be wrong with it.
type fault struct {
	text string
	want []string
}

// faults are what is wrong with blocks and texts.
var faults = []fault{
	{"no head", []string{"1: the head is missing: a lesson begins with a line ---, its fields, and another line ---"}},
	{"---\ntitel: x\nminutes: many\n---\n", []string{
		"1: the title is missing: give the head a line title: …",
		"1: the summary is missing: say in one sentence what the reader will be able to do",
		"1: concepts is missing: say the numbers of those that it teaches, as in concepts: [25]",
		"2: the head has no field titel: they are title, summary, concepts, minutes, paths, after, rights, takeaways, found-by, own, scenario, alone and since",
		"3: cannot unmarshal !!str `many` into int",
		"3: minutes is 0: a lesson takes 5 to 12",
		"5: there is no step: each begins with a heading, ## …",
	}},
	{"---\ntitle: T\nsummary: S.\nconcepts: [42]\nminutes: 5\npaths: [all]\nrights: [x]\nfound-by: [ab]\nscenario: {a: \"{{later}}\"}\n---\n\ntext\n", []string{
		"4: 42 is no concept: their numbers go from 1 to 41",
		`6: "all" is no path: those are beginners, operators, controller-authors`,
		`7: "x" is no right: it is a verb of the API and a resource, as in "patch deployments.apps/scale"`,
		`8: "ab" is no text to find the lesson by: it has 3 to 80 characters`,
		"9: scenario: {{later}} has no value before the first step; what has one is {{namespace}}, {{unique}}",
		"11: there is no step: each begins with a heading, ## …",
	}},
	{fields + "# Title\n\n## A {#a}\n\n## A {#a .x}\n\n### Smaller\n\n## {{namespace}}\n\nx\n", []string{
		"8: the title stands in the head: steps begin with two signs, ## …",
		"10: the step has nothing in it",
		"12: behind a heading stands nothing but {#id since=1.34}, or one of the two; an id has lower-case letters, digits and hyphens",
		"12: there is a step a before: give this one an id of its own, {#…}",
		"16: a heading has no variables: say it in the text",
	}},
	{inStep("<b>x</b> ![y](z) [a](b) [a](tool:none) <http://x.y> {{later}}\n\n- ```check\n  status = 200\n  ```\n\n```reqest\nx\n```\n"), []string{
		"18: HTML is not shown: write it in Markdown, or between backticks if it is an example",
		"18: HTML is not shown: write it in Markdown, or between backticks if it is an example",
		"18: images are not shown: draw it in components/picture and write a picture block",
		"18: the link to b leads nowhere: write term:, lesson: or tool: and a name, or an address below https://kubernetes.io/",
		"18: tool:none is no tool: they are " + strings.Join(lesson.Tools(), ", "),
		"18: http://x.y leads out of the guide: links outside lead to https://kubernetes.io/ only",
		"18: {{later}} has no value yet: a check before this has to keep one (keep SUBJECT as later)",
		`20: "check" is neither a block of a lesson nor a language of examples (yaml, json, http, text, sh, go): correct the name, or move a block out of the list that it is in`,
		`24: "reqest" is neither a block of a lesson nor a language of examples (yaml, json, http, text, sh, go): correct the name, or move a block out of the list that it is in`,
	}},
	{fields + "```check\nstatus = 200\n```\n\n## A\n\nx\n", []string{
		"8: a check belongs to a step: begin one before it, ## …",
		"8: check: no request stands before it in this step; name one: check NAME",
	}},
	{inStep("```request one as=admin keep=0 x\nget /api\n```\n\n```request two watch\nPOST /api?x={{no}}\nHost: x\nnothing\n\n{{no}}\n```\n\n```request\n```\n"), []string{
		`18: request: "x" is not understood (what may stand here is watch, as=…, keep=…)`,
		`18: request: "0" is no number from 1 to 67108864`,
		"18: as=admin is nobody: requests are sent as you, or as=viewer",
		"18: there is a request one before: names are used once",
		"19: a request begins with a line METHOD /path?query, without spaces in it; the methods are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
		"22: only a GET can be a watch",
		"22: nothing is checked of the answer to two: say in a check what has to come, its status at least",
		"23: {{no}} has no value yet: a check before this has to keep one (keep SUBJECT as no)",
		"24: Host is not sent for lessons: leave it out (with fewer rights a request is sent as=viewer)",
		`25: "nothing" is no field of a head (Name: value); a body stands behind an empty line`,
		"27: {{no}} has no value yet: a check before this has to keep one (keep SUBJECT as no)",
		"30: the request is empty: its first line is a method and a path",
		"30: the request has no name: request NAME",
		"30: nothing is checked of the answer to : say in a check what has to come, its status at least",
	}},
	{inStep("```check none within=400\nstatus is 200\n```\n\n```check within=3\nwire > 3\nstream = open\n```\n\n```check one\nGET /api\n```\n\n```check\nPOST /api\n```\n\n```check\njson .x = {{no}}\n```\n"), []string{
		`18: check: "400" is no number from 1 to 300`,
		"18: check: no request before this is called none",
		`19: "status is 200" compares nothing: there is no =, !=, <, <=, >, >=, contains, lacks, starts with, matches, is present or is absent in it`,
		"18: there is no statement in the check",
		"22: check within: the answer to one has come already and changes no more; begin the block with a GET to look at the cluster",
		"23: how many bytes go over the wire depends on Accept-Encoding: the request has to say it (gzip or identity)",
		"24: stream is of a watch: write watch behind the request's name, or name the watch: check NAME",
		"27: there is no statement in the check",
		"27: check one: it looks either at the answer to a request or, by a GET of its own, at the cluster",
		"31: there is no statement in the check",
		"32: a check asks with GET /path, and nothing else",
		"36: {{no}} has no value yet: a check before this has to keep one (keep SUBJECT as no)",
	}},
	{inStep("```predict one of=none\n- [ ] a\n- [ ] a\n  if nothing --\nb\n```\n\n```predict\nWhat?\nanswer x\nanswer status\n- [ ] *\n  if status = 3\n  x\n- [x] 4\n  y\n```\n"), []string{
		"18: no request is called none, here or before",
		"18: predict one: another answer is asked about by predict of=one",
		"18: the question is missing: it stands before the first choice",
		"18: no choice is right: mark one with - [x]",
		"19: the choice is not explained: say below it why it is right or wrong",
		"20: the choice is there twice",
		"21: if nothing -- has to say why no answer can tell",
		"22: what belongs to a choice is set in by two spaces; choices begin with - [ ] or - [x]",
		"25: no request follows in this step that the answer could come from: put the predict before one, or write predict of=NAME",
		`27: answer: "x" is nothing that can be said something about: it is status, header, type, json, count, body, hex, size, wire, warnings, owners, managers, events or stream`,
		"28: there is one answer line already",
		"29: * is for any other value: it stands last, and is wrong",
		"30: where a value is predicted the choices have no if: the answer line says it",
	}},
	{inStep("```predict\nWhat?\n- [x] a\n  if status = 200\n  x\n- [x] b\n  if status = 201\n  y\n```\n\n```request r\nGET /api\n```\n\n```check\nstatus = 200\n```\n"), []string{
		"18: 2 choices are right: mark exactly one with - [x]",
	}},
	{inStep("```notes\n```\n\n```notes\nstatus\n```\n\n```show\nfields none\n```\n\n```show\ndiff one\n```\n\n```show\ngraph one\n```\n\n```show\nlink x tool=none\n```\n\n```show\n```\n"), []string{
		"18: there is no note in it",
		"21: there is no note in it",
		"22: a note is SUBJECT -- TEXT",
		"25: show fields: no request before this is called none",
		"29: show diff takes the names of 2 request(s)",
		`33: graph is nothing to show with: there are ["fields" "table" "diff" "chunks" "events" "bytes" "sizes" "link"]`,
		`37: show link has an API path, and perhaps tool=NAME, and not "x"`,
		"37: none is no tool: they are " + strings.Join(lesson.Tools(), ", "),
		"37: show link needs an API path",
		"41: a show has exactly one line",
	}},
	{inStep("```recorded one\n200\n```\n\n```recorded 1.31 since=1.33 none\n99\nDate: x\n\n{{no}}\n```\n\n```recorded 1.31 one\n```\n\n```request w watch\nGET /api\n```\n\n```check\nstatus = 200\n```\n\n```recorded 1.31\n200\n```\n"), []string{
		`18: recorded: "one" is no version: it is written with major and minor version, such as 1.34`,
		"22: recorded 1.31 has no range: readers with any other version compare with it",
		"22: recorded: no request before this is called none",
		`23: "99" is no status code of a response`,
		`24: "Date: x" is no header of a recording (Content-Type, Retry-After, Warning; each once)`,
		"26: {{no}} has no value yet: a check before this has to keep one (keep SUBJECT as no)",
		"29: the recording is empty: its first line is the status code",
		"40: recorded: a server of 1.31 has no whole response to w",
	}},
	{inStep("```kubectl x\n```\n\n```kubectl\n```\n\n```kubectl\nkubectl --context=x get\n```\n\n```kubectl\nkubectl get x\n```\n\n```picture none\n```\n\n```stop\none\n```\n\n```cleanup\nGET /api\n---\n```\n\n## Next\n\n```kubectl\nx\n```\n"), []string{
		"18: kubectl x: it belongs to the request before it, and names none",
		"21: there is no command in it; kubectl none says why kubectl can't make the request",
		"25: leave --context out: learners choose the cluster, and where a request is sent as somebody else it is added",
		"28: kubectl: request one has its commands already",
		"32: no picture is called none: they are in components/picture",
		"35: stop has the name of a watch that was begun before, and one is none",
		"39: a request of the cleanup is empty",
		"40: a GET cleans nothing up",
		"44: the step has nothing in it",
		"46: kubectl: no request stands before it in this step, which it would do the same as",
	}},
}

func TestWhatIsWrong(t *testing.T) {
	k := known(t)
	for _, f := range slices.Concat(faults, versionFaults) {
		_, problems := Parse(k, "x", "f", []byte(f.text))
		var got []string
		for _, p := range problems {
			got = append(got, strings.TrimPrefix(p.String(), "f:"))
		}
		slices.Sort(got)
		want := slices.Sorted(slices.Values(f.want))
		if !slices.Equal(got, want) {
			t.Errorf("%s\nis said to be wrong in\n  %s\nand should be in\n  %s", f.text, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

func TestWindowsLines(t *testing.T) {
	text := strings.ReplaceAll(string(read(t, exampleFile)), "\n", "\r\n")
	_, problems := Parse(known(t), "example", exampleFile, []byte(text))
	if err := problems.Err(); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(string(read(f, exampleFile)))
	for _, fault := range slices.Concat(faults, versionFaults) {
		f.Add(fault.text)
	}
	k := known(f)
	f.Fuzz(func(t *testing.T, text string) {
		parsed, problems := Parse(k, "x", "f", []byte(text))
		lines := strings.Count(text, "\n") + 1
		for _, p := range problems {
			if p.Line < 1 || p.Line > lines || p.What == "" {
				t.Errorf("%d lines, and in %s", lines, p)
			}
		}
		if problems.Err() == nil && len(parsed.Lesson.Steps) == 0 {
			t.Error("a lesson without a step has no problem")
		}
	})
}

func FuzzGlossary(f *testing.F) {
	f.Add(string(read(f, glossaryFile)))
	f.Fuzz(func(t *testing.T, text string) {
		terms, _, problems := Glossary("g", []byte(text))
		for _, term := range terms {
			if problems.Err() == nil && (term.ID == "" || term.Text == "") {
				t.Errorf("%+v has no problem", term)
			}
		}
	})
}
