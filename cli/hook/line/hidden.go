package line

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A shell runs more than commands. Arithmetic evaluates the text of a variable again, and an index in this text can be $(a command). The same is true of
// names of variables that builtins take, of ${x@P}, and of ${!x}. So the rules of this file look at the whole line, whatever its order is: a text that a
// shell could evaluate again is a doubt, unless it is a number or a name that the line sets to numbers only.

const hidden = "The command has a text that the shell evaluates again, so it can have another command in it."

var (
	number = regexp.MustCompile(`^([0-9]+|0[xX][0-9a-fA-F]+)$`)
	name   = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
)

// evaluation is what is known of a line about texts that are evaluated again.
type evaluation struct {
	wild   map[string]bool // variables that the line sets to something else than numbers
	opaque bool            // a builtin sets variables, so nobody knows which are numbers
	found  bool
}

// evaluates tells whether a shell may evaluate a text of the line again.
func evaluates(file *syntax.File) bool {
	e := &evaluation{wild: map[string]bool{}}
	syntax.Walk(file, func(n syntax.Node) bool {
		e.assigned(n)
		return true
	})
	syntax.Walk(file, func(n syntax.Node) bool {
		e.node(n)
		return !e.found
	})
	return e.found
}

// assigned notes which variables have other texts than numbers.
func (e *evaluation) assigned(n syntax.Node) {
	switch x := n.(type) {
	case *syntax.Assign:
		if x.Name != nil && !(x.Value != nil && !x.Append && number.MatchString(x.Value.Lit())) {
			e.wild[x.Name.Value] = true
		}
	case *syntax.WordIter:
		if len(x.Items) == 0 || slices.ContainsFunc(x.Items, func(w *syntax.Word) bool { return !number.MatchString(w.Lit()) }) {
			e.wild[x.Name.Value] = true
		}
	case *syntax.CallExpr:
		if args := bare(x); len(args) > 0 {
			called := plainText(args[0])
			e.opaque = e.opaque || called == "" || slices.Contains([]string{"read", "mapfile", "readarray", "getopts", "eval", "source", "."}, called) ||
				called == "printf" && slices.ContainsFunc(args, func(w *syntax.Word) bool { return strings.HasPrefix(plainText(w), "-v") || plainText(w) == "" })
		}
	}
}

func (e *evaluation) node(n syntax.Node) {
	switch x := n.(type) {
	case *syntax.ArithmExp:
		e.arithmetic(x.X)
	case *syntax.ArithmCmd:
		e.arithmetic(x.X)
	case *syntax.LetClause:
		for _, one := range x.Exprs {
			e.arithmetic(one)
		}
	case *syntax.CStyleLoop:
		e.arithmetic(x.Init)
		e.arithmetic(x.Cond)
		e.arithmetic(x.Post)
	case *syntax.ParamExp:
		e.expansion(x)
	case *syntax.Assign:
		e.index(x.Index)
		e.found = e.found || x.Name == nil && x.Value != nil && !isOption(x.Value)
	case *syntax.DeclClause:
		e.declaration(x)
	case *syntax.BinaryTest:
		if slices.Contains([]syntax.BinTestOperator{syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr}, x.Op) {
			e.tested(x.X)
			e.tested(x.Y)
		}
	case *syntax.UnaryTest:
		if w, is := x.X.(*syntax.Word); x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			e.found = e.found || !is || !name.MatchString(plainText(w))
		}
	case *syntax.CallExpr:
		e.builtin(x)
	}
}

func isOption(w *syntax.Word) bool {
	return strings.HasPrefix(w.Lit(), "-") || strings.HasPrefix(w.Lit(), "+")
}

// declaration looks for attributes with which later assignments are evaluated, refused, or made to another variable.
func (e *evaluation) declaration(x *syntax.DeclClause) {
	e.found = e.found || x.Variant.Value == "readonly" || x.Variant.Value == "nameref"
	for _, a := range x.Args {
		if a.Name == nil && a.Value != nil && isOption(a.Value) {
			e.found = e.found || strings.Trim(plainText(a.Value), "-+xgaAp") != ""
		}
	}
}

// expansion looks for what evaluates the value of a variable.
func (e *evaluation) expansion(x *syntax.ParamExp) {
	e.index(x.Index)
	if x.Slice != nil {
		e.arithmetic(x.Slice.Offset)
		e.arithmetic(x.Slice.Length)
	}
	e.found = e.found || x.Excl && x.Names == 0
	if x.Exp == nil {
		return
	}
	e.found = e.found || x.Exp.Op == syntax.OtherParamOps
	if x.Exp.Word == nil {
		return
	}
	for _, part := range x.Exp.Word.Parts { // between double quotes, single quotes have no meaning here
		q, is := part.(*syntax.SglQuoted)
		e.found = e.found || is && strings.ContainsAny(q.Value, "$`")
	}
}

// index looks at the index of an array.
func (e *evaluation) index(x syntax.ArithmExpr) {
	if w, is := x.(*syntax.Word); is && (w.Lit() == "@" || w.Lit() == "*") {
		return
	}
	e.arithmetic(x)
}

// arithmetic looks at an expression. Only numbers, and variables that are numbers, aren't evaluated any further.
func (e *evaluation) arithmetic(x syntax.ArithmExpr) {
	if x == nil || e.found {
		return
	}
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		e.arithmetic(x.X)
		e.arithmetic(x.Y)
	case *syntax.UnaryArithm:
		e.arithmetic(x.X)
	case *syntax.ParenArithm:
		e.arithmetic(x.X)
	case *syntax.Word:
		e.found = e.found || x != nil && !e.tame(x)
	default:
		e.found = true
	}
}

// tested looks at an operand of [[ that is a number.
func (e *evaluation) tested(x syntax.TestExpr) {
	w, is := x.(*syntax.Word)
	e.found = e.found || !is || !e.tame(w)
}

// tame tells whether a word is a number, or a variable that is one.
func (e *evaluation) tame(w *syntax.Word) bool {
	if text := w.Lit(); text != "" {
		return number.MatchString(text) || name.MatchString(text) && e.isNumber(text)
	}
	for _, part := range w.Parts {
		x, is := part.(*syntax.ParamExp)
		switch l, literal := part.(*syntax.Lit); {
		case literal && number.MatchString(l.Value):
		case !is || x.Param == nil || x.Excl || x.Index != nil || x.Slice != nil || x.Repl != nil || x.Exp != nil || x.Names != 0:
			return false
		case x.Length || slices.Contains([]string{"#", "?", "$", "!"}, x.Param.Value):
		case !name.MatchString(x.Param.Value) || !e.isNumber(x.Param.Value):
			return false
		}
	}
	return true
}

func (e *evaluation) isNumber(variable string) bool { return !e.opaque && !e.wild[variable] }

// builtin looks at the arguments of builtins that take names of variables. A name can have an index, and that is arithmetic.
func (e *evaluation) builtin(x *syntax.CallExpr) {
	args := bare(x)
	if len(args) == 0 {
		return
	}
	called, args := plainText(args[0]), args[1:]
	switch called {
	case "test", "[":
		e.condition(args)
	case "printf":
		if len(args) > 0 && (strings.HasPrefix(plainText(args[0]), "-") || e.open(args[0])) {
			e.names(args[:min(2, len(args))])
		}
	case "read", "unset", "getopts", "wait":
		e.names(args)
	case "set":
		for _, w := range args {
			if plainText(w) == "--" {
				return
			}
			e.found = e.found || e.open(w) || isOption(w) && strings.Contains(plainText(w), "k") || plainText(w) == "keyword"
		}
	}
}

// names looks at words that can be names of variables.
func (e *evaluation) names(words []*syntax.Word) {
	for _, w := range words {
		e.found = e.found || strings.Contains(plainText(w), "[") || e.open(w)
	}
}

// condition looks at the arguments of test. -v and -R evaluate a name. An argument that the line computes can be -v, if another argument follows that is
// no operator.
func (e *evaluation) condition(args []*syntax.Word) {
	for i, w := range args {
		text := plainText(w)
		if text == "-v" || text == "-R" || e.open(w) && (!isQuoted(w) || i+1 < len(args) && !testOperator.MatchString(plainText(args[i+1]))) {
			e.names(args[i : len(args)-1])
			e.found = e.found || len(args) > i+1 && plainText(args[len(args)-1]) != "]" && (strings.Contains(plainText(args[len(args)-1]), "[") || e.open(args[len(args)-1]))
			return
		}
	}
}

var testOperator = regexp.MustCompile(`^(\]|=|==|!=|-(eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$`)

// open tells whether a word has another text than a number or a text that the line itself has.
func (e *evaluation) open(w *syntax.Word) bool {
	return plainText(w) == "" && !isEmpty(w) && !e.tame(unquoted(w))
}

// unquoted is what double quotes have in them.
func unquoted(w *syntax.Word) *syntax.Word {
	if len(w.Parts) == 1 {
		if q, is := w.Parts[0].(*syntax.DblQuoted); is {
			return &syntax.Word{Parts: q.Parts}
		}
	}
	return w
}

// bare are the words of a call without the builtins that only run another one.
func bare(x *syntax.CallExpr) []*syntax.Word {
	args := x.Args
	for len(args) > 0 && slices.Contains([]string{"command", "builtin", "-p", "--"}, plainText(args[0])) {
		args = args[1:]
	}
	return args
}

// plainText is a word in which nothing is substituted, without its quotes; empty: something is.
func plainText(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch x := part.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(x.Value, `\`, ""))
		case *syntax.SglQuoted:
			if x.Dollar {
				return ""
			}
			b.WriteString(x.Value)
		case *syntax.DblQuoted:
			for _, inside := range x.Parts {
				l, is := inside.(*syntax.Lit)
				if !is {
					return ""
				}
				b.WriteString(l.Value)
			}
		default:
			return ""
		}
	}
	return b.String()
}

// isQuoted tells whether a word is in quotes, so that it is one argument.
func isQuoted(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch w.Parts[0].(type) {
	case *syntax.DblQuoted, *syntax.SglQuoted:
		return true
	}
	return false
}

// isEmpty tells whether a word is an empty text in quotes.
func isEmpty(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch x := w.Parts[0].(type) {
	case *syntax.DblQuoted:
		return len(x.Parts) == 0
	case *syntax.SglQuoted:
		return x.Value == ""
	}
	return false
}
