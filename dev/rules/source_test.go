package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

const longestFunction = 60

func TestFunctionsAreShort(t *testing.T) {
	for _, name := range files(t, "*.go") {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, read(t, name), parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		if ast.IsGenerated(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				return true
			}
			if lines := fset.Position(f.Body.Rbrace).Line - fset.Position(f.Body.Lbrace).Line - 1; lines > longestFunction {
				t.Errorf("%s: %s has %d lines, more than %d: it is too long to keep in mind; give its parts names (a long table of cases can be a variable)",
					fset.Position(f.Pos()), f.Name.Name, lines, longestFunction)
			}
			return true
		})
	}
}

// later finds a note about later in a comment, and the owner behind it.
var later = regexp.MustCompile(`(?://|#|/\*|<!--|^\s*\*).*\b(TODO|FIXME|XXX)\b(\([^)]+\))?`)

func TestNothingIsLeftWithoutAnOwner(t *testing.T) {
	for _, name := range files(t, "*.go", "*.templ", "*.css", "*.js", "*.ts", "*.sh", "*.yml", "*.yaml", "*.md", "Makefile") {
		if strings.HasPrefix(name, "dev/rules/") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		for i, line := range strings.Split(string(read(t, name)), "\n") {
			if found := later.FindStringSubmatch(line); found != nil && found[2] == "" {
				t.Errorf("%s:%d: a %s without an owner is never done: write %[3]s(name) with the number of an issue, or do it now", name, i+1, found[1])
			}
		}
	}
}

// strayElse is what templ makes of `else if` among the attributes of an element: an attribute called else, and an if of its own.
var strayElse = regexp.MustCompile(`WriteString\(\w+, \d+, " else"\)`)

func TestNoAttributeIsCalledElse(t *testing.T) {
	for _, name := range files(t, "*_templ.go") {
		if strayElse.Match(read(t, name)) {
			t.Errorf("%s: templ knows no `else if` among attributes: let a method choose the value", name)
		}
	}
}
