package line

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unknown is a word that can be any number of arguments.
var unknown = Word{}

// word is an argument. What is substituted in it is walked.
func (r *reader) word(w *syntax.Word, s *state, at place) Word {
	r.inside(w, s, at)
	return r.text(w, s, true)
}

// assigned is the value of an assignment, which a shell doesn't split.
func (r *reader) assigned(w *syntax.Word, s *state) Word {
	r.inside(w, s, place{})
	value := r.text(w, s, false)
	value.One = true
	return value
}

// text is a word without what is substituted in it. If split, it can be several arguments, as the shell splits and completes words.
func (r *reader) text(w *syntax.Word, s *state, split bool) Word {
	all := Word{Known: true, One: true}
	var b strings.Builder
	for i, part := range w.Parts {
		one := r.part(part, s, split, i == 0)
		all.Known, all.One = all.Known && one.Known, all.One && one.One
		b.WriteString(one.Text)
	}
	if all.Known {
		all.Text = b.String()
	}
	return all
}

func (r *reader) part(part syntax.WordPart, s *state, split, first bool) Word {
	switch x := part.(type) {
	case *syntax.Lit:
		return r.literal(x.Value, split, first)
	case *syntax.SglQuoted:
		if x.Dollar && strings.Contains(x.Value, `\`) {
			return Word{One: true}
		}
		return Word{x.Value, true, true}
	case *syntax.DblQuoted:
		return r.quoted(x, s)
	case *syntax.ParamExp:
		value, known := simple(x, s)
		if split && (!known || value == "" || strings.ContainsAny(value, " \t\n*?[{~\\") || slices.Contains(s.set, "IFS")) {
			return unknown
		}
		return Word{value, known, true}
	case *syntax.ArithmExp:
		return Word{One: true}
	case *syntax.CmdSubst:
		return Word{One: !split}
	}
	return unknown
}

// literal is a text without quotes, in which a backslash quotes one character.
func (r *reader) literal(raw string, split, first bool) Word {
	if first && strings.HasPrefix(raw, "~") {
		rest := raw[1:]
		if r.home == "" || rest != "" && rest[0] != '/' {
			return Word{One: true}
		}
		raw = r.home + rest
	}
	if raw == "[" {
		return Word{raw, true, true} // the program, and no pattern
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && i+1 < len(raw):
			if i++; raw[i] != '\n' {
				b.WriteByte(raw[i])
			}
		case split && strings.IndexByte("*?[{", c) >= 0:
			return unknown
		case c == '=' && i == 0 && first && split:
			return unknown // a shell that isn't bash puts the path of a program here
		default:
			b.WriteByte(c)
		}
	}
	return Word{b.String(), true, true}
}

// quoted is a text in double quotes.
func (r *reader) quoted(x *syntax.DblQuoted, s *state) Word {
	all := Word{Known: !x.Dollar, One: true}
	var b strings.Builder
	for _, part := range x.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, "$`\"\\"))
		case *syntax.ParamExp:
			value, known := simple(p, s)
			all.Known = all.Known && known
			if p.Param == nil || p.Param.Value == "@" || p.Index != nil || p.Names != 0 {
				all.One = false
			}
			b.WriteString(value)
		default:
			all.Known = false
		}
	}
	if all.Known {
		all.Text = b.String()
	}
	return all
}

// unescape removes the backslashes before some characters.
func unescape(text, before string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if text[i+1] == '\n' {
				i++
				continue
			}
			if strings.IndexByte(before, text[i+1]) >= 0 {
				i++
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// simple is the value of a variable, without any operation on it.
func simple(x *syntax.ParamExp, s *state) (value string, known bool) {
	plain := x.Param != nil && !x.Excl && !x.Length && !x.Width && !x.IsSet && x.Flags == nil && x.NestedParam == nil && x.Index == nil &&
		len(x.Modifiers) == 0 && x.Slice == nil && x.Repl == nil && x.Names == 0 && x.Exp == nil
	if !plain {
		return "", false
	}
	value, known = s.vars[x.Param.Value]
	return value, known
}
