// Package static holds what the browser loads besides pages: the stylesheet, the fonts, the icons.
// Every file is served under a name that holds a hash of its content, and may be kept for ever.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed css icons all:dist
var files embed.FS

// Prefix is where the files are served.
const Prefix = "/static/"

// fonts are the built files that the stylesheet names. Without them (a build that skipped the step)
// the pages fall back to the system's own fonts.
var fonts = []string{"inter.woff2", "jetbrains-mono.woff2"}

// sheets in the order in which they join into one stylesheet.
var sheets = []string{"tokens.css", "base.css", "components.css", "shell.css", "pages.css", "print.css"}

// Assets are the files, ready to be served. Safe for concurrent use.
type Assets struct {
	served     map[string]file // by URL
	stylesheet string
	icon       string
}

type file struct {
	mediaType string
	content   []byte
	gzipped   []byte // nil where compression gains nothing
}

// Load prepares all files: it costs some milliseconds, once.
func Load() (*Assets, error) {
	a := &Assets{served: map[string]file{}}
	replace, err := a.addFonts()
	if err != nil {
		return nil, err
	}
	if a.stylesheet, err = a.addStylesheet(replace); err != nil {
		return nil, err
	}
	icon, err := files.ReadFile("icons/fieldmark.svg")
	if err != nil {
		return nil, fmt.Errorf("the icon is missing: %w", err)
	}
	a.icon = a.add("fieldmark.svg", "image/svg+xml", icon)
	return a, nil
}

// Stylesheet is the URL of the stylesheet.
func (a *Assets) Stylesheet() string { return a.stylesheet }

// Icon is the URL of the icon.
func (a *Assets) Icon() string { return a.icon }

func (a *Assets) addFonts() (*strings.Replacer, error) {
	var pairs []string
	for _, name := range fonts {
		content, err := files.ReadFile("dist/fonts/" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the font %s: %w", name, err)
		}
		pairs = append(pairs, "/static/fonts/"+name, a.add(name, "font/woff2", content))
	}
	return strings.NewReplacer(pairs...), nil
}

func (a *Assets) addStylesheet(replace *strings.Replacer) (string, error) {
	var all strings.Builder
	for _, name := range sheets {
		content, err := files.ReadFile("css/" + name)
		if err != nil {
			return "", fmt.Errorf("the stylesheet %s: %w", name, err)
		}
		all.Write(content)
	}
	return a.add("fieldmark.css", "text/css; charset=utf-8", []byte(replace.Replace(all.String()))), nil
}

func (a *Assets) add(name, mediaType string, content []byte) (url string) {
	sum := sha256.Sum256(content)
	ext := path.Ext(name)
	url = Prefix + strings.TrimSuffix(name, ext) + "." + base64.RawURLEncoding.EncodeToString(sum[:9]) + ext
	f := file{mediaType: mediaType, content: content}
	if packed := pack(content); len(packed) < len(content)*9/10 {
		f.gzipped = packed
	}
	a.served[url] = f
	return url
}

func pack(content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(content) // a bytes.Buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// ServeHTTP serves a file under its hashed name; anything else is not found.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := a.served[r.URL.Path]
	if !ok {
		http.Error(w, "no such file; reload the page that asked for it", http.StatusNotFound)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "static files can only be read", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.mediaType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := f.content
	if f.gzipped != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.gzipped
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the browser went away: nothing to tell anyone
	}
}
