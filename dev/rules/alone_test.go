package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sideBySide are the imports of packages that do several things at the same time.
var sideBySide = []string{"sync", "sync/atomic", "net/http", "net/http/httptest"}

// locked are files with an index that is made at the first question, behind a lock, because documents are judged side by side and ask each other. The
// race detector watches them in the tests of cli and server, which judge that way.
var locked = []string{"kube/ownership/blame.go", "kube/source/lists.go"}

// raced are the folders of kube whose packages are tested with the race detector (dev/scripts/packages.sh).
var raced = []string{"kube/census/reading", "kube/lazy", "kube/upgrade/gather"}

// `make test` doesn't use the race detector for kube, components and web, because the tests would take four times as long. This is safe as
// long as the packages there, and their tests, do only one thing at a time.
func TestWhatRunsWithoutTheRaceDetectorDoesOneThingAtATime(t *testing.T) {
	seen := 0
	for _, name := range files(t, "*.go") {
		if folder, _, _ := strings.Cut(name, "/"); !slices.Contains([]string{"kube", "components", "web"}, folder) {
			continue
		}
		seen++
		if slices.Contains(locked, name) || slices.Contains(raced, path.Dir(name)) {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, read(t, name), parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if what := atTheSameTime(n); what != "" {
				t.Errorf("%s: %s: `make test` tests this package without the race detector; move concurrent code to server or wasm, or add the package to `racing` (dev/scripts/packages.sh)", fset.Position(n.Pos()), what)
			}
			return true
		})
	}
	if seen < 300 {
		t.Errorf("only %d files were read", seen)
	}
}

func atTheSameTime(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "a goroutine is started"
	case *ast.ImportSpec:
		if imported, _ := strconv.Unquote(n.Path.Value); slices.Contains(sideBySide, imported) {
			return imported + " is imported"
		}
	case *ast.SelectorExpr:
		if n.Sel.Name == "Parallel" || n.Sel.Name == "RunParallel" {
			return "a test runs beside others"
		}
	}
	return ""
}
