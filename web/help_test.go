package web_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/web"
)

// inGuide tells whether an address leads to a page of the field guide.
func inGuide(address string) bool {
	return web.Program(address) == web.LearnProgram
}

// opensNewTab tells whether a link opens a new tab, gives that tab no way back, and says so to everybody. A mark that asks why needn't say
// it: a script opens it in place, and the link in there says it.
func opensNewTab(tree, link *html.Node) bool {
	said := accessibleName(tree, link) + " " + value(link, "title")
	return value(link, "target") == "_blank" && value(link, "rel") == "noopener" &&
		(strings.Contains(said, "new tab") || strings.HasPrefix(value(link, "class"), "why"))
}

// A recording, a stream and a draft live as long as their page. Nothing that explains it may end it.
func TestHelpOpensANewTab(t *testing.T) {
	links := 0
	for name, page := range sample("some-text").pages() {
		_, tree := render(t, page)
		guide := len(all(tree, "a", "class=to-guide", "aria-current=page")) > 0
		for _, link := range all(tree, "a", "href") {
			help := inGuide(value(link, "href")) && strings.HasPrefix(name, "in ") && !guide || strings.HasPrefix(value(link, "class"), "why")
			if help {
				links++
			}
			if opens := value(link, "target") != ""; help && !opensNewTab(tree, link) || !help && opens {
				t.Errorf("%s: %q leads to %s with target=%q", name, accessibleName(tree, link), value(link, "href"), value(link, "target"))
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links to help were looked at", links)
	}
}

func TestHelpInEveryComponentOpensANewTab(t *testing.T) {
	links := 0
	for _, s := range specimen.All() {
		_, tree := render(t, s.Shown)
		for _, link := range all(tree, "a", "href") {
			if !inGuide(value(link, "href")) || value(link, "data-stop") != "" { // a stop is on the guide's own map
				continue
			}
			links++
			if !opensNewTab(tree, link) {
				t.Errorf("%s: %q leads to %s in the same tab", s.Name, accessibleName(tree, link), value(link, "href"))
			}
		}
	}
	if links < 10 {
		t.Errorf("only %d links to help were looked at", links)
	}
}
