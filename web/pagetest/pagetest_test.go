package pagetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// said is what a check tells.
type said []string

func (s *said) Errorf(format string, args ...any) { *s = append(*s, fmt.Sprintf(format, args...)) }

// right is a document in a cluster that keeps all promises.
const right = `<!DOCTYPE html><html lang="en" data-wasm="off"><head><title>A · Fieldmark</title><link rel="stylesheet" href="/static/fieldmark.css"></head><body>` +
	`<a href="#main">Skip</a><header><form role="search"></form></header><nav aria-label="Resource types"></nav>` +
	`<main id="main" tabindex="-1"><h1>A</h1><p id="p">text</p><table class="fixed"><tbody><tr id="r"><td>1</td></tr></tbody></table></main><footer></footer></body></html>`

func TestChecksFindWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ from, to, finds string }{
		{"", "", ""},
		{"<!DOCTYPE html>", "", "begins or ends in the wrong way"},
		{` lang="en"`, "", "no language"},
		{"A · Fieldmark", "· Fieldmark", "no title of its own"},
		{"fieldmark.css", "other.css", "no stylesheet"},
		{"<footer></footer>", "", "0 <footer>"},
		{"<h1>A</h1>", "<h1></h1>", "heading is empty"},
		{"<header>", `<a href="/">x</a><header><nav aria-label="Resource types"></nav>`, `is called "Resource types"`},
		{`<a href="#main">Skip</a>`, "", "skips nothing"},
		{` tabindex="-1"`, "", "cannot take the focus"},
		{"text", "<script></script>", "there is a <script>"},
		{"text", `<b onclick="x">x</b>`, "has the attribute onclick"},
		{"text", `<a href="javascript:x">x</a>`, "leads to javascript:x"},
		{"text", `<form action="https://evil.test"></form>`, "a form is sent to"},
		{"text", "<button></button>", "has no name"},
		{"text", `<b tabindex="0">x</b>`, "without role or name"},
		{"text", "<svg></svg>", "neither what it shows"},
		{"text", `<b id="p">x</b>`, `2 elements have the id "p"`},
		{"text", `<b aria-labelledby="q">x</b>`, "refers to nothing"},
		{"text", `<a href="#q">x</a>`, "a link leads to #q"},
		{"<tbody>", `<tbody class="x">`, "<tbody> has attributes"},
		{`<tr id="r">`, `<tr class="x" id="r">`, "begin with its id"},
		{"text", `<a href="/learn/kinds">x</a>`, "leads to /learn/kinds"},
		{"text", `<a href="/c/practice" target="_blank">x</a>`, `target="_blank"`},
	} {
		markup := strings.Replace(right, c.from, c.to, 1)
		var found said
		checkAll(&found, document{name: "in a sample", markup: markup, tree: parsed(t, markup)})
		if all := strings.Join(found, "\n"); (c.finds == "") != (all == "") || !strings.Contains(all, c.finds) {
			t.Errorf("%s for %s: found %q, want %q", c.to, c.from, all, c.finds)
		}
	}
}

func TestHostileTextIsFound(t *testing.T) {
	for hostile, finds := range map[string]string{
		"<p>a</p>":                         "",
		"<p><b>a</b></p>":                  "the markup differs",
		"<p>a\u202eb</p>":                  "is shown as it is",
		`<p title="a` + "\u200b" + `">`:    "the markup differs",
		`<p><a href="//evil.test">a</a>`:   "leads to //evil.test",
		`<p><a href="javascript:a">a</a>.`: "leads to javascript:a",
	} {
		var found said
		inert(&found, parsed(t, hostile), parsed(t, "<p>a</p>"))
		if all := strings.Join(found, "\n"); (finds == "") != (all == "") || !strings.Contains(all, finds) {
			t.Errorf("%s: found %q, want %q", hostile, all, finds)
		}
	}
}

// forgetful is a page whose older Models change.
type forgetful struct {
	page.Frame
	live map[string]int
}

func (m forgetful) Awake(time.Time) (page.Page, []page.Cmd) { m.live = map[string]int{}; return m, nil }
func (m forgetful) Content() templ.Component                { return page.Text(fmt.Sprint(m.live)) }
func (m forgetful) Update(page.Msg) (page.Page, []page.Cmd) { m.live["told"]++; return m, nil }

func TestAModelThatChangesIsFound(t *testing.T) {
	var found said
	if outlives(t, &found, forgetful{}); len(found) != 1 || !strings.Contains(found[0], "changes what an older Model shows") {
		t.Errorf("found %q", found)
	}
}
