package check

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what documents say about the kinds of findings")

// declared are the constants of type Kind, in their order.
func declared(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "kinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range file.Decls {
		group, is := d.(*ast.GenDecl)
		if !is || group.Tok != token.CONST {
			continue
		}
		for _, s := range group.Specs {
			one := s.(*ast.ValueSpec)
			if typ, is := one.Type.(*ast.Ident); is && typ.Name == "Kind" {
				all = append(all, strings.Trim(one.Values[0].(*ast.BasicLit).Value, `"`))
			}
		}
	}
	return all
}

func TestTheTableHasEachKind(t *testing.T) {
	if got, want := Names(Kinds()), declared(t); !slices.Equal(got, want) {
		t.Errorf("the table has %v, and the constants are %v", got, want)
	}
	var before Severity
	for i, a := range kinds {
		if a.Title == "" || strings.HasSuffix(a.Title, ".") || !strings.HasSuffix(a.Means, ".") || !strings.HasSuffix(a.Do, ".") || a.Topic == "" {
			t.Errorf("something is missing, or has a wrong end: %+v", a)
		}
		if len(a.Kind) > 9 {
			t.Errorf("%s is wider than its column in a terminal", a.Kind)
		}
		if i > 0 && a.Severity > before {
			t.Errorf("%s is worse than the kind before it", a.Kind)
		}
		if before = a.Severity; a.Kind.About() != a || a.Kind.Rank() != i {
			t.Errorf("%s isn't found", a.Kind)
		}
	}
	if none := Kind("none"); none.Rank() != -1 || none.About() != (About{Kind: none}) {
		t.Error(none.About())
	}
}

// TestDocumentsHaveTheTable holds documents to the table. With -update, it writes them.
func TestDocumentsHaveTheTable(t *testing.T) {
	fails := Names(FailOn())
	last := len(fails) - 1
	page := "| finding | fails | means | what to do |\n|---|---|---|---|\n"
	for _, a := range kinds {
		page += fmt.Sprintf("| %#q | %s | %s | %s |\n", a.Kind, map[bool]string{true: "yes"}[a.Fails], a.Means, a.Do)
	}
	for _, d := range []struct{ file, from, to, want string }{
		{"schemas/check.v1.json", `"kind": {"enum": [`, `]},`, `"` + strings.Join(Names(Kinds()), `", "`) + `"`},
		{"ci.md", "A finding fails the check: ", ". Choose", "`" + strings.Join(fails[:last], "`, `") + "` or `" + fails[last] + "`"},
		{"ways-out.md", "<!-- kinds -->\n\n", "\n<!-- end of kinds -->", page},
	} {
		file := "../../docs/" + d.file
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		place := regexp.MustCompile(`(?s)` + regexp.QuoteMeta(d.from) + `.*?` + regexp.QuoteMeta(d.to))
		if *update {
			text = place.ReplaceAllLiteral(text, []byte(d.from+d.want+d.to))
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := place.FindAllString(string(text), -1); len(got) != 1 || got[0] != d.from+d.want+d.to {
			t.Errorf("%s isn't what the table says: run 'make generate', and commit it\n%s", d.file, got)
		}
	}
}
