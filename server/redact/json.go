package redact

import (
	"encoding/json"
	"errors"
	"strings"
)

var (
	errNoJSON = errors.New("the Content-Type says JSON, but the body isn’t JSON")
	errDeep   = errors.New("the body is nested too deep")
)

const maxDepth = 500

// readJSON reads the values of a text, one after the other. Where it is cut, the last one is as far as it goes.
func readJSON(text string, cut bool) ([]*node, error) {
	r := reader{text: text, cut: cut}
	var all []*node
	for {
		r.space()
		if r.at == len(text) {
			return all, nil
		}
		n, err := r.value(0)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
}

// reader reads JSON.
type reader struct {
	text string
	at   int
	cut  bool
}

func (r *reader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n\x1e", r.text[r.at]) >= 0 {
		r.at++
	}
}

// missing says that the text ends here: that of a whole one must not.
func (r *reader) missing() error {
	if r.cut {
		return nil
	}
	return errNoJSON
}

func (r *reader) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	switch c := r.text[r.at]; {
	case c == '{' || c == '[':
		return r.many(depth)
	case c == '"':
		return r.str()
	default:
		return r.word()
	}
}

// many reads an object or a list.
func (r *reader) many(depth int) (*node, error) {
	n := &node{kind: list, from: r.at}
	end := byte(']')
	if r.text[r.at] == '{' {
		n.kind, end = mapping, '}'
	}
	r.at++
	for {
		r.space()
		if r.at == len(r.text) {
			n.cut, n.to = true, r.at
			return n, r.missing()
		}
		if r.text[r.at] == end && len(n.kids) == 0 {
			break
		}
		kid, err := r.member(n.kind, depth)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, kid)
		r.space()
		if r.at == len(r.text) || kid.cut {
			n.cut, n.to = true, r.at
			return n, r.missing()
		}
		if r.text[r.at] == end {
			break
		}
		if r.text[r.at] != ',' {
			return nil, errNoJSON
		}
		r.at++
		r.space()
		if r.at < len(r.text) && r.text[r.at] == end {
			return nil, errNoJSON
		}
	}
	r.at++
	n.to = r.at
	return n, nil
}

// member reads a field with its name, or an item.
func (r *reader) member(in kind, depth int) (*node, error) {
	if in == list {
		return r.value(depth + 1)
	}
	if r.text[r.at] != '"' {
		return nil, errNoJSON
	}
	key, err := r.str()
	if err != nil {
		return nil, err
	}
	nothing := &node{kind: other, key: key, cut: true, from: len(r.text), to: len(r.text)}
	r.space()
	if key.cut || r.at == len(r.text) {
		return nothing, r.missing()
	}
	if r.text[r.at] != ':' {
		return nil, errNoJSON
	}
	r.at++
	r.space()
	if r.at == len(r.text) {
		return nothing, r.missing()
	}
	n, err := r.value(depth + 1)
	if err != nil {
		return nil, err
	}
	n.key = key
	return n, nil
}

func (r *reader) str() (*node, error) {
	n := &node{kind: str, from: r.at}
	escaped := false
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '\\':
			escaped = true
			r.at++
		case c < ' ':
			return nil, errNoJSON
		case c == '"':
			r.at++
			n.to = r.at
			if n.text = r.text[n.from+1 : r.at-1]; escaped {
				if json.Unmarshal([]byte(r.text[n.from:r.at]), &n.text) != nil {
					return nil, errNoJSON
				}
			}
			return n, nil
		}
	}
	r.at = len(r.text)
	n.cut, n.to = true, r.at
	n.text = r.text[n.from+1:]
	if escaped {
		n.text = unescaped(n.text)
	}
	return n, r.missing()
}

// unescaped reads a string that ends anywhere, even within an escape.
func unescaped(s string) string {
	for end := len(s); end >= 0 && end > len(s)-12; end-- { // two halves of a surrogate pair are twelve
		var text string
		if json.Unmarshal([]byte(`"`+s[:end]+`"`), &text) == nil {
			return text
		}
	}
	return s
}

// word reads a number, true, false or null.
func (r *reader) word() (*node, error) {
	n := &node{kind: other, from: r.at}
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n,:{}[]\"", r.text[r.at]) < 0 {
		r.at++
	}
	n.to, n.text = r.at, r.text[n.from:r.at]
	if r.at == len(r.text) && r.cut {
		n.cut = true
		return n, partly(n.text)
	}
	if !json.Valid([]byte(n.text)) {
		return nil, errNoJSON
	}
	return n, nil
}

// partly tells whether a text may be how a number or a word of JSON begins.
func partly(s string) error {
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(word, s) {
			return nil
		}
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return errNoJSON
	}
	return nil
}

// jsonWriter gives a text of JSON again, with what may be shown in the place of what was there.
type jsonWriter struct {
	text string
	done int
	out  strings.Builder
}

func writeJSON(text string, all []*node) string {
	w := jsonWriter{text: text}
	for _, n := range all {
		w.value(n)
	}
	return w.out.String() + text[w.done:]
}

func (w *jsonWriter) value(n *node) {
	if n.key != nil {
		w.scalar(n.key)
	}
	w.scalar(n)
	for _, kid := range n.kids {
		w.value(kid)
	}
}

func (w *jsonWriter) scalar(n *node) {
	if !n.changed {
		return
	}
	w.out.WriteString(w.text[w.done:n.from])
	quoted := quote(n.clean)
	if n.cut {
		quoted = strings.TrimSuffix(quoted, `"`)
	}
	w.out.WriteString(quoted)
	w.done = n.to
}

// quote writes a text as JSON does, with nothing escaped that needn't be.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ':
			b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
		default:
			b.WriteRune(c)
		}
	}
	return b.String() + `"`
}
