package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// layer is a top-level folder of ours, and which others it may import. A folder may always import from itself.
type layer struct {
	folder string
	may    []string
	why    string
}

var layers = []layer{
	{"words", nil, "words are the labels, verdicts and states that all other packages use, so words imports none of them"},
	{"kube", []string{"words"}, "kube is the Kubernetes API as plain values. The server, the pages and the browser import it, so it imports none of them, only words"},
	{"static", nil, "static is files and their addresses; the server imports it, not the other way round"},
	{"components", []string{"words", "kube"}, "components are pieces of pages. They get values to show, and know no page and no server"},
	{"web", []string{"words", "components", "kube", "lessons"}, "pages are pure and run in the browser too (static would bring its embedded files along): the server sends all data as values"},
	{"lessons", []string{"words", "components", "kube", "web"}, "lessons are texts with requests and pictures, and link to tools (they may import only the table of tools from web); the program that tests them uses Fieldmark from outside, like a browser"},
	{"wasm", []string{"words", "web", "components", "kube"}, "the browser's program runs pages; it can't link what only a server can do"},
	{"cli", []string{"words", "components", "kube", "lessons", "docs"}, "the terminal and the pages must say the same: both use kube and components, and neither uses the other. Assistants are told what the guide and the documents say"},
	{"docs", nil, "docs are texts, which the terminal embeds"},
	{"server", []string{"words", "web", "components", "kube", "static", "lessons", "cli"}, "the server is the outermost layer together with wasm; the two share pages, not code"},
	{"promises", []string{"words", "kube", "cli"}, "tests of the whole program use it from outside, like users, or call its verbs"},
	{"dev", []string{"kube"}, "programs for developers use the other programs from outside, like users"},
}

// wings are the parts of web, and which others of them each may import. Package web itself, with all addresses, is open to all; a wing
// may always import from itself.
var wings = []layer{
	{"frame", nil, "the frame is around every page, so it knows no page"},
	{"call", []string{"frame"}, "a request with its response looks the same on every page, so call knows no page"},
	{"follow", []string{"frame"}, "a watched object or table is the same on every page, so follow knows no page"},
	{"read", []string{"frame", "call", "follow"}, "one program for the browser has the pages of one wing. Code of another wing would be loaded by users who never open that wing. Code for two wings belongs to frame, call, follow or components"},
	{"write", []string{"frame", "call", "follow"}, "as read"},
	{"run", []string{"frame", "call", "follow"}, "as read"},
	{"lab", []string{"frame", "call", "follow"}, "as read"},
	{"survey", []string{"frame", "call", "follow"}, "as read"},
	{"learn", []string{"frame", "call", "follow", "lab"}, "as read; a lesson sends requests and shows responses like the laboratories"},
	{pagetest, []string{"frame"}, "samples of all pages are made with its help, so it knows none; tests of all wings import it"},
	{"gallery", []string{"frame", "call", "follow", "read", "write", "lab", "survey", "learn", "run"}, "the gallery shows all components"},
}

// pagetest has what the tests of all pages share.
const pagetest = "pagetest"

// only names packages that few may import.
var only = []struct {
	imported string
	by       []string
	why      string
	tests    bool // tests may import it
}{
	{imported: "github.com/labstack/echo", by: []string{"server/program"}, why: "handlers are plain net/http; only the program that puts them together knows echo, so that its next major version is a change in one package"},
	{imported: "k8s.io/client-go", by: []string{"server/cluster", "cli/ask"}, why: "credentials are read in one place; all other packages get an upstream.Target that has them already", tests: true},
	{imported: "k8s.io/cli-runtime", by: []string{"cli", "cli/ask", "cli/blame", "cli/check", "cli/explain", "cli/hook", "cli/lsp", "cli/managers", "cli/mcp", "cli/migrate", "cli/policy", "cli/upgrade", "cli/whocan"}, why: "the verbs have kubectl's flags, and this package imports a lot; the server reads a kubeconfig by its own rules"},
	{imported: "nhooyr.io/websocket", by: []string{"server/relay", "wasm/socket"}, why: "one package at each end of the socket, so that its successor is a one-package change"},
	{imported: "sigs.k8s.io/structured-merge-diff", by: []string{"kube/ownership", "kube/ownership/ownershiptest", "promises"}, why: "v6 exists: one package knows which version we use. Only the tests of promises have v6, as the second opinion that API servers link"},
	{imported: "syscall/js", by: []string{"wasm/dom", "wasm/socket"}, why: "the rest of the browser's program can be tested without a browser"},
	{imported: module + "/lessons", by: []string{"cli/mcp/library", "lessons/check", "lessons/cmd/fieldmark-lessons", "server/pages/learn"}, why: "it contains all lessons and their reader; a page gets only the lesson that it shows", tests: true},
	{imported: module + "/lessons/markdown", by: []string{"lessons", "lessons/check", "lessons/cmd/fieldmark-lessons"}, why: "lessons are read once, on the server; the browser's program would grow by a parser"},
	{imported: module + "/web/" + pagetest, why: "samples of pages are for tests. No program links them", tests: true},
	{imported: module + "/server/program", by: []string{"server"}, why: "the program is put together here, and nobody else needs that"},
	{imported: module + "/server", why: "server is a program, and programs are not libraries: shared code belongs to a package of its own"},
	{imported: module + "/wasm", why: "wasm is a program, and programs are not libraries"},
}

// noIO is what kube does without.
var noIO = []string{"net", "net/http", "os", "os/exec", "syscall", "log", "log/slog"}

// browser is what is linked into the browser's program.
var browser = []string{"words", "kube", "components", "web"}

// forBrowser makes Go see what the browser's program is made of.
var forBrowser = []string{"GOOS=js", "GOARCH=wasm"}

func TestLayers(t *testing.T) {
	for _, p := range everywhere(t) {
		folder, _, _ := strings.Cut(p.path(), "/")
		i := slices.IndexFunc(layers, func(l layer) bool { return l.folder == folder })
		if i < 0 {
			t.Errorf("package %s is in no layer: add its top-level folder to layers in dev/rules, with the reason for what it may import", p.path())
			continue
		}
		for _, imported := range p.all() {
			to, isOurs := strings.CutPrefix(imported, module+"/")
			to, _, _ = strings.Cut(to, "/")
			if isOurs && to != folder && !slices.Contains(layers[i].may, to) {
				t.Errorf("%s imports %s, but %s may import only its own and %v of ours: %s", p.path(), imported, folder, layers[i].may, layers[i].why)
			}
		}
	}
}

func TestWings(t *testing.T) {
	for _, p := range everywhere(t) {
		if strings.HasPrefix(p.path(), "lessons") && slices.ContainsFunc(p.all(), func(imported string) bool { return strings.HasPrefix(imported, module+"/web/") }) {
			t.Errorf("%s imports a page, but lessons know no more of web than its tools: they are shown by pages, not made of them", p.path())
		}
		wing, inWeb := wingOf(p.ImportPath)
		if !inWeb || wing == "" { // package web and its tests look at all pages
			continue
		}
		i := slices.IndexFunc(wings, func(l layer) bool { return l.folder == wing })
		if i < 0 {
			t.Errorf("package %s is in no wing of web: move it into one, or add a wing in dev/rules with the reason for what it may import", p.path())
			continue
		}
		for _, imported := range p.all() {
			if to, ours := wingOf(imported); ours && to != "" && to != pagetest && to != wing && !slices.Contains(wings[i].may, to) {
				t.Errorf("%s imports %s, but web/%s may import only its own and %v of web: %s", p.path(), imported, wing, wings[i].may, wings[i].why)
			}
		}
	}
}

// wingOf is the wing of web that a package belongs to; empty for package web itself.
func wingOf(importPath string) (wing string, inWeb bool) {
	if importPath == module+"/web" {
		return "", true
	}
	rest, inWeb := strings.CutPrefix(importPath, module+"/web/")
	wing, _, _ = strings.Cut(rest, "/")
	return wing, inWeb
}

func TestFewImporters(t *testing.T) {
	for _, p := range everywhere(t) {
		for _, imported := range p.all() {
			checkImporter(t, p.path(), imported, !slices.Contains(p.Imports, imported))
		}
	}
}

func checkImporter(t *testing.T, importer, imported string, byTest bool) {
	t.Helper()
	for _, rule := range only {
		if byTest && rule.tests || slices.Contains(rule.by, importer) {
			continue
		}
		if forbids(rule.imported, imported) {
			t.Errorf("%s imports %s, which only %v may: %s", importer, imported, rule.by, rule.why)
		}
	}
}

// forbids tells whether a rule about a package speaks of the imported one: itself and, unless it is one of our
// programs, whatever is below it.
func forbids(rule, imported string) bool {
	if strings.HasPrefix(rule, module) {
		return imported == rule
	}
	return within(imported, rule)
}

// benchShared is what the families of dev/bench have together.
var benchShared = []string{"blame", "browser", "figures", "lab", "scale", "socket"}

func TestFamiliesOfTheBenchStandAlone(t *testing.T) {
	const bench = "dev/bench"
	for _, p := range everywhere(t) {
		for _, imported := range p.all() {
			of, isBench := strings.CutPrefix(imported, module+"/"+bench+"/")
			if isBench && p.path() != bench && p.path() != bench+"/"+of && !slices.Contains(benchShared, of) {
				t.Errorf("%s imports the family %s of the bench: what two families need belongs to one of %v", p.path(), of, benchShared)
			}
		}
	}
}

func TestKubeDoesNoIO(t *testing.T) {
	for _, p := range ours(t) {
		if !strings.HasPrefix(p.path(), "kube/") {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(noIO, imported) {
				t.Errorf("%s imports %s, but kube does no I/O: that is why all of it can be tested as values and runs in the browser", p.path(), imported)
			}
		}
	}
}

func TestPagesLinkNoKubernetes(t *testing.T) {
	for _, p := range list(t, nil, append([]string{"-deps"}, patterns(browser)...)...) {
		if isKubernetes(p.ImportPath) {
			continue // whoever imported it is named
		}
		if i := slices.IndexFunc(p.Imports, isKubernetes); i >= 0 {
			t.Errorf("%s, which the browser runs, imports %s: anything of k8s.io costs megabytes of download and seconds of start", p.path(), p.Imports[i])
		}
	}
}

func isKubernetes(imported string) bool { return within(imported, "k8s.io") }

func TestBuildsForTheBrowser(t *testing.T) {
	pkgs := patterns(append(slices.Clone(browser), "wasm"))
	if len(pkgs) == 0 {
		t.Skip("nothing for the browser yet")
	}
	outputWith(t, forBrowser, "go", append([]string{"build", "-o", os.DevNull}, pkgs...)...)
}

// pkg is what we need of go list's answer.
type pkg struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// path is the package's folder in the repository.
func (p pkg) path() string { return strings.TrimPrefix(p.ImportPath, module+"/") }

// all is what the package and its tests import.
func (p pkg) all() []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.Imports, p.TestImports, p.XTestImports))))
}

// ours lists the packages of the module.
func ours(t *testing.T, env ...string) []pkg {
	t.Helper()
	return list(t, env, "./...")
}

// everywhere lists the packages of the module as the server sees them and, where that differs, as the browser does.
func everywhere(t *testing.T) []pkg {
	t.Helper()
	all := ours(t)
	for _, p := range ours(t, forBrowser...) {
		if !slices.ContainsFunc(all, func(known pkg) bool { return reflect.DeepEqual(known, p) }) {
			all = append(all, p)
		}
	}
	return all
}

func list(t *testing.T, env []string, args ...string) []pkg {
	t.Helper()
	args = append([]string{"list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports"}, args...)
	decoder := json.NewDecoder(bytes.NewReader(outputWith(t, env, "go", args...)))
	var pkgs []pkg
	for {
		var p pkg
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return pkgs
		}
		if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// patterns turns the folders that exist into package patterns.
func patterns(folders []string) []string {
	var found []string
	for _, folder := range folders {
		if exists(folder) {
			found = append(found, "./"+folder+"/...")
		}
	}
	return found
}
