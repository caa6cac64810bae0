package source

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The YAML parser tells where a value begins, but not where it ends. These functions find the end. They read the
// text again, which is simple because the parser has told what it is.

// valueEnd is the offset after the last character of a value.
func (r *reader) valueEnd(n, in *yaml.Node) int { return r.endAfter(n, in, 0) }

// endAfter is the end of a value, given the end of its last part; 0: that is unknown.
func (r *reader) endAfter(n, in *yaml.Node, last int) int {
	start := r.offset(n)
	if count := len(n.Content); count > 0 && last == 0 {
		r.text.work(count)
		last = r.valueEnd(n.Content[count-1], n)
	}
	switch {
	case n.Kind == yaml.AliasNode:
		return r.text.tokenEnd(start, n)
	case n.Kind == yaml.ScalarNode && isBlock(n):
		return r.text.blockEnd(r.text.pastProperties(start, n), r.indent(in))
	case n.Kind == yaml.ScalarNode:
		return r.text.tokenEnd(start, n)
	case n.Style&yaml.FlowStyle != 0:
		return r.flowEnd(start, n, last)
	case len(n.Content) == 0:
		return r.text.pastProperties(start, n)
	default:
		return last
	}
}

func isBlock(n *yaml.Node) bool { return n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 }

// indent is the column of a mapping or a list. Its content must be indented more than this.
func (r *reader) indent(in *yaml.Node) int {
	if in == nil {
		return -1
	}
	first := in
	if in.Kind == yaml.MappingNode && len(in.Content) > 0 {
		first = in.Content[0]
	}
	return first.Column - 1
}

// flowEnd is the end of a value in brackets, after the end of its last part. So brackets in strings don't count.
func (r *reader) flowEnd(start int, n *yaml.Node, last int) int {
	at := max(last, r.text.pastProperties(start, n)+1)
	defer func(from int) { r.text.work(at - from) }(at)
	for at < len(r.text.text) {
		switch c := r.text.text[at]; c {
		case ']', '}':
			return at + 1
		case '#':
			at = r.text.lines.lineEnd(at)
		default:
			at++
		}
	}
	return at
}

// pastProperties is the beginning of a value after its anchor and tag.
func (t *Text) pastProperties(at int, n *yaml.Node) int {
	if n.Anchor == "" && n.Style&yaml.TaggedStyle == 0 && !strings.HasPrefix(t.text[at:], "!") {
		return at
	}
	defer func(from int) { t.work(at - from) }(at)
	for at < len(t.text) {
		switch c := t.text[at]; {
		case c == '&' || c == '!':
			at += tokenLength(t.text[at:])
		case c == '#':
			at = t.lines.lineEnd(at)
		case strings.ContainsRune(" \t\r\n", rune(c)):
			at++
		default:
			return at
		}
	}
	return at
}

// tokenLength is the length of an anchor, a tag or an alias.
func tokenLength(text string) int {
	if strings.HasPrefix(text, "!<") {
		if end := strings.IndexByte(text, '>'); end >= 0 {
			return end + 1
		}
	}
	if end := strings.IndexAny(text, " \t\r\n,[]{}"); end >= 0 {
		return end
	}
	return len(text)
}

// tokenEnd is the end of an alias, or of a scalar that isn't a text block.
func (t *Text) tokenEnd(start int, n *yaml.Node) int {
	if n.Kind == yaml.AliasNode {
		return min(start+1+len(n.Value), len(t.text))
	}
	begin := t.pastProperties(start, n)
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return t.quotedEnd(begin, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return t.quotedEnd(begin, '\'')
	case n.Value == "":
		return max(start, t.back(begin, start))
	default:
		return t.plainEnd(begin, n.Value)
	}
}

// back is the offset at after going back over blanks, at most to to.
func (t *Text) back(at, to int) int {
	defer func(from int) { t.work(from - at) }(at)
	for at > to && strings.ContainsRune(" \t\r\n", rune(t.text[at-1])) {
		at--
	}
	return at
}

func (t *Text) quotedEnd(at int, quote byte) int {
	defer func(from int) { t.work(at - from) }(at)
	for at++; at < len(t.text); at++ {
		switch {
		case t.text[at] == '\\' && quote == '"':
			at++
		case t.text[at] != quote:
		case quote == '\'' && strings.HasPrefix(t.text[at:], "''"):
			at++
		default:
			return at + 1
		}
	}
	return len(t.text)
}

// plainEnd is the end of a text without quotes.
func (t *Text) plainEnd(at int, value string) int {
	defer func(from int) { t.work(at - from) }(at)
	for _, r := range value {
		if isBlank(r) {
			continue
		}
		for at < len(t.text) {
			here, size := utf8.DecodeRuneInString(t.text[at:])
			at += size
			if here == r {
				break
			}
		}
	}
	return at
}

func isBlank(r rune) bool { return strings.ContainsRune(" \t\r\n\u0085\u2028\u2029", r) }

// blockEnd is the end of a text block: the end of its last line that isn't blank, or of its first line.
func (t *Text) blockEnd(at, indent int) int {
	end := t.lines.lineEnd(at)
	defer func(from int) { t.work(end - from) }(at)
	own := -1
	if explicit := strings.IndexAny(t.text[at:end], "123456789"); explicit >= 0 && explicit < 3 && explicit < strings.IndexAny(t.text[at:end]+"#", " \t#") {
		own = max(indent, 0) + int(t.text[at+explicit]-'0')
		if indent < 0 {
			own = int(t.text[at+explicit] - '0')
		}
	}
	for next := t.nextLine(end); next < len(t.text); {
		to := t.lines.lineEnd(next)
		spaces := len(t.text[next:to]) - len(strings.TrimLeft(t.text[next:to], " "))
		if strings.TrimSpace(t.text[next:to]) != "" || own >= 0 && spaces >= own && next+spaces < to {
			if own < 0 {
				own = spaces
			}
			if spaces < own || spaces <= indent {
				break
			}
			end = to
		}
		if next = t.nextLine(to); next == to {
			break
		}
	}
	return end
}

// nextLine is the beginning of the next line, given the end of a line.
func (t *Text) nextLine(end int) int {
	return end + len(lineBreak(t.text[end:]))
}

// lineBreak is the line end at the beginning of a text.
func lineBreak(text string) string {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return "\r\n"
	case strings.HasPrefix(text, "\n"), strings.HasPrefix(text, "\r"):
		return text[:1]
	default:
		return ""
	}
}

// skip is the offset after blanks and comments.
func (t *Text) skip(at int) int {
	defer func(from int) { t.work(at - from) }(at)
	for at < len(t.text) {
		switch {
		case isBlank(rune(t.text[at])):
			at++
		case t.text[at] == '#':
			at = t.lines.lineEnd(at)
		default:
			return at
		}
	}
	return at
}
