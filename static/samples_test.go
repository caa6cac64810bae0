package static

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWriteStylesheet writes the stylesheet, the fonts and the icon for the samples of `make eye` into the folder FIELDMARK_SAMPLES.
func TestWriteStylesheet(t *testing.T) {
	folder := os.Getenv("FIELDMARK_SAMPLES")
	if folder == "" {
		t.Skip("FIELDMARK_SAMPLES names no folder")
	}
	a, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(folder, "static"), 0o700); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{a.Stylesheet(): "fieldmark.css", a.GalleryStylesheet(): "gallery.css", a.Icon(): "icon.svg"}
	for url := range a.served {
		name := names[url]
		if name == "" && !strings.HasSuffix(url, ".woff2") {
			continue
		}
		content := serve(a, http.MethodGet, url).Body.String()
		if name == "" {
			name = strings.TrimPrefix(url, Prefix)
		} else {
			content = strings.ReplaceAll(content, Prefix, "")
		}
		if err := os.WriteFile(filepath.Join(folder, "static", name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
