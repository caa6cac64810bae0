package rules

import (
	"bytes"
	"path"
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
