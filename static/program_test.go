package static

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestProgramIsServedAsTheBuildPackedIt(t *testing.T) {
	a := loaded(t, tree())
	for coding, want := range map[string]string{"br": "as Brotli", "gzip": string(pack([]byte(program))), "": program} {
		w := serve(a, http.MethodGet, a.Program(Read), coding)
		if w.Body.String() != want || w.Header().Get("Content-Encoding") != coding {
			t.Errorf("Accept-Encoding %q: %q, %v", coding, w.Body, w.Header())
		}
		if got := w.Header().Get("Content-Type"); got != "application/wasm" {
			t.Errorf("it is %q, which no browser compiles while it arrives", got)
		}
	}
}

func TestScriptsNameWhatIsServed(t *testing.T) {
	a := loaded(t, tree())
	want := `load("` + a.Script() + `"); new Worker("` + only(t, a, "worker") + `"); fetch("` + a.Program(Read) + `")`
	if got := a.Early(); got != want {
		t.Errorf("the early script is\n%s\nwanted\n%s", got, want)
	}
	script := serve(a, http.MethodGet, a.Script(), "")
	if got := script.Body.String(); !strings.Contains(got, `load("`+only(t, a, "copying")+`")`) {
		t.Errorf("the module is %s", got)
	}
	if got := script.Header().Get("Content-Type"); got != "text/javascript; charset=utf-8" {
		t.Errorf("a module is %q", got)
	}
	if got, want := serve(a, http.MethodGet, only(t, a, "worker"), "").Body.String(), "globalThis.Go = class {};new Go()"; got != want {
		t.Errorf("the worker is %s, want %s", got, want)
	}
}

// TestTheEarlyScriptIsNamedByItsHash: a policy with the hash lets a browser run this very text, below any path.
func TestTheEarlyScriptIsNamedByItsHash(t *testing.T) {
	a := loaded(t, tree())
	below, err := load(tree(), "/fieldmark")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(below.Early(), `"/fieldmark/static/`) || below.EarlyHash() == a.EarlyHash() {
		t.Errorf("below a path: %s, %s", below.Early(), below.EarlyHash())
	}
	sum := sha256.Sum256([]byte(a.Early()))
	if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; a.EarlyHash() != want {
		t.Errorf("%s, want %s", a.EarlyHash(), want)
	}
	if strings.Contains(strings.ToLower(theirs(t).Early()), "</script") {
		t.Error("the script would end in its middle")
	}
}

// TestTheEditorIsNamedAndNotFetchedAhead: it is for the few documents that have a place for it, as the terminal is.
func TestTheEditorIsNamedAndNotFetchedAhead(t *testing.T) {
	a := loaded(t, tree())
	for _, script := range []string{a.Editor(), a.Terminal()} {
		if got := serve(a, http.MethodGet, a.Script(), "").Body.String(); !strings.Contains(got, `load("`+script+`")`) {
			t.Errorf("the loader is\n%s", got)
		}
		if strings.Contains(a.Early(), script) {
			t.Errorf("every document has %s fetched", script)
		}
		if w := serve(a, http.MethodGet, script, "br"); w.Body.String() != "as Brotli" || w.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%q, %v", w.Body, w.Header())
		}
	}
}

func TestScriptsInACircle(t *testing.T) {
	files := tree()
	files["js/copying.js"] = text(`load("/static/js/folder.js")`)
	files["js/folder.js"] = text(`load("/static/js/copying.js")`)
	if _, err := load(files, ""); err == nil || !strings.Contains(err.Error(), "/static/js/folder.js") {
		t.Errorf("circle: %v", err)
	}
}

// built is what only the build makes.
func built() []string {
	all := []string{"dist/fieldmark.js", "dist/early.js", "dist/worker.js", "dist/wasm_exec.js"}
	for _, name := range large() {
		all = append(all, "dist/"+name+".sha256", "dist/"+name+".br", "dist/"+name+".gz")
	}
	return all
}

// large are the large files that pages load.
func large() []string {
	all := []string{"editor.js", "terminal.js"}
	for _, name := range programNames {
		all = append(all, name+".wasm")
	}
	return all
}

func TestWithoutPartOfTheBuildPagesHaveNoScript(t *testing.T) {
	for _, name := range built() {
		files := tree()
		delete(files, name)
		a := loaded(t, files)
		if a.Script() != "" || a.Program(Read) != "" || a.Editor() != "" || a.Terminal() != "" {
			t.Errorf("without %s: script %q, program %q, editor %q, terminal %q: a page with half of it is worse than one without", name, a.Script(), a.Program(Read), a.Editor(), a.Terminal())
		}
		if w := serve(a, http.MethodGet, a.Stylesheet(), ""); w.Code != http.StatusOK || a.Build() == "" {
			t.Errorf("without %s: stylesheet %d, build %q", name, w.Code, a.Build())
		}
	}
}

func TestHashThatIsNone(t *testing.T) {
	for _, stamp := range []string{"", "brotli 11", "abcdef brotli 11", strings.Repeat("xy", 32)} {
		for _, name := range []string{"read.wasm", "editor.js", "terminal.js"} {
			files := tree()
			files["dist/"+name+".sha256"] = text(stamp)
			if _, err := load(files, ""); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "make clean build") {
				t.Errorf("%s, %q: %v", name, stamp, err)
			}
		}
	}
}

func TestBuildChangesWithWhatPagesLoad(t *testing.T) {
	seen := map[string]string{loaded(t, tree()).Build(): "nothing"}
	for _, name := range []string{"css/base.css", "js/copying.js", "dist/fieldmark.js", "dist/early.js", "dist/worker.js", "dist/wasm_exec.js", "dist/fonts/inter.woff2"} {
		files := tree()
		files[name] = text(string(files[name].Data) + " ")
		build := loaded(t, files).Build()
		if other, ok := seen[build]; ok {
			t.Errorf("the build is %s after a change of %s as after a change of %s", build, name, other)
		}
		seen[build] = name
	}
	for _, name := range large() {
		files := tree()
		files["dist/"+name+".sha256"] = text(stamped("another " + name))
		if build := loaded(t, files).Build(); seen[build] != "" {
			t.Errorf("with another %s it is the same build", name)
		}
	}
	if a, b := loaded(t, tree()), loaded(t, tree()); a.Build() != b.Build() || a.Program(Read) != b.Program(Read) {
		t.Errorf("the same files are another build")
	}
}

func TestProgramHasTheHashThatTheBuildWrote(t *testing.T) {
	a := theirs(t)
	for _, name := range programNames {
		content := serve(a, http.MethodGet, a.Program(name), "").Body.Bytes()
		if want := Prefix + name + "." + shortHash(content) + ".wasm"; a.Program(name) != want {
			t.Errorf("it is served as %s, its content is that of %s: browsers would keep the old one for ever", a.Program(name), want)
		}
	}
	for name, url := range map[string]string{"editor": a.Editor(), "terminal": a.Terminal()} {
		script := serve(a, http.MethodGet, url, "").Body.Bytes()
		if want := Prefix + name + "." + shortHash(script) + ".js"; url != want {
			t.Errorf("the script is served as %s, its content is that of %s", url, want)
		}
	}
}

// The early script is a part of each document, before its first paint.
func TestTheEarlyScriptIsSmall(t *testing.T) {
	const most = 6 << 10
	if got := len(theirs(t).Early()); got > most {
		t.Errorf("the early script has %d bytes, and may have %d", got, most)
	}
}

func TestScriptsAreComplete(t *testing.T) {
	a := theirs(t)
	for _, url := range slices.Sorted(maps.Keys(a.served)) {
		if !strings.HasSuffix(url, ".js") {
			continue
		}
		source := serve(a, http.MethodGet, url, "").Body.String()
		for _, named := range regexp.MustCompile(`["'`+"`"+`](/static/[^"'`+"`"+`]*)["'`+"`"+`]`).FindAllStringSubmatch(source, -1) {
			if _, ok := a.served[named[1]]; !ok {
				t.Errorf("%s names %s, which is not served", url, named[1])
			}
		}
	}
}

// theirs are the assets that this build has.
func theirs(t *testing.T) *Assets {
	t.Helper()
	a, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if a.Script() == "" && os.Getenv("FIELDMARK_MAKE") != "" {
		t.Fatal("make built no program for the browser, or not all of its scripts")
	}
	if a.Script() == "" {
		t.Skip("NOT CHECKED: there is no program for the browser; make test-unit builds it")
	}
	return a
}

const program = "\x00asm, and what follows"

// tree is a small source tree after a complete build.
func tree() fstest.MapFS {
	files := fstest.MapFS{
		"icons/fieldmark.svg": text("<svg/>"),
		"dist/early.js":       text(`load("/static/js/fieldmark.js"); new Worker("/static/js/worker.js"); fetch("/static/read.wasm")`),
		"dist/fieldmark.js":   text(`load("/static/js/editor.js"); load("/static/js/terminal.js"); load("/static/js/copying.js")`),
		"dist/worker.js":      text("new Go()"),
		"js/copying.js":       text("export {};"),
		"js/folder.js":        text("export {};"),
		"dist/wasm_exec.js":   text("globalThis.Go = class {};"),
	}
	for _, name := range large() {
		content := program // of the first one and of the editor; the others differ
		if name != "read.wasm" && name != "editor.js" {
			content = "one more " + name
		}
		files["dist/"+name+".br"] = text("as Brotli")
		files["dist/"+name+".gz"] = text(string(pack([]byte(content))))
		files["dist/"+name+".sha256"] = text(stamped(content))
	}
	for _, name := range append([]string{"gallery.css"}, sheets...) {
		files["css/"+name] = text("/* " + name + " */")
	}
	for _, name := range fonts {
		files["dist/fonts/"+name] = text("the font " + name)
		files["css/base.css"] = text(string(files["css/base.css"].Data) + ` @font-face { src: url("/static/fonts/` + name + `") }`)
	}
	return files
}

func text(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }

// stamped is what the build writes beside a program.
func stamped(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:]) + " brotli 11\n"
}
