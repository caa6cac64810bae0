package check

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/source"
)

// lines are the lines of a document, without secrets.
type lines struct {
	first int // the number of the first line in its file
	text  []string
	kept  string // why they are not shown
}

// Limits of what is shown of a document around a finding.
const (
	mostAround  = 12  // lines above and below
	fewAround   = 3   // the same, where all findings are shown
	longestLine = 400 // characters
	shortest    = 4   // bytes; secret values at least this long are masked in the whole text
)

const mask = "••••••••"

const notShown = "The text may contain values of a Secret, so Fieldmark doesn’t show it."

// linesOf splits a document's text into lines and masks secrets. If there are secret values, the text may have more secrets that the parsed
// manifest doesn't have. So comments are masked, too, and a text that gives a field twice is not shown.
func linesOf(written check.Document) *lines {
	d := written.Source.Read()
	_, _, first := d.Around(0)
	l := &lines{first: first, text: strings.Split(strings.ReplaceAll(strings.ReplaceAll(strings.TrimRight(d.Text, " \t\r\n"), "\r\n", "\n"), "\r", "\n"), "\n")}
	for len(l.text) > 1 && strings.Trim(l.text[0], " \t\ufeff") == "" {
		l.first, l.text = l.first+1, l.text[1:]
	}
	switch {
	case d.Root == nil && (d.MayHold() || object.MayHold([]byte(d.Text)) || strings.Contains(d.Text, `\`)): // an escaped name may be that of a Secret
		return &lines{kept: notShown}
	case d.Root == nil:
		return l
	}
	masked := manifest.Tree(object.Object{Fields: d.Fields()}.Masked().Fields)
	if !l.hide(d, d.Root, masked) {
		return l
	}
	if slices.ContainsFunc(written.Problems, source.Problem.Twice) {
		return &lines{kept: notShown}
	}
	l.hideComments()
	return l
}

// hide masks in the text each value that differs between the plain and the masked tree. It tells whether there are any. Where no value
// differs, the two trees have the same form.
func (l *lines) hide(d source.Document, plain, masked *manifest.Node) bool {
	if masked == nil || len(plain.Children) != len(masked.Children) || len(plain.Children) == 0 {
		if masked != nil && asJSON(plain.Value) == asJSON(masked.Value) {
			return false
		}
		l.mask(d.Head(plain), d.Place(plain), plain.Key != "")
		if text, is := plain.Value.(string); is && len(text) >= shortest {
			for i := range l.text { // the value may appear elsewhere, too, for example after an alias
				l.text[i] = strings.ReplaceAll(l.text[i], text, mask)
			}
		}
		return true
	}
	hidden := false
	for i, child := range plain.Children {
		hidden = l.hide(d, child, masked.Children[i]) || hidden
	}
	return hidden
}

// hideComments masks everything that may be a comment.
func (l *lines) hideComments() {
	for i, line := range l.text {
		at := strings.Index(line, "#")
		if at == 0 || at > 0 && strings.ContainsAny(line[at-1:at], " \t") {
			l.text[i] = line[:at] + "# " + mask
		}
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// mask masks from the end of a key to the end of its value.
func (l *lines) mask(head, all source.Span, keyed bool) {
	for n := all.Start.Line; n <= all.End.Line; n++ {
		at := n - l.first
		if at < 0 || at >= len(l.text) {
			continue
		}
		line := l.text[at]
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		switch name, _, found := strings.Cut(line, ":"); {
		case n == all.Start.Line && keyed && head.End.Line == n && found && all.Start.Line == head.Start.Line && !strings.ContainsAny(name, "{,"):
			l.text[at] = name + ": " + mask
		default:
			l.text[at] = indent + mask
		}
	}
}

// line is a line with its number.
type line struct {
	number int
	text   string
	here   bool
}

// around are the lines around a line number, up to most before and after it.
func (l *lines) around(number, most int) []line {
	var all []line
	for i, text := range l.text {
		n := l.first + i
		if n < number-most || n > number+most {
			continue
		}
		if runes := []rune(text); len(runes) > longestLine {
			text = string(runes[:longestLine]) + "…"
		}
		all = append(all, line{n, text, n == number})
	}
	return all
}

// source returns a document's lines. They are split once.
func (d *doc) source() *lines {
	if d.lines == nil {
		d.lines = linesOf(d.Document)
	}
	return d.lines
}
