package gallery

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/pagetest"
)

// TestSamples writes documents with the specimens, one for each section, for `make eye`.
func TestSamples(t *testing.T) {
	all := map[string]templ.Component{}
	for _, section := range Sections() {
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
	pagetest.Write(t, pagetest.Usual, all)
}
