package apply

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// TestWriteSamples writes the page with a conflict for `make eye`, beside the samples of package web: only requests and their responses lead to its cards.
func TestWriteSamples(t *testing.T) {
	folder := os.Getenv("FIELDMARK_SAMPLES")
	if folder == "" {
		t.Skip("FIELDMARK_SAMPLES names no folder")
	}
	m := fought(t)
	m.Shell.Title, m.Shell.Assets = "Apply", shell.Assets{Stylesheet: "../static/fieldmark.css", Icon: "../static/icon.svg"}
	var b strings.Builder
	if err := page.View(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	html := strings.Replace(b.String(), `data-wasm="off"`, `data-wasm="ready"`, 1)
	if !strings.Contains(html, `class="conflict"`) {
		t.Fatal("the page has no card of a conflict")
	}
	name := filepath.Join(folder, "usual", "in-an-apply-preview-conflict.html")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
}
