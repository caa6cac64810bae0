package copying

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// The colors are the light ones of the stylesheet, because a picture is shown on pages of others. A test compares them.
const (
	paper = "#ffffff"
	ink   = "#1d2125"
	soft  = "#5b6266"
	faint = "#6d7377"
	rule  = "#e3e0d7"
	key   = "#54458a"
)

var hues = [components.Hues + 1]string{"#6d7377", "#1470ea", "#873f20", "#096e6d", "#b635b3", "#7e7710", "#1b1148", "#3c2e00", "#4c3e72"}

var tokens = map[manifest.Class]string{manifest.Plain: ink, manifest.Key: key, manifest.String: "#25694a", manifest.Number: "#8a4b08", manifest.Word: "#0b5a8f"}

// marks are the attributes that draw the second marks of managers with the same hue.
var marks = [components.Marks + 1]string{
	"", ` stroke="` + paper + `" stroke-width="2" stroke-dasharray="2 3"`, ` stroke="` + paper + `" stroke-width="2" stroke-dasharray="8 4"`,
	` stroke="` + paper + `" stroke-width="4"`,
}

// Fonts and sizes. A picture can't load fonts, so it names those that systems have. Widths of characters are in tenths of a pixel, and estimates.
const (
	sans      = "Inter, system-ui, DejaVu Sans, sans-serif"
	mono      = "JetBrains Mono, ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, Liberation Mono, monospace"
	edge      = 18
	codeRow   = components.BlameRow
	codeCell  = 76 // at 12.5 pixels
	sansSmall = 65 // at 11 pixels
)

// drawing is the content of a picture.
type drawing struct {
	b    strings.Builder
	wide int // the right end of the heading, about
}

// done is the whole picture.
func (d *drawing) done(width, height int) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d"><rect width="%d" height="%d" fill=%q/>%s</svg>`,
		width, height, width, height, width, height, paper, d.b.String())
}

// heading draws a title, and a path below it. It returns the place below.
func (d *drawing) heading(title, path string) int {
	const most, titleCell, pathCell = 80, 9, 8
	title, path = cutToCells(line(title), most), cutToCells(line(path), most)
	d.wide = edge + max(cells(title)*titleCell, cells(path)*pathCell)
	d.drawText(edge, edge+12, `font-family="`+sans+`" font-size="14" font-weight="650" fill="`+ink+`"`, title)
	y := edge + 26
	if path != "" {
		d.drawText(edge, y+8, `font-family="`+mono+`" font-size="12" fill="`+soft+`"`, path)
		y += 20
	}
	return y
}

// drawText draws a text. Its attributes are ours.
func (d *drawing) drawText(x, y int, attributes, text string) {
	if text != "" {
		fmt.Fprintf(&d.b, `<text x="%d" y="%d" %s>%s</text>`, x, y, attributes, xml(text))
	}
}

// names draws a manager's name, and after it how it writes.
func (d *drawing) names(x, y int, name, how string) {
	fmt.Fprintf(&d.b, `<text x="%d" y="%d" font-family="%s" font-size="12" fill="%s"><tspan font-weight="600">%s</tspan><tspan dx="6" fill="%s">%s</tspan></text>`,
		x, y, sans, ink, xml(name), soft, xml(how))
}

func (d *drawing) rule(from, y, to int) {
	fmt.Fprintf(&d.b, `<path d="M%d %d.5H%d" stroke="%s"/>`, from, y, to, rule)
}

// swatch draws a manager's hue and mark.
func (d *drawing) swatch(m components.Manager, x, y, width, height, round int) {
	fmt.Fprintf(&d.b, `<rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s"%s/>`, x, y, width, height, round, hues[within(m.Hue, len(hues))], marks[within(m.Mark, len(marks))])
}

func within(i, n int) int { return min(max(i, 0), n-1) }

func (d *drawing) initials(m components.Manager, x, y int) {
	d.drawText(x, y, `text-anchor="middle" font-family="`+sans+`" font-size="9" font-weight="650" fill="`+paper+`"`, m.Initials)
}

// code draws a line of YAML in its colors. Its indentation is a distance, because renderers may collapse spaces.
func (d *drawing) code(x, y int, l Line) {
	whole := line(l.Text.String())
	written, isCut := strings.CutSuffix(cutToCells(whole, textMost), "…")
	if isCut = isCut && written+"…" != whole; !isCut {
		written = whole
	}
	text := strings.TrimLeft(written, " ")
	indent := len(written) - len(text)
	fmt.Fprintf(&d.b, `<text x="%d" y="%d" xml:space="preserve" font-family="%s" font-size="12.5" fill="%s">`, x+indent*codeCell/10, y, mono, ink)
	left := len([]rune(text))
	skip := indent
	for _, t := range l.Text {
		runes := []rune(line(t.Text))
		from := min(skip, len(runes))
		skip -= from
		runes = runes[from:min(len(runes), from+left)]
		left -= len(runes)
		if len(runes) > 0 {
			fmt.Fprintf(&d.b, `<tspan fill="%s">%s</tspan>`, tokens[t.Class], xml(string(runes)))
		}
	}
	if isCut {
		d.b.WriteString("…")
	}
	if l.Hidden > 0 {
		fmt.Fprintf(&d.b, `<tspan fill="%s"> %s</tspan>`, soft, l.folded())
	}
	d.b.WriteString("</text>")
}

// xml escapes a text for an element. Tabs become spaces, and characters that XML can't have become �.
func xml(text string) string {
	var b strings.Builder
	for _, r := range components.Visible(strings.ToValidUTF8(text, "\ufffd")) {
		switch {
		case r == '\t':
			b.WriteString("    ")
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r < ' ' || r == '\ufffe' || r == '\uffff':
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cells is the width of a text, in widths of a Latin letter.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

// cellsOf is the width of a character: two for those of East Asia and for emoji, none for those that combine with others.
func cellsOf(r rune) int {
	switch {
	case r == '\t':
		return 4
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f,
		r >= 0xff00 && r <= 0xff60, r >= 0x1f000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// cutToCells is a text of at most so many cells. If it is longer, it ends with "…".
func cutToCells(text string, most int) string {
	if len(text) <= most || cells(text) <= most {
		return text
	}
	width := 0
	for i, r := range text {
		if width += cellsOf(r); width >= most {
			return text[:i] + "…"
		}
	}
	return text
}

// wrapped are the lines of a text, each of at most so many cells.
func wrapped(text string, most int) []string {
	const mostLines = 12
	var lines []string
	now := ""
	for _, word := range strings.Fields(text) {
		word = cutToCells(word, most)
		if now != "" && cells(now)+1+cells(word) > most {
			if len(lines) == mostLines-1 {
				return append(lines, now+" …")
			}
			lines, now = append(lines, now), ""
		}
		now = strings.TrimSpace(now + " " + word)
	}
	return append(lines, now)
}
