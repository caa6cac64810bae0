package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// passage is a piece of text that people read.
type passage struct {
	line int // in its file; 0 if that isn't known
	text string
}

// where is the place of a part of the passage, for a person or an editor.
func (p passage) where(name string, at int) string {
	if p.line == 0 {
		return name + ": "
	}
	return name + ":" + strconv.Itoa(p.line+strings.Count(p.text[:at], "\n")) + ": "
}

// wholeFile is a file as one passage.
func wholeFile(t *testing.T, name string) []passage {
	t.Helper()
	return []passage{{1, string(read(t, name))}}
}

// literalPassages are the string literals of a Go file that have a space in them.
func literalPassages(t *testing.T, name string) []passage {
	t.Helper()
	return slices.DeleteFunc(literals(t, name), func(p passage) bool { return !strings.Contains(p.text, " ") })
}

// templPassages are what templ made of a file: its text, attributes that are read, and literals in its expressions.
func templPassages(t *testing.T, name string) []passage {
	t.Helper()
	var markup strings.Builder
	var all []passage
	for _, p := range literals(t, strings.TrimSuffix(name, ".templ")+"_templ.go") {
		if strings.ContainsAny(p.text, "<>=") { // a piece of the document: the next one goes on where it ends
			markup.WriteString(p.text + "…")
		} else {
			all = append(all, passage{0, p.text})
		}
	}
	for _, text := range htmlTexts(markup.String()) {
		all = append(all, passage{0, text})
	}
	return all
}

var (
	inlineTag = regexp.MustCompile(`</?(?:a|abbr|b|code|em|i|kbd|small|span|strong|var)\b[^<>]*>`)
	anyTag    = regexp.MustCompile(`<[^<>]*>`)
	readAttr  = regexp.MustCompile(`\s(?:title|alt|placeholder|label|aria-label|aria-description)="([^"]*)"`)
)

// htmlTexts are the texts of a document that people read: what stands in an element, and in some attributes.
func htmlTexts(markup string) []string {
	var all []string
	for _, match := range readAttr.FindAllStringSubmatch(markup, -1) {
		all = append(all, html.UnescapeString(match[1]))
	}
	text := anyTag.ReplaceAllString(inlineTag.ReplaceAllString(markup, ""), "\n\n")
	return append(all, html.UnescapeString(text))
}

// literals are the string literals of a Go file. Those that are added to each other are one, with … for what is no literal.
func literals(t *testing.T, name string) []passage {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join(root, name), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []passage
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field: // its tag is for programs
			return n.Tag == nil
		case *ast.BinaryExpr:
			if text, ok := added(n); ok {
				all = append(all, passage{fset.Position(n.Pos()).Line, text})
				return false
			}
		case *ast.BasicLit:
			if text, ok := added(n); ok {
				all = append(all, passage{fset.Position(n.Pos()).Line, text})
			}
		}
		return true
	})
	return all
}

// added is the text of literals that are added to each other.
func added(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.ParenExpr:
		return added(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, isLeft := added(e.X)
		right, isRight := added(e.Y)
		if !isLeft {
			left = "…"
		}
		if !isRight {
			right = "…"
		}
		return left + right, isLeft || isRight
	}
	return "", false
}

func TestTextsAreTakenOut(t *testing.T) {
	for markup, want := range map[string][]string{
		`<p class="anew">One <b>two</b> three</p><p>four`: {"One two three", "four"},
		`<a title="one &amp; two" href="x">three</a>`:     {"one & two", "three"},
		`<input placeholder="one" name="two">`:            {"one"},
		`<th scope="col">Head</th><td>…</td>`:             {"Head", "…"},
		`<i class="…" aria-label="one"></i>two`:           {"one", "two"},
	} {
		var got []string
		for _, text := range htmlTexts(markup) {
			for part := range strings.SplitSeq(text, "\n\n") {
				if part != "" {
					got = append(got, part)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, not %q", markup, got, want)
		}
	}
	for source, want := range map[string]string{
		`"one " + "two"`:         "one two",
		`"one " + x + " two"`:    "one … two",
		"`one`":                  "one",
		`"one " + (f() + "two")`: "one …two",
		`x + y`:                  "",
		`1 + 2`:                  "",
	} {
		e, err := parser.ParseExpr(source)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := added(e); text != want && want != "" {
			t.Errorf("%s is %q, not %q", source, text, want)
		}
		if _, ok := added(e); ok != (want != "") {
			t.Errorf("%s is text: %t", source, ok)
		}
	}
}
