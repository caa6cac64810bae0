package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sideBySide is what a package imports that does something at the same time as something else.
var sideBySide = []string{"sync", "sync/atomic", "net/http", "net/http/httptest"}

// `make test` leaves the race detector out in kube, components and web, where it takes four times as long. That is sound while nothing
// there happens at the same time as something else, in tests neither.
func TestWhatRunsWithoutTheRaceDetectorDoesOneThingAtATime(t *testing.T) {
	seen := 0
	for _, name := range files(t, "*.go") {
		if folder, _, _ := strings.Cut(name, "/"); !slices.Contains([]string{"kube", "components", "web"}, folder) {
			continue
		}
		seen++
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, read(t, name), parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if what := atTheSameTime(n); what != "" {
				t.Errorf("%s: %s: `make test` tests this package without the race detector; move what happens at the same time to server or wasm, or test it as `racing` (dev/scripts/packages.sh)", fset.Position(n.Pos()), what)
			}
			return true
		})
	}
	if seen < 300 {
		t.Errorf("only %d files were looked at", seen)
	}
}

func atTheSameTime(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "a goroutine is started"
	case *ast.ImportSpec:
		if path, _ := strconv.Unquote(n.Path.Value); slices.Contains(sideBySide, path) {
			return path + " is imported"
		}
	case *ast.SelectorExpr:
		if n.Sel.Name == "Parallel" || n.Sel.Name == "RunParallel" {
			return "a test runs beside others"
		}
	}
	return ""
}
