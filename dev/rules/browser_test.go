package rules

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linked are the external packages in the browser's program, besides the standard library.
var linked = []string{
	"github.com/a-h/templ",                 // renders pages
	"nhooyr.io/websocket",                  // the socket
	"go.yaml.in/yaml/v3",                   // manifests, line by line
	"github.com/fxamacker/cbor/v2",         // CBOR in diagnostic notation, on the page of representations
	"github.com/x448/float16",              // its floats of two bytes
	"sigs.k8s.io/structured-merge-diff/v4", // who owns which field
	"sigs.k8s.io/yaml/goyaml.v2",           // needed by structured-merge-diff, like the next four
	"go.yaml.in/yaml/v2",
	"github.com/json-iterator/go",
	"github.com/modern-go/concurrent",
	"github.com/modern-go/reflect2",
}

// dear are packages that the browser's program must not import, or that only external packages (by) may import. The sizes
// are the bytes, after Brotli, that one use of each adds to a program of 1.4 MB (docs/decisions/0008).
var dear = []struct {
	imported string
	by       []string
	why      string
}{
	{"k8s.io", nil, "1.0 MB for apimachinery's metav1 alone; packages in kube/ have the small part that pages need"},
	{"sigs.k8s.io/structured-merge-diff/v4/merge", nil, "200 KB together with typed, for merging what the server merges; to read and compare claims takes fieldpath and value alone"},
	{"sigs.k8s.io/structured-merge-diff/v4/typed", []string{"sigs.k8s.io/structured-merge-diff/v4/merge"}, "as merge"},
	{"sigs.k8s.io/structured-merge-diff/v6", nil, "pages compute ownership with v4; a second version could have other results"},
	{"sigs.k8s.io/yaml", []string{"sigs.k8s.io/structured-merge-diff/v4/value"}, "manifests are read with go.yaml.in/yaml/v3, which reports lines"},
	{"github.com/json-iterator/go", []string{"sigs.k8s.io/structured-merge-diff/v4/value", "sigs.k8s.io/structured-merge-diff/v4/fieldpath"}, "encoding/json is linked already"},
	{"google.golang.org/protobuf", nil, "470 KB of reflection and registries"},
	{"golang.org/x/text", nil, "up to 460 KB of tables; the browser has Intl"},
	{"net/http", []string{"github.com/a-h/templ", "github.com/a-h/templ/runtime", "nhooyr.io/websocket"}, "840 KB once a request is made with it; the browser has fetch. templ imports it without need of a client, so the linker leaves most of it out"},
	{"crypto/tls", nil, "connections are the browser's business"},
	{"crypto", []string{"github.com/a-h/templ", "github.com/a-h/templ/runtime"}, "40 KB for one hash. templ imports one for scripts and styles in views, which views of ours don't have, so it gets a stub"},
	{"html/template", []string{"github.com/a-h/templ"}, "590 KB if one is executed: templates call methods by name, so the linker can leave no method out. Pages are templ's, which calls only an escaping function of it"},
	{"text/template", []string{"html/template"}, "as html/template"},
	{"log/slog", nil, "36 KB, for a log that nobody collects; the browser has a console"},
	{"testing", nil, "a helper of tests is in a file of the program"},
}

func TestBrowserProgramLinksLittle(t *testing.T) {
	for _, p := range list(t, forBrowser, append([]string{"-deps"}, programs(t, "./wasm/", "")...)...) {
		if !isOurs(p.ImportPath) && !isLinked(p.ImportPath) {
			continue // the package that imported it is reported
		}
		for _, imported := range p.Imports {
			if why := tooDear(p.ImportPath, imported); why != "" {
				t.Errorf("in the browser's program, %s imports %s: %s", p.ImportPath, imported, why)
			}
		}
	}
}

// TestEachProgramHasItsOwnPages: a visitor who never opens a wing doesn't download its pages.
func TestEachProgramHasItsOwnPages(t *testing.T) {
	wings := programs(t, "", "")
	for _, program := range wings {
		pages := 0
		for _, p := range list(t, forBrowser, "-deps", "./wasm/"+program) {
			wing, _, _ := strings.Cut(strings.TrimPrefix(p.ImportPath, module+"/web/"), "/")
			switch {
			case !within(p.ImportPath, module+"/web") || !slices.Contains(wings, wing):
			case wing == program || program == "learn" && wing == "lab": // a lesson shows responses like the laboratories
				pages++
			default:
				t.Errorf("%s.wasm has %s", program, p.ImportPath)
			}
		}
		if pages == 0 {
			t.Errorf("%s.wasm has no pages", program)
		}
	}
}

// tooDear says why the browser's program must not have an import; empty: it may.
func tooDear(importer, imported string) string {
	for _, rule := range dear {
		if within(imported, rule.imported) && !within(importer, rule.imported) {
			if slices.Contains(rule.by, importer) {
				return ""
			}
			return rule.why
		}
	}
	if isForeign(imported) && !isLinked(imported) {
		return "every visitor downloads the package. Compare the sizes that 'make wasm' prints with and without it. If the package is worth its size, add it to linked in dev/rules"
	}
	return ""
}

func isOurs(path string) bool { return within(path, module) }

func isLinked(path string) bool {
	return slices.ContainsFunc(linked, func(known string) bool { return within(path, known) })
}

// isForeign tells whether a package is neither ours nor the standard library's, whose paths begin without a host.
func isForeign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && !isOurs(path)
}

// within tells whether a package is the one at that path or below it.
func within(path, top string) bool { return path == top || strings.HasPrefix(path, top+"/") }

// biggestProgram is the maximum size, in bytes after Brotli, of a program for the browser.
const biggestProgram = 1_950_000

// programs are the names of the programs for the browser, each between two texts: those of the folders in wasm/ with a main package.
func programs(t *testing.T, before, after string) []string {
	t.Helper()
	mains, err := filepath.Glob(filepath.Join(root, "wasm", "*", "main.go"))
	if err != nil || len(mains) == 0 {
		t.Fatalf("there is no program for the browser: %v", err)
	}
	for i, name := range mains {
		mains[i] = before + filepath.Base(filepath.Dir(name)) + after
	}
	return mains
}

// What must name each program says them all: pages load it, the server has its pages.
func TestProgramsAreOneList(t *testing.T) {
	for file, as := range map[string]string{
		"static/js/early.js": `"/static/%s.wasm"`, "static/embed.go": ` = "%s"`, "server/pages/tools.go": "%s.Pages()", "web/routes.go": `Program = "%s"`,
	} {
		text := strings.Join(strings.Fields(string(read(t, file))), " ")
		for _, name := range programs(t, "", "") {
			if written := fmt.Sprintf(as, name); !strings.Contains(text, written) {
				t.Errorf("%s has no %s, although wasm/%s is a program", file, written, name)
			}
		}
	}
}

func TestBrowserProgramsAreSmall(t *testing.T) {
	for _, name := range programs(t, "", ".wasm") {
		got := len(dist(t, name+".br"))
		if got <= biggestProgram {
			continue
		}
		if stamp := dist(t, name+".sha256"); !bytes.HasSuffix(stamp, []byte(" brotli 11\n")) {
			t.Skipf("NOT CHECKED: %s has %d bytes, but it was compressed at a fast level; make check-house compresses it fully", name, got)
		}
		t.Errorf("%s has %d bytes after Brotli, %d more than it may: every visitor downloads them. See which new import brought them (GOOS=js GOARCH=wasm go list -deps) and what 'make wasm' says without it",
			name, got, got-biggestProgram)
	}
}

// biggestEditor is the maximum size, in bytes after gzip, of the editor's script.
const biggestEditor = 250_000

func TestEditorIsSmall(t *testing.T) {
	if got := len(dist(t, "editor.js.gz")); got > biggestEditor {
		t.Errorf("the editor's script has %d bytes as gzip, %d more than it may: see what is in it (esbuild static/editor/editor.js --bundle --minify --analyze)", got, got-biggestEditor)
	}
}

// biggestTerminal is the maximum size, in bytes after gzip, of the terminals' script.
const biggestTerminal = 120_000

func TestTerminalIsSmall(t *testing.T) {
	if got := len(dist(t, "terminal.js.gz")); got > biggestTerminal {
		t.Errorf("the terminals' script has %d bytes as gzip, %d more than it may: see what is in it (esbuild static/terminal/terminal.js --bundle --minify --analyze)", got, got-biggestTerminal)
	}
}

// Two builds of the same source must be equal on every machine. Then browsers can keep a file with a hash in its name for as long as the
// source doesn't change, and everybody can check the files that are served.
func TestBrowserProgramsKeepNoTraceOfTheMachine(t *testing.T) {
	for _, name := range programs(t, "", ".wasm") {
		program := unpacked(t, name)
		for _, trace := range traces(t) {
			if bytes.Contains(program, []byte(trace)) {
				t.Errorf("%s holds %q: a build on another machine, or of the next commit, would differ (does the Makefile still have -trimpath and -buildvcs=false?)", name, trace)
			}
		}
	}
}

func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(dist(t, name+".gz")))
	if err != nil {
		t.Fatal(err)
	}
	program, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// traces are what a program built without care would hold. Paths so short that any text might hold them are left out.
func traces(t *testing.T) []string {
	t.Helper()
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	found := []string{"vcs.revision", "vcs.time"}
	paths := append(strings.Fields(string(output(t, "go", "env", "GOROOT", "GOMODCACHE", "GOCACHE"))), here)
	for _, path := range paths {
		if strings.Count(path, "/") > 1 {
			found = append(found, path+"/")
		}
	}
	return found
}

// dist returns a file that make builds. Whoever runs go test alone may not have it; make always has.
func dist(t *testing.T, name string) []byte {
	t.Helper()
	name = filepath.Join("static", "dist", name)
	if !exists(name) && os.Getenv("FIELDMARK_MAKE") == "" {
		t.Skipf("NOT CHECKED: there is no %s; make check-house builds it", name)
	}
	return read(t, name)
}
