// Package line reads a command line of a shell: the programs that it runs, their arguments, and their standard input. It runs nothing, and reads no file.
//
//	text ──▶ mvdan.cc/sh: syntax tree ──▶ walk, with what is known of variables and of the folder ──▶ wrappers removed ──▶ calls
//	                                       └ what can't be known is a doubt, or a word that isn't known
//
// The tree is walked twice: once by these rules, and once for every call that it has. A call that the rules don't reach is a doubt.
package line

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Word is an argument of a program.
type Word struct {
	Text  string
	Known bool // the text is what the program will get
	One   bool // it is exactly one argument, whatever its text is
}

// Piece is a part of a standard input: a text, or the content of a file.
type Piece struct{ Text, File string }

// Input is the standard input of a program.
type Input struct {
	Given  bool // the line says where it comes from
	Known  bool // the pieces are all of it
	Pieces []Piece
}

// Call is one run of a program. Wrappers such as timeout are removed.
type Call struct {
	Words  []Word
	Folder string // in which the program runs; empty: unknown
	Input  Input
	// Set are the variables that the line has set before, or for this program.
	Set []string
	// Writes tells that the output goes into a file.
	Writes bool
	// Again tells that the program may run several times, so that later calls of the line come before it, too.
	Again bool
	// Via are the wrappers that were removed.
	Via []string
	// Appended tells that a wrapper adds arguments that nobody knows.
	Appended bool
}

// Name is the program, as the line names it; empty: it can't be known.
func (c Call) Name() string {
	if len(c.Words) == 0 || !c.Words[0].Known || !c.Words[0].One {
		return ""
	}
	return c.Words[0].Text
}

// Line is what a command line runs.
type Line struct {
	Calls []Call
	// Doubts are the reasons why there may be other calls, or other arguments.
	Doubts []string
}

// Longest is how long a line may be, in bytes.
const Longest = 256 << 10

// Read reads a line that a shell would run in a folder, for a user with a home folder.
func Read(text, folder, home string) Line {
	if len(text) > Longest {
		return Line{Doubts: []string{fmt.Sprintf("The command is longer than %d kB.", Longest>>10)}}
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return Line{Doubts: []string{"The command is no valid shell syntax."}}
	}
	r := &reader{home: home, visited: map[*syntax.CallExpr]bool{}}
	r.stmts(file.Stmts, &state{folder: folder, vars: map[string]string{}}, place{})
	missed := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, is := n.(*syntax.CallExpr); is && len(c.Args) > 0 && !r.visited[c] {
			missed = true
		}
		return true
	})
	if missed {
		r.doubt("The command has a part that Fieldmark can’t read.")
	}
	if evaluates(file) {
		r.doubt(hidden)
	}
	return Line{Calls: r.calls, Doubts: r.doubts}
}

// state is what is known at one point of a line.
type state struct {
	folder string            // empty: unknown
	vars   map[string]string // those whose text is known
	set    []string          // all variables that the line has set
}

func (s *state) clone() *state {
	vars := make(map[string]string, len(s.vars))
	for k, v := range s.vars {
		vars[k] = v
	}
	return &state{s.folder, vars, slices.Clone(s.set)}
}

// merge keeps what is the same in another state that may hold as well.
func (s *state) merge(other *state) {
	if s.folder != other.folder {
		s.folder = ""
	}
	for k, v := range s.vars {
		if now, has := other.vars[k]; !has || now != v {
			delete(s.vars, k)
		}
	}
	for _, name := range other.set {
		s.mark(name)
	}
}

// lose marks a variable whose new value nobody knows.
func (s *state) lose(name string) {
	s.mark(name)
	delete(s.vars, name)
}

func (s *state) mark(name string) {
	if !slices.Contains(s.set, name) {
		s.set = append(s.set, name)
	}
}

// assign sets a variable. A value that isn't known is kept as such.
func (s *state) assign(name string, value Word) {
	s.mark(name)
	delete(s.vars, name)
	if value.Known && value.One {
		s.vars[name] = value.Text
	}
}

// forget drops what a part of the line may change, however often it runs.
func (s *state) forget(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.Assign:
			if x.Name != nil {
				s.lose(x.Name.Value)
			}
		case *syntax.WordIter:
			s.lose(x.Name.Value)
		case *syntax.CallExpr:
			if len(x.Args) > 0 {
				s.byBuiltin(x.Args[0].Lit())
			}
		case *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.LetClause:
			clear(s.vars)
		}
		return true
	})
}

// byBuiltin drops what a builtin may change.
func (s *state) byBuiltin(name string) {
	switch name {
	case "cd", "pushd", "popd":
		s.folder = ""
	case "builtin", "command", "eval", "source", ".":
		s.folder = ""
		clear(s.vars)
	case "read", "mapfile", "readarray", "printf", "getopts", "unset", "shift", "set":
		clear(s.vars)
	}
}

// place is where a statement is.
type place struct {
	in    Input
	again bool
}

// within is the place of the parts of a compound command. They share its standard input, so none of them has a known one.
func (p place) within() place {
	if p.in.Given {
		p.in = Input{Given: true}
	}
	return p
}

type reader struct {
	home    string
	calls   []Call
	doubts  []string
	visited map[*syntax.CallExpr]bool
}

func (r *reader) doubt(why string) {
	if !slices.Contains(r.doubts, why) {
		r.doubts = append(r.doubts, why)
	}
}

// resolve is a path as an absolute one; empty: nobody knows the folder.
func resolve(folder, name string) string {
	switch {
	case path.IsAbs(name):
		return path.Clean(name)
	case folder == "" || name == "":
		return ""
	}
	return path.Join(folder, name)
}
