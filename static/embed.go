// Package static has the files that the browser loads besides pages: the stylesheet, the fonts, the icons, the scripts and the programs
// for the browser. Every file is served under a name that has a hash of its content, so browsers may keep it forever.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// The build writes dist. Without it the program still compiles, but its pages have the system's fonts and no script.
//
//go:embed css icons js/copying.js js/folder.js all:dist
var files embed.FS

// Prefix is where the files are served.
const Prefix = "/static/"

// Assets are the files, ready to be served. Safe for concurrent use.
type Assets struct {
	below      string          // the path that scripts and stylesheets put before the URLs in them
	served     map[string]file // by URL
	stylesheet string
	fonts      []string
	gallery    string // the stylesheet of the gallery
	tokens     string // the text of tokens.css
	icon       string
	script     string
	early      string            // the text
	programs   map[string]string // URLs by name
	editor     string
	terminal   string
	build      string
}

// Load prepares all files in less than a millisecond. Large files are read only when they are requested.
func Load() (*Assets, error) { return load(files, "") }

// LoadBelow prepares the files for a Fieldmark that browsers reach below a path, such as "/fieldmark". Its methods give URLs without that
// path.
func LoadBelow(below string) (*Assets, error) { return load(files, below) }

func load(files fs.FS, below string) (*Assets, error) {
	a := &Assets{below: below, served: map[string]file{}}
	for _, step := range []func(fs.FS) error{a.addStylesheet, a.addIcon, a.addPrograms} {
		if err := step(files); err != nil {
			return nil, err
		}
	}
	a.build = shortHash([]byte(a.stylesheet + a.script + a.early + strings.Join(slices.Sorted(maps.Values(a.programs)), "")))
	return a, nil
}

// Stylesheet is the URL of the stylesheet.
func (a *Assets) Stylesheet() string { return a.stylesheet }

// Fonts are the URLs of the fonts that the stylesheet has, the one of most text first.
func (a *Assets) Fonts() []string { return a.fonts }

// GalleryStylesheet is the URL of the gallery's additional stylesheet.
func (a *Assets) GalleryStylesheet() string { return a.gallery }

// Icon is the URL of the icon.
func (a *Assets) Icon() string { return a.icon }

// Script is the URL of the ES module that connects the browser's program with a document. It is empty if this build has no program, or lacks anything that
// the program needs.
func (a *Assets) Script() string { return a.script }

// Early is the text of the script in documents, which asks for Script and all others. It is empty exactly when Script is.
func (a *Assets) Early() string { return a.early }

// EarlyHash is what a Content-Security-Policy calls the text of Early. It is empty exactly when Script is.
func (a *Assets) EarlyHash() string {
	if a.early == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(a.early))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// The programs for the browser, as package web names them.
const (
	Read   = "read"
	Write  = "write"
	Lab    = "lab"
	Survey = "survey"
	Learn  = "learn"
	Run    = "run"
)

var programNames = []string{Read, Write, Lab, Survey, Learn, Run}

// Program is the URL of one of the programs for the browser. It is empty exactly when Script is.
func (a *Assets) Program(name string) string { return a.programs[name] }

// Editor is the URL of the script that edits text, which Script imports where a document has a place for an editor. It is
// empty exactly when Script is.
func (a *Assets) Editor() string { return a.editor }

// Terminal is the URL of the script with the terminals, which Script imports where a document has a place for them. It is empty
// exactly when Script is.
func (a *Assets) Terminal() string { return a.terminal }

// Build names this build of the pages: another stylesheet, script or program has another one. It is never empty.
func (a *Assets) Build() string { return a.build }

func (a *Assets) addIcon(files fs.FS) error {
	icon, err := fs.ReadFile(files, "icons/fieldmark.svg")
	if err != nil {
		return fmt.Errorf("the icon is missing: %w", err)
	}
	a.icon = a.addText("fieldmark.svg", "image/svg+xml", icon)
	return nil
}

// addText serves content that compresses well, and returns its URL.
func (a *Assets) addText(name, mediaType string, content []byte) (url string) {
	return a.addFile(name, shortHash(content), textFile(mediaType, content))
}

// addFile serves a file under its name and hash.
func (a *Assets) addFile(name, hash string, f file) (url string) {
	ext := path.Ext(name)
	url = Prefix + strings.TrimSuffix(name, ext) + "." + hash + ext
	a.served[url] = f
	return url
}

// shortHash is a hash of the content: 72 bits of SHA-256, in characters that need no escaping in a URL.
func shortHash(content []byte) string {
	sum := sha256.Sum256(content)
	return shorten(sum[:])
}

func shorten(sum []byte) string { return base64.RawURLEncoding.EncodeToString(sum[:9]) }
