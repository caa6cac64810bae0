package rules

import (
	"path"
	"strings"
	"testing"
)

const (
	design       = "docs/design/"
	mostPages    = 12
	longestPage  = 600 // words
	designReadme = design + "README.md"
)

// TestWhatHoldsCanBeRead: the decisions have so many words that nobody reads them all, so these pages must stay few and short.
func TestWhatHoldsCanBeRead(t *testing.T) {
	heads := decisionHeads(t)
	list := string(read(t, designReadme))
	pages := 0
	for _, name := range files(t, design+"*.md") {
		text := string(read(t, name))
		if words := len(strings.Fields(text)); words > longestPage {
			t.Errorf("%s has %d words, more than %d: it is too long to be read; move reasons to decisions", name, words, longestPage)
		}
		for _, number := range decisionsNamed(text) {
			if file := heads[number].file; !strings.Contains(text, "](../decisions/"+file+")") {
				t.Errorf("%s names decision %s without a link to %s", name, number, file)
			}
		}
		if name == designReadme {
			continue
		}
		pages++
		if !strings.Contains(list, "]("+path.Base(name)+")") {
			t.Errorf("%s isn't in the list of %s", name, designReadme)
		}
	}
	if pages == 0 || pages > mostPages {
		t.Errorf("%s has %d pages, not 1 to %d: join two of them", design, pages, mostPages)
	}
	for _, name := range []string{"README.md", "ARCHITECTURE.md"} {
		if !strings.Contains(string(read(t, name)), "]("+design) {
			t.Errorf("%s has no link to %s: readers begin there", name, design)
		}
	}
}
