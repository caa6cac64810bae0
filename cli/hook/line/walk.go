package line

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

func (r *reader) stmts(all []*syntax.Stmt, s *state, at place) *state {
	ok := s
	for _, st := range all {
		ok = r.stmt(st, s, at)
	}
	return ok
}

// stmt walks a statement, and changes the state to that after it. The result is the state if the statement succeeded.
func (r *reader) stmt(st *syntax.Stmt, s *state, at place) *state {
	if st.Background || st.Coprocess || st.Disown {
		s.forget(st)
		s = s.clone()
	}
	in, writes := r.redirects(st.Redirs, s, at.in)
	at.in = in
	if _, simple := st.Cmd.(*syntax.CallExpr); writes && !simple {
		r.calls = append(r.calls, Call{Writes: true, Again: at.again})
	}
	switch x := st.Cmd.(type) {
	case nil:
		return s
	case *syntax.CallExpr:
		r.call(x, s, at, writes)
		return s
	case *syntax.BinaryCmd:
		return r.binary(x, s, at)
	case *syntax.Block:
		return r.stmts(x.Stmts, s, at.within())
	case *syntax.TimeClause:
		if x.Stmt != nil {
			return r.stmt(x.Stmt, s, at)
		}
		return s
	case *syntax.DeclClause:
		r.declare(x, s)
		return s
	}
	r.branches(st.Cmd, s, at.within())
	return s
}

// branches walks a command whose parts run in a shell of their own, or not at all, or several times.
func (r *reader) branches(cmd syntax.Command, s *state, at place) {
	if _, apart := cmd.(*syntax.Subshell); !apart {
		defer s.forget(cmd)
	}
	switch x := cmd.(type) {
	case *syntax.Subshell:
		r.stmts(x.Stmts, s.clone(), at)
	case *syntax.IfClause:
		for ; x != nil; x = x.Else {
			r.stmts(x.Cond, s, at)
			r.stmts(x.Then, s.clone(), at)
		}
	case *syntax.WhileClause:
		s.forget(cmd)
		at.again = true
		r.stmts(x.Cond, s.clone(), at)
		r.stmts(x.Do, s.clone(), at)
	case *syntax.ForClause:
		s.forget(cmd)
		at.again = true
		r.inside(x.Loop, s, at)
		r.stmts(x.Do, s.clone(), at)
	case *syntax.CaseClause:
		r.word(x.Word, s, at)
		for _, item := range x.Items {
			for _, p := range item.Patterns {
				r.word(p, s, at)
			}
			r.stmts(item.Stmts, s.clone(), at)
		}
	case *syntax.FuncDecl:
		r.doubt("The command declares a function, which can have the name of a program.")
		at.again = true
		apart := s.clone()
		apart.forget(cmd)
		apart.folder = ""
		r.stmt(x.Body, apart, at)
	case *syntax.CoprocClause:
		r.doubt("Fieldmark doesn’t read coprocesses.")
		r.stmt(x.Stmt, s.clone(), at)
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		r.inside(cmd, s, at)
	default:
		r.doubt("The command has a part that Fieldmark can’t read.")
	}
}

// inside walks what is substituted somewhere in a node that isn't a word.
func (r *reader) inside(n syntax.Node, s *state, at place) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.ArithmExp:
			clear(s.vars) // it can set variables
		case *syntax.ParamExp:
			if x.Param != nil && x.Exp != nil && (x.Exp.Op == syntax.AssignUnset || x.Exp.Op == syntax.AssignUnsetOrNull) {
				s.lose(x.Param.Value)
			}
		case *syntax.CmdSubst:
			r.stmts(x.Stmts, s.clone(), at.within())
			return false
		case *syntax.ProcSubst:
			r.stmts(x.Stmts, s.clone(), at.within())
			return false
		}
		return true
	})
}

func (r *reader) binary(x *syntax.BinaryCmd, s *state, at place) *state {
	switch x.Op {
	case syntax.AndStmt:
		then := r.stmt(x.X, s, at).clone()
		ok := r.stmt(x.Y, then, at)
		s.merge(then)
		return ok
	case syntax.OrStmt:
		ok := r.stmt(x.X, s, at).clone()
		other := s.clone()
		ok.merge(r.stmt(x.Y, other, at))
		s.merge(other)
		return ok
	}
	r.stmt(x.X, s.clone(), at)
	at.in = Input{Given: true}
	if x.Op == syntax.Pipe {
		at.in = r.output(x.X, s)
	}
	r.stmt(x.Y, s.clone(), at)
	s.forget(x)
	return s
}

// declare takes the assignments of export, declare and the like.
func (r *reader) declare(x *syntax.DeclClause, s *state) {
	for _, a := range x.Args {
		r.assign(a, s)
		if x.Variant.Value == "local" && a.Name != nil {
			s.lose(a.Name.Value) // outside of a function, it fails
		}
	}
}

// assign takes one assignment.
func (r *reader) assign(a *syntax.Assign, s *state) {
	value := Word{Known: !a.Naked, One: true}
	switch {
	case a.Value != nil:
		value = r.assigned(a.Value, s)
	case a.Array != nil:
		r.inside(a.Array, s, place{})
		value = Word{}
	}
	if a.Index != nil {
		r.inside(a.Index, s, place{})
		value = Word{}
	}
	if a.Name == nil {
		return
	}
	if before, known := s.vars[a.Name.Value]; a.Naked && known {
		value = Word{before, true, true} // export NAME
	}
	if a.Append {
		value = Word{}
	}
	s.assign(a.Name.Value, value)
}

// call takes a program with its arguments.
func (r *reader) call(x *syntax.CallExpr, s *state, at place, writes bool) {
	if len(x.Args) == 0 {
		for _, a := range x.Assigns {
			r.assign(a, s)
		}
		if writes {
			r.calls = append(r.calls, Call{Writes: true, Again: at.again})
		}
		return
	}
	r.visited[x] = true
	own := s.clone()
	for _, a := range x.Assigns {
		if r.assign(a, own); a.Name != nil {
			own.lose(a.Name.Value) // a program in a later one has it in its environment, and $NAME there is still the value before
		}
	}
	c := Call{Folder: s.folder, Input: at.in, Set: own.set, Writes: writes, Again: at.again}
	for _, w := range x.Args {
		c.Words = append(c.Words, r.word(w, s, at))
	}
	c = r.unwrap(c)
	r.calls = append(r.calls, c)
	if !slices.ContainsFunc(c.Via, func(w string) bool { return w != "command" && w != "builtin" }) { // env and the like run programs, and no builtins
		r.builtin(c, s)
	}
}

// builtin changes the state as a builtin does.
func (r *reader) builtin(c Call, s *state) {
	switch name := c.Name(); name {
	case "cd":
		s.folder = r.changed(c, s)
	case "":
		s.folder = ""
		clear(s.vars)
	case "read", "unset", "getopts", "printf", "mapfile", "readarray":
		for _, w := range c.Words[1:] {
			s.mark(w.Text)
		}
		s.byBuiltin(name)
	default:
		s.byBuiltin(name)
	}
}

// changed is the folder after cd; empty: unknown.
func (r *reader) changed(c Call, s *state) string {
	switch {
	case len(c.Words) == 1:
		return r.home
	case len(c.Words) != 2, !c.Words[1].Known, !c.Words[1].One, slices.Contains(s.set, "CDPATH"):
		return ""
	case len(c.Words[1].Text) > 0 && c.Words[1].Text[0] == '-':
		return ""
	}
	return resolve(s.folder, c.Words[1].Text)
}
