package line

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects finds the standard input that redirections give, and whether they write a file.
func (r *reader) redirects(all []*syntax.Redirect, s *state, in Input) (Input, bool) {
	writes := false
	for _, d := range all {
		word := Word{}
		if d.Word != nil {
			word = r.word(d.Word, s, place{})
		}
		if d.Hdoc != nil {
			r.inside(d.Hdoc, s, place{})
		}
		if d.N != nil && strings.HasPrefix(d.N.Value, "{") {
			s.lose(strings.Trim(d.N.Value, "{}")) // it gets the number of the new file
		}
		first := d.N == nil || d.N.Value == "0"
		switch d.Op {
		case syntax.RdrIn:
			if first {
				in = file(s.folder, word)
			}
		case syntax.Hdoc, syntax.DashHdoc:
			if first {
				in = r.document(d, s)
			}
		case syntax.WordHdoc:
			if first {
				in = Input{Given: true, Known: word.Known && word.One, Pieces: []Piece{{Text: word.Text + "\n"}}}
			}
		case syntax.DplIn:
			in = Input{Given: true}
		case syntax.DplOut:
			writes = writes || !word.Known || strings.Trim(word.Text, "0123456789-") != ""
		case syntax.RdrInOut:
			in, writes = Input{Given: true}, true
		default:
			writes = writes || !word.Known || !lost(word.Text)
		}
	}
	return in, writes
}

// lost tells whether what is written to a file is no file afterwards.
func lost(name string) bool {
	return name == "/dev/null" || name == "/dev/stdout" || name == "/dev/stderr" || name == "/dev/tty"
}

func file(folder string, name Word) Input {
	in := Input{Given: true}
	if name.Known && name.One {
		if at := resolve(folder, name.Text); at != "" {
			in.Known, in.Pieces = true, []Piece{{File: at}}
		}
	}
	return in
}

// document is the text of a here-document.
func (r *reader) document(d *syntax.Redirect, s *state) Input {
	in := Input{Given: true}
	if d.Hdoc == nil {
		in.Known = true
		return in
	}
	raw := false
	for _, p := range d.Word.Parts {
		l, is := p.(*syntax.Lit)
		raw = raw || !is || strings.Contains(l.Value, `\`)
	}
	var b strings.Builder
	for _, part := range d.Hdoc.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if raw {
				b.WriteString(p.Value)
			} else {
				b.WriteString(unescape(p.Value, "$`\\"))
			}
		case *syntax.ParamExp:
			value, known := simple(p, s)
			if !known {
				return in
			}
			b.WriteString(value)
		default:
			return in
		}
	}
	text := b.String()
	if d.Op == syntax.DashHdoc {
		lines := strings.SplitAfter(text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		text = strings.Join(lines, "")
	}
	in.Known, in.Pieces = true, []Piece{{Text: text}}
	return in
}

// output is what a statement writes to a pipe, if that is known: cat with files or a here-document, or echo.
func (r *reader) output(st *syntax.Stmt, s *state) Input {
	not := Input{Given: true}
	x, is := st.Cmd.(*syntax.CallExpr)
	if !is || len(x.Args) == 0 || len(x.Assigns) > 0 {
		return not
	}
	in, writes := r.redirects(st.Redirs, s, Input{})
	if writes {
		return not
	}
	args := make([]Word, 0, len(x.Args))
	for _, a := range x.Args {
		w := r.text(a, s, true)
		if !w.Known || !w.One {
			return not
		}
		args = append(args, w)
	}
	switch {
	case args[0].Text == "cat" && len(args) == 1:
		return in
	case args[0].Text == "cat":
		return files(s.folder, args[1:])
	case args[0].Text == "echo":
		return echoed(args[1:])
	}
	return not
}

func files(folder string, names []Word) Input {
	all := Input{Given: true, Known: true}
	for _, name := range names {
		one := file(folder, name)
		if !one.Known || strings.HasPrefix(name.Text, "-") {
			return Input{Given: true}
		}
		all.Pieces = append(all.Pieces, one.Pieces...)
	}
	return all
}

// echoed is what echo writes. Shells disagree about its options and its backslashes.
func echoed(words []Word) Input {
	texts := make([]string, 0, len(words))
	for i, w := range words {
		if i == 0 && strings.HasPrefix(w.Text, "-") || strings.Contains(w.Text, `\`) {
			return Input{Given: true}
		}
		texts = append(texts, w.Text)
	}
	return Input{Given: true, Known: true, Pieces: []Piece{{Text: strings.Join(texts, " ") + "\n"}}}
}
