package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// waits finds what makes a test in the browser wait for a time to pass. Playwright's own limits of a test are none of that.
var waits = regexp.MustCompile(`\bwaitForTimeout\(|(?:^|[^.\w])setTimeout\(`)

// A test that waits for a time to pass fails on a busy machine, and wastes the time on all others. A time may be the thing
// itself: its line says so in a comment.
func TestNoTestWaitsForATimeToPass(t *testing.T) {
	for _, name := range files(t, "e2e/*.ts") {
		for i, line := range strings.Split(string(read(t, name)), "\n") {
			if waits.MatchString(line) && !strings.Contains(line, " // ") {
				t.Errorf("%s:%d: wait for a condition (expect, eventually), or say in a comment in the line why the test is about a time", name, i+1)
			}
		}
	}
	for _, name := range files(t, "*_test.go") {
		for _, line := range sleeps(t, name) {
			t.Errorf("%s:%d: wait for a condition (a channel, or a loop that checks again: `for …; …; time.Sleep(…)`), or say in a comment in the line why the test is about a time", name, line)
		}
	}
}

// sleeps returns the lines of a Go file that wait for a time, without a comment: calls of time.Sleep that are not a loop's
// pause between two looks, and cases of a select that go on after a time.
func sleeps(t *testing.T, name string) []int {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, read(t, name), parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	commented, pauses := map[int]bool{}, map[ast.Node]bool{}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			commented[fset.Position(comment.Pos()).Line] = true
		}
	}
	var found []int
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if post, ok := n.Post.(*ast.ExprStmt); ok {
				pauses[post.X] = true
			}
		case *ast.CallExpr:
			if line := fset.Position(n.Pos()).Line; of(n, "time", "Sleep") && !pauses[n] && !commented[line] {
				found = append(found, line)
			}
		case *ast.CommClause:
			if line := fset.Position(n.Pos()).Line; afterATime(n) && !fails(n.Body) && !commented[line] {
				found = append(found, line)
			}
		}
		return true
	})
	return found
}

// of tells whether a call is one of a package's function.
func of(call *ast.CallExpr, pkg, name string) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != name {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// afterATime tells whether a case of a select is `<-time.After(…)`.
func afterATime(clause *ast.CommClause) bool {
	s, ok := clause.Comm.(*ast.ExprStmt)
	if !ok {
		return false
	}
	receive, ok := s.X.(*ast.UnaryExpr)
	if !ok {
		return false
	}
	call, ok := receive.X.(*ast.CallExpr)
	return ok && of(call, "time", "After")
}

// fails tells whether statements end a test, or what it waits in, as too late.
func fails(body []ast.Stmt) bool {
	failed := false
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				failed = true
			case *ast.CallExpr:
				switch f := n.Fun.(type) {
				case *ast.SelectorExpr:
					failed = failed || f.Sel.Name == "Fatal" || f.Sel.Name == "Fatalf" || f.Sel.Name == "Error" || f.Sel.Name == "Errorf"
				case *ast.Ident:
					failed = failed || f.Name == "panic"
				}
			}
			return true
		})
	}
	return failed
}
