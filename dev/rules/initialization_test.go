package rules

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// traced starts a program of the browser in Node, up to the moment in which it waits for a page, and prints what the initialization of each package did.
const traced = `
const [script, file] = process.argv.slice(1);
const files = require("fs");
globalThis.fs = { ...files, writeSync: (to, text) => files.writeSync(1, text) };
require(script);
Object.assign(globalThis, { tell() {}, frame() {}, later() {}, listen: () => setTimeout(() => process.exit(0)) });
const go = new Go();
go.env = { GODEBUG: "inittrace=1" };
WebAssembly.instantiate(files.readFileSync(file), go.importObject).then(({ instance }) => go.run(instance));`

// allowed is how many bytes the initialization of a package may allocate: some errors, the texts of ten regular expressions, a few words in a map. A map
// of twenty words has more.
const allowed = 2048

// forLibraries are the allowances of packages that aren't ours.
var forLibraries = map[string]int{
	"unicode": 11_500, "syscall": 7_200, "go.yaml.in/yaml/v3": 6_500, "regexp/syntax": 2_400, "net/netip": 2_500, "encoding/base64": 1_500,
}

// A browser compiles a function when it is called first. So what a package makes in its initialization costs each visitor time before the first key, even
// if the page never needs it (docs/decisions/0145). Package kube/lazy makes tables when they are used, and the build compiles regular expressions so.
func TestProgramsStartWithoutWork(t *testing.T) {
	line := regexp.MustCompile(`(?m)^init (\S+) @.* ms clock, (\d+) bytes, (\d+) allocs$`)
	for _, program := range programs(t, "bin/", ".wasm") {
		found := line.FindAllStringSubmatch(string(output(t, "node", "-e", traced, "./static/dist/wasm_exec.js", program)), -1)
		if len(found) < 50 {
			t.Fatalf("%s told of %d packages only: build it with make wasm", program, len(found))
		}
		for _, one := range found {
			bytes, err := strconv.Atoi(one[2])
			if err != nil {
				t.Fatal(err)
			}
			if may := max(allowed, forLibraries[one[1]]); bytes > may {
				t.Errorf("%s: the initialization of %s allocates %d bytes in %s allocations, and may allocate %d. Make its tables when they are used: see package kube/lazy",
					program, one[1], bytes, one[3], may)
			}
		}
	}
}

// allowedCalls is how many calls the variables of a package may have in their values, such as those of errors.New.
const allowedCalls = 8

// A call in the value of a variable is code of the initialization, even if it allocates nothing.
func TestVariablesOfProgramsHaveFewCalls(t *testing.T) {
	for _, p := range list(t, forBrowser, append([]string{"-deps"}, programs(t, "./wasm/", "")...)...) {
		if !isOurs(p.ImportPath) {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, p.path(), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") {
				calls += callsOfVariables(t, name)
			}
		}
		if calls > allowedCalls {
			t.Errorf("the variables of %s have %d calls in their values, and may have %d: write the values as literals, or see package kube/lazy", p.ImportPath, calls, allowedCalls)
		}
	}
}

// callsOfVariables are the calls in the values of a file's variables, besides regular expressions and what a function does later.
func callsOfVariables(t *testing.T, name string) (calls int) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		variables, is := d.(*ast.GenDecl)
		if !is || variables.Tok != token.VAR {
			continue
		}
		ast.Inspect(variables, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				_, later := n.(*ast.FuncLit)
				return !later
			}
			if f, is := call.Fun.(*ast.SelectorExpr); !is || f.Sel.Name != "MustCompile" {
				calls++
			}
			return true
		})
	}
	return calls
}

// In the browser's programs, the method that is called first compiles an expression. Go's own tests of the package say whether everything else is as before:
// all but the one that compares expressions before they are used.
func TestExpressionsAreCompiledWhenTheyAreUsed(t *testing.T) {
	overlay := filepath.Join(t.TempDir(), "wasm")
	output(t, "node", "dev/scripts/wasm-stubs.mjs", strings.TrimSpace(string(output(t, "go", "env", "GOROOT"))), overlay)
	var all struct{ Replace map[string]string }
	written, err := os.ReadFile(overlay + ".json")
	if err == nil {
		err = json.Unmarshal(written, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(all.Replace, func(_, by string) bool { return by != overlay+".regexp.go.txt" })
	if len(all.Replace) != 1 {
		t.Fatalf("the build replaces %d files of regexp, want one", len(all.Replace))
	}
	only, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay+".json", only, 0o600); err != nil {
		t.Fatal(err)
	}
	output(t, "go", "test", "-short", "-overlay", overlay+".json", "-skip", "TestDeepEqual", "regexp")
}
