package pagetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/golden"
)

// Usual is the folder of samples with a usual name.
const Usual = "usual"

// looks are what a cluster gave in the samples for the eye: a usual name, and the longest label of a DNS name. A folder has the states of each.
var looks = map[string]Text{Usual: "storefront", "long": "a-name-that-is-as-long-as-a-label-can-be-in-kubernetes-63-chars"}

var (
	fileName = regexp.MustCompile(`[^a-z0-9]+`)
	// The program of the browser is taken to run, and the system chooses the theme.
	asFile = strings.NewReplacer(`="/static/`, `="../static/`, ` data-theme="dark"`, "", `data-wasm="off"`, `data-wasm="ready"`)
)

// Write writes documents into a folder of FIELDMARK_SAMPLES, if it is set, for `make eye`. Package static puts the stylesheet beside them.
func Write(t testing.TB, folder string, documents map[string]templ.Component) {
	t.Helper()
	samples := os.Getenv("FIELDMARK_SAMPLES")
	if samples == "" {
		return
	}
	folder = filepath.Join(samples, folder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for state, document := range documents {
		file := strings.Trim(fileName.ReplaceAllString(strings.ToLower(state), "-"), "-") + ".html"
		if err := os.WriteFile(filepath.Join(folder, file), []byte(asFile.Replace(golden.Render(t, document))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
