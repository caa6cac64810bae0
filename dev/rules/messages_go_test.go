package rules

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const domFolder = "wasm/dom"

// inGo are the messages of the programs: those that package dom says, those that it reads, and the parts of these.
type inGo struct {
	t                 *testing.T
	fset              *token.FileSet
	info              *types.Info
	said, read, parts uses
}

func goMessages(t *testing.T) inGo {
	t.Helper()
	m := inGo{t, token.NewFileSet(), &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}, uses{}, uses{}, uses{}}
	for _, file := range m.files() {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				m.function(f)
			}
		}
	}
	return m
}

// files are the files of package dom, with their types.
func (m inGo) files() []*ast.File {
	exported := map[string]string{}
	for line := range strings.Lines(string(outputWith(m.t, forBrowser, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./"+domFolder))) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exported[path] = file
	}
	var all []*ast.File
	for _, name := range files(m.t, domFolder+"/*.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(m.fset, name, read(m.t, name), parser.SkipObjectResolution)
		if err != nil {
			m.t.Fatal(err)
		}
		all = append(all, file)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(filepath.Clean(exported[path])) }
	config := types.Config{Importer: importer.ForCompiler(m.fset, "gc", open)}
	if _, err := config.Check(domFolder, m.fset, all, m.info); err != nil {
		m.t.Fatal(err)
	}
	return all
}

// function notes what a function says and reads. One that gets the name of a message reads that message in the branch of the name. Another one reads the
// part that its parameter is called after.
func (m inGo) function(f *ast.FuncDecl) {
	message, names := "", false
	for _, p := range f.Type.Params.List {
		if kind, ok := p.Type.(*ast.Ident); ok && kind.Name == "Happening" {
			message = p.Names[0].Name
		}
		names = names || p.Names != nil && p.Names[0].Name == "name"
	}
	if message != "" && !names {
		m.parts.add(message, m.at(f), m.fieldsOf(message, f.Body))
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if called(n) == "say" {
				m.says(n)
			}
		case *ast.CaseClause:
			for _, of := range n.List {
				m.reads(of, message, n)
			}
		case *ast.IfStmt:
			if is, ok := n.Cond.(*ast.BinaryExpr); ok && is.Op == token.EQL {
				m.reads(is.Y, message, n.Body)
			}
		}
		return true
	})
}

func (m inGo) at(n ast.Node) string { return m.fset.Position(n.Pos()).String() }

// says notes a call like say("show place html", string(place), html). A value has the name of its field, so that two of them can't be mistaken for each other.
func (m inGo) says(call *ast.CallExpr) {
	signature, ok := literal(call.Args[0])
	if !ok {
		if !call.Ellipsis.IsValid() {
			m.t.Errorf("%s says a message whose name can't be read here", m.at(call))
		}
		return
	}
	words, values := strings.Fields(signature), call.Args[1:]
	var fields []field
	for i, name := range words[1:] {
		if i < len(values) {
			fields = append(fields, field{name, kindOf(m.info.Types[values[i]].Type)})
			m.named(values[i], name)
		}
	}
	if len(fields) != len(values) || len(fields) != len(words)-1 {
		m.t.Errorf("%s names %d fields, but gives %d values", m.at(call), len(words)-1, len(values))
	}
	m.said.add(words[0], m.at(call), fields)
}

// named tells if the last name of an expression isn't that of the field that it is for: string(to.Model) is for the field model.
func (m inGo) named(value ast.Expr, name string) {
	last := ""
	ast.Inspect(value, func(n ast.Node) bool {
		if is, ok := n.(*ast.Ident); ok {
			last = is.Name
		}
		return true
	})
	if !strings.EqualFold(last, name) {
		m.t.Errorf("%s: %s is for the field %q: give both the same name, and the fields and the values the same order", m.at(value), last, name)
	}
}

// reads notes a message that a branch reads.
func (m inGo) reads(of ast.Expr, message string, branch ast.Node) {
	if name, ok := literal(of); ok && message != "" {
		m.read.add(name, m.at(branch), m.fieldsOf(message, branch))
	}
}

// kinds are what the methods of dom.Happening read.
var kinds = map[string]string{"text": "text", "number": "number", "truth": "truth", "bytes": "bytes", "list": "texts"}

// fieldsOf are the fields that a part of a function reads of a message.
func (m inGo) fieldsOf(message string, within ast.Node) (fields []field) {
	ast.Inspect(within, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			if f := readBy(message, pair.Value); f.kind != "" {
				m.named(pair.Key, f.name)
			}
		}
		if e, ok := n.(ast.Expr); ok {
			if f := readBy(message, e); f.name != "" {
				fields = append(fields, f)
			}
		}
		return true
	})
	return fields
}

// readBy is the field that an expression like h.text("address") reads; nothing: none.
func readBy(message string, e ast.Expr) field {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return field{}
	}
	of, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return field{}
	}
	if is, ok := of.X.(*ast.Ident); !ok || is.Name != message {
		return field{}
	}
	name, _ := literal(call.Args[0])
	if of.Sel.Name == "part" {
		return field{name, ""}
	}
	return field{name, kinds[of.Sel.Name]}
}

func called(call *ast.CallExpr) string {
	if of, ok := call.Fun.(*ast.SelectorExpr); ok {
		return of.Sel.Name
	}
	return ""
}

func literal(e ast.Expr) (text string, ok bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

// kindOf is the kind of a field with values of a type.
func kindOf(of types.Type) string {
	switch of := of.Underlying().(type) {
	case *types.Basic:
		switch {
		case of.Info()&types.IsString != 0:
			return "text"
		case of.Info()&types.IsBoolean != 0:
			return "truth"
		case of.Info()&types.IsNumeric != 0:
			return "number"
		}
	case *types.Slice:
		return "texts"
	}
	return "bytes"
}
