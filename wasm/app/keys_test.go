package app

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// Each letter that a page has as a key, as docs/keys.md lists them, reaches the page. The screen passes on only keys that it was told.
func TestTheScreenPassesOnTheLettersOfAllPages(t *testing.T) {
	text, err := os.ReadFile("../../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`<kbd>([a-zA-Z])</kbd>`).FindAllStringSubmatch(string(text), -1)
	if len(found) < 20 {
		t.Fatalf("docs/keys.md has %d letters", len(found))
	}
	for _, key := range found {
		if !slices.Contains(pageKeys, key[1]) {
			t.Errorf("%q never reaches a page: add it to pageKeys", key[1])
		}
	}
}
