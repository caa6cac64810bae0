package rules

import (
	"bytes"
	"path"
	"strings"
	"testing"
)

// What all pages promise is tested on the samples of each page, which stand beside it (package pagetest). A page without samples would be tested on nothing.
func TestEachPageHasSamples(t *testing.T) {
	pages := files(t, "web/*/page.json")
	if len(pages) == 0 {
		t.Fatal("no page was found")
	}
	for _, profile := range pages {
		samples := path.Join(path.Dir(profile), "samples_test.go")
		if !exists(samples) || !bytes.Contains(read(t, samples), []byte("pagetest.Run(")) {
			t.Errorf("%s has no sample: hand the page in all its states to pagetest.Run in samples_test.go", path.Dir(profile))
		}
	}
}

// TestBrowserTestsOpenEachTool: axe, narrow windows and pictures go through the list of e2e/harness/pages.ts.
func TestBrowserTestsOpenEachTool(t *testing.T) {
	list := string(read(t, "e2e/harness/pages.ts"))
	tools := 0
	for _, profile := range files(t, "web/*/page.json") {
		_, tool, is := strings.Cut(string(read(t, profile)), `"address": "/c/{cluster}/-/`)
		if !is {
			continue
		}
		tools++
		name, _, _ := strings.Cut(tool, `"`)
		if !strings.Contains(list, "/-/"+name) {
			t.Errorf("e2e/harness/pages.ts doesn't open /-/%s: add a line for it", name)
		}
	}
	if tools == 0 {
		t.Error("no page.json has the address of a tool")
	}
}

// TestDocumentsNameEachLaboratory: docs/browser.md says of each what it can be used for.
func TestDocumentsNameEachLaboratory(t *testing.T) {
	document := string(read(t, "docs/browser.md"))
	seen := 0
	for _, profile := range files(t, "web/*/page.json") {
		text := string(read(t, profile))
		if !strings.Contains(text, `"menu": "Laboratories"`) {
			continue
		}
		seen++
		_, after, _ := strings.Cut(text, `"title": "`)
		if title, _, _ := strings.Cut(after, `"`); !strings.Contains(document, "\n| **"+title+"** |") {
			t.Errorf("docs/browser.md has no row for %s", title)
		}
	}
	if seen == 0 {
		t.Error("no page.json is in the section Laboratories")
	}
}
