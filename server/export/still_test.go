package export

import (
	"strings"
	"testing"
)

// places are pages of a site, by their addresses in Fieldmark.
var places = map[string]string{
	"/learn": index, "/learn?path=operators": "paths/operators.html", "/learn/conflicts": "lessons/conflicts.html", "/learn/conflicts/task": "tasks/conflicts.html",
	"/learn/tables": "lessons/tables.html", "/learn/glossary": "glossary.html", "/learn/cases": "cases.html", "/learn/cases/war": "cases/war.html",
}

func TestFilesOfPages(t *testing.T) {
	for address, file := range places {
		if got := fileOf(address); got != file {
			t.Errorf("%s: %s, not %s", address, got, file)
		}
	}
	for address, file := range map[string]string{"/learn/print": "handout.html", "/learn/print?path=beginners": "handouts/beginners.html"} {
		if got := fileOf(address); got != file {
			t.Errorf("%s: %s, not %s", address, got, file)
		}
	}
}

func TestLinksAreRelativeOrBecomeText(t *testing.T) {
	for link, want := range map[string]string{
		`<a href="/learn">guide</a>`:                                       `<a href="../index.html">guide</a>`,
		`<a href="/learn?path=operators&amp;cluster=practice">path</a>`:    `<a href="../paths/operators.html">path</a>`,
		`<a href="/learn/tables?cluster=practice">tables</a>`:              `<a href="tables.html">tables</a>`,
		`<a href="/learn/glossary#owner" target="_blank" rel="x">why</a>`:  `<a href="../glossary.html#owner">why</a>`,
		`<a href="/learn/conflicts?step=refused#place-2">step</a>`:         `<a href="#place-2">step</a>`,
		`<a href="#line-1">1</a>`:                                          `<a href="#line-1">1</a>`,
		`<a class="x" href="/c/practice/-/request" aria-label="y">con</a>`: `<span class="x">con</span>`,
		`<a href="/">home</a>`:                                             `<span>home</span>`,
		`<a href="/learn/nowhere">gone</a>`:                                `<span>gone</span>`,
		`<a href="javascript:alert(1)">bad</a>`:                            `<span>bad</span>`,
		`<a href="//evil.example/x">bad</a>`:                               `<span>bad</span>`,
		`<a href="https://kubernetes.io/docs" rel="noopener">docs</a>`:     `<a href="https://kubernetes.io/docs" rel="noopener">docs</a>`,
		`<svg><a href="/c/x" tabindex="-1"><text>1</text></a></svg>`:       `<svg><g><text>1</text></g></svg>`,
		`<svg><a href="/learn/tables"><text>1</text></a></svg>`:            `<svg><a href="tables.html"><text>1</text></a></svg>`,
		`<p><button data-do="send">Send</button></p>`:                      ``,
		`<p>Now <button>Send</button></p>`:                                 `<p>Now </p>`,
		`<form action="/x"><input name="a"><select></select></form>`:       ``,
		`<script>alert(1)</script><b data-do="x" data-lesson="y">b</b>`:    `<b data-lesson="y">b</b>`,
		`<td></td><i class="stop"></i>`:                                    `<i class="stop"></i>`,
	} {
		got, err := still([]byte("<!DOCTYPE html><html><head></head><body>"+link+"</body></html>"), "lessons/conflicts.html", places)
		if want := "<!DOCTYPE html><html><head></head><body>" + want + "</body></html>"; err != nil || string(got) != want {
			t.Errorf("%s:\n%s\n%s\n%v", link, got, want, err)
		}
	}
}

func TestBrokenLinksAreFound(t *testing.T) {
	page := func(body string) []byte { return []byte("<!DOCTYPE html><body>" + body) }
	for link, why := range map[string]string{
		`<a href="b/c.html#there">x</a>`:   "",
		`<a href="b/c.html">x</a>`:         "",
		`<a href="https://a.example">x`:    "",
		`<img src="p.svg">`:                "",
		`<a href="b/d.html">x</a>`:         "no such file",
		`<a href="b/c.html#gone">x</a>`:    "no such place",
		`<a href="#gone">x</a>`:            "no such place",
		`<a href="../a.html">x</a>`:        "no such file",
		`<a href="/a.html">x</a>`:          "isn't relative",
		`<a href="//a.example/x">x</a>`:    "isn't relative",
		`<a href="a.html?q=1">x</a>`:       "isn't relative",
		`<img src="data:image/png,x">`:     "isn't relative",
		`<link rel="stylesheet" href="s">`: "no such file",
	} {
		s := Site{"a.html": page(link), "b/c.html": page(`<h1 id="there">c</h1><a href="../a.html">a</a>`), "p.svg": nil}
		broken := s.Broken()
		if why == "" && len(broken) > 0 || why != "" && (len(broken) != 1 || !strings.Contains(broken[0], why)) {
			t.Errorf("%s: %q, not %q", link, broken, why)
		}
	}
}
