package podlog

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Part is a part of a line's text with a style.
type Part struct {
	From, To int // bytes of the text
	Style
}

// Style is how a program wants its text to look on a terminal.
type Style struct {
	Color               Color
	Bold, Faint, Italic bool
	Underlined, Struck  bool
}

// Color is one of the eight colors of a terminal. The bright ones and those of larger palettes become the nearest of them.
type Color uint8

// The colors, in the order of their codes.
const (
	NoColor Color = iota
	Black
	Red
	Green
	Yellow
	Blue
	Magenta
	Cyan
	White
)

// The characters that begin and end control sequences (ECMA-48).
const (
	escape = 0x1b
	bell   = 0x07
	cancel = 0x18
	abort  = 0x1a
)

// stripControls removes control sequences and control characters, except tabs. A carriage return discards what is before it, as on a terminal, where
// the next text overwrites it.
func stripControls(line []byte) (string, []Part) {
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	if simple(line) {
		return string(line), nil
	}
	p := printer{}
	for len(line) > 0 {
		line = line[p.printNext(line):]
	}
	p.close()
	return p.text.String(), p.parts
}

// simple tells whether a line is ASCII without control characters, as most are.
func simple(line []byte) bool {
	for _, c := range line {
		if c < ' ' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// printer collects the text of a line, and its styled parts.
type printer struct {
	text  strings.Builder
	parts []Part
	style Style
	from  int // where the style began
}

// printNext takes the next character or control sequence, and returns its length.
func (p *printer) printNext(line []byte) int {
	switch c := line[0]; {
	case c == escape:
		return p.sequence(line)
	case c == '\r':
		p.text.Reset()
		p.parts, p.from = nil, 0
		return 1
	case c == '\t' || c >= ' ' && c < utf8.RuneSelf && c != 0x7f:
		p.text.WriteByte(c)
		return 1
	case c < utf8.RuneSelf:
		return 1
	}
	r, n := utf8.DecodeRune(line)
	if r < 0x80 || r > 0x9f { // the other control characters
		p.text.WriteRune(r)
	}
	return n
}

// sequence takes a control sequence. Only one that sets a style has an effect.
func (p *printer) sequence(line []byte) int {
	if len(line) == 1 {
		return 1
	}
	switch line[1] {
	case '[':
		return p.control(line)
	case ']', 'P', '_', '^', 'X': // strings for the terminal: titles, the clipboard, links, graphics
		return 2 + untilEnd(line[2:])
	}
	n := 1
	for n < len(line)-1 && line[n] >= 0x20 && line[n] <= 0x2f {
		n++
	}
	if line[n] < 0x30 || line[n] > 0x7e {
		return n
	}
	return n + 1
}

// untilEnd is the length of a string for the terminal, with its end. One that doesn't end takes the rest of the line.
func untilEnd(line []byte) int {
	for i, c := range line {
		switch {
		case c == bell || c == cancel || c == abort:
			return i + 1
		case c == escape && i+1 < len(line) && line[i+1] == '\\':
			return i + 2
		}
	}
	return len(line)
}

// control takes a sequence of parameters, intermediate characters and a final character.
func (p *printer) control(line []byte) int {
	for i := 2; i < len(line); i++ {
		switch c := line[i]; {
		case c >= 0x20 && c <= 0x3f:
		case c >= 0x40 && c <= 0x7e:
			if c == 'm' {
				p.restyle(string(line[2:i]))
			}
			return i + 1
		default: // not a sequence: the character counts by itself
			return i
		}
	}
	return len(line)
}

// restyle ends the part with the style until now.
func (p *printer) restyle(parameters string) {
	if strings.IndexFunc(parameters, func(r rune) bool { return (r < '0' || r > '9') && r != ';' && r != ':' }) >= 0 {
		return // a private sequence
	}
	p.close()
	p.style = p.style.with(numbers(parameters))
	p.from = p.text.Len()
}

func (p *printer) close() {
	if p.style != (Style{}) && p.text.Len() > p.from {
		p.parts = append(p.parts, Part{p.from, p.text.Len(), p.style})
	}
}

// numbers reads parameters. One that is left out is 0. Sub-parameters count as parameters.
func numbers(parameters string) []int {
	var all []int
	for _, one := range strings.FieldsFunc(parameters+";", separates) {
		n, err := strconv.Atoi(one)
		if err != nil {
			n = -1
		}
		all = append(all, n)
	}
	if len(all) == 0 {
		return []int{0}
	}
	return all
}

func separates(r rune) bool { return r == ';' || r == ':' }

// The codes of styles (SGR).
const (
	reset     = 0
	bold      = 1
	faint     = 2
	italic    = 3
	underline = 4
	struck    = 9
	noWeight  = 22
	noItalic  = 23
	noLine    = 24
	noStruck  = 29
	colors    = 30 // to 37
	palette   = 38
	noColor   = 39
	ground    = 48 // the background: Fieldmark's own stays, so that text can be read in light and in dark
	brights   = 90 // to 97
)

// with is the style after more codes.
func (s Style) with(codes []int) Style {
	for len(codes) > 0 {
		n := 1
		switch code := codes[0]; code {
		case reset:
			s = Style{}
		case bold:
			s.Bold = true
		case faint:
			s.Faint = true
		case italic:
			s.Italic = true
		case underline:
			s.Underlined = true
		case struck:
			s.Struck = true
		case noWeight:
			s.Bold, s.Faint = false, false
		case noItalic:
			s.Italic = false
		case noLine:
			s.Underlined = false
		case noStruck:
			s.Struck = false
		case noColor:
			s.Color = NoColor
		case palette, ground:
			var c Color
			c, n = chosen(codes)
			if code == palette {
				s.Color = c
			}
		default:
			s = s.colored(code)
		}
		codes = codes[n:]
	}
	return s
}

// colored is the style with one of the eight colors, plain or bright.
func (s Style) colored(code int) Style {
	for _, first := range []int{colors, brights} {
		if code >= first && code < first+8 {
			s.Color = Black + Color(code-first)
		}
	}
	return s
}
