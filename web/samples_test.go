package web_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/gallery"
)

// texts are what a cluster gave in the samples for the eye: a usual name, and the longest label of a DNS name. A folder has the pages of each.
var texts = map[string]sample{"usual": "storefront", "long": "a-name-that-is-as-long-as-a-label-can-be-in-kubernetes-63-chars"}

var fileName = regexp.MustCompile(`[^a-z0-9]+`)

// TestWriteSamples writes all pages in all their states into the folder FIELDMARK_SAMPLES, for `make eye`. Package static puts the stylesheet beside them.
func TestWriteSamples(t *testing.T) {
	folder := os.Getenv("FIELDMARK_SAMPLES")
	if folder == "" {
		t.Skip("FIELDMARK_SAMPLES names no folder")
	}
	// The program of the browser is taken to run, and the system chooses the theme.
	page := strings.NewReplacer(`="/static/`, `="../static/`, ` data-theme="dark"`, "", `data-wasm="off"`, `data-wasm="ready"`)
	for name, text := range texts {
		states := text.pages()
		if name == "usual" {
			maps.Copy(states, specimens())
		}
		if err := os.MkdirAll(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
		for state, p := range states {
			html, _ := render(t, p)
			file := strings.Trim(fileName.ReplaceAllString(strings.ToLower(state), "-"), "-") + ".html"
			if err := os.WriteFile(filepath.Join(folder, name, file), []byte(page.Replace(html)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// specimens are documents with the specimens of the gallery, one for each of its sections.
func specimens() map[string]templ.Component {
	all := map[string]templ.Component{}
	for _, section := range gallery.Sections() {
		all["component "+section.Name] = templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
			var b strings.Builder
			b.WriteString(`<!DOCTYPE html><html lang="en" data-wasm="ready"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Components</title>` +
				`<link rel="stylesheet" href="/static/fieldmark.css"><body>` +
				// As in the gallery: what lies over a page stands in its specimen.
				`<style>.backdrop, .halted { position: static !important }</style><div id="app"><div class="frame alone"><main>`)
			for _, s := range section.Specimens {
				fmt.Fprintf(&b, `<div id="specimen-%s" style="flex: none; padding: 8px 20px; overflow: auto">`, s.Name)
				if err := s.Shown.Render(ctx, &b); err != nil {
					return err
				}
				b.WriteString("</div>")
			}
			_, err := io.WriteString(w, b.String()+"</main></div></div></body></html>")
			return err
		})
	}
	return all
}
