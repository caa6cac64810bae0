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

// lines are those of a document, with nothing in them that is secret.
type lines struct {
	first int // the number of the first line in its file
	text  []string
	kept  string // why they are not shown
}

// Bounds of what is shown of a document around a finding.
const (
	mostAround  = 12  // lines above and below
	fewAround   = 3   // the same, where all findings are shown
	longestLine = 400 // characters
	shortest    = 4   // bytes of a secret value that is looked for everywhere
)

const mask = "••••••••"

const notShown = "The text may have values of a Secret, so it is not shown."

// linesOf takes a document's text apart. Beside values that are secret there may be others in the text that the manifest doesn't have: comments
// are masked then, and a text that gives a field twice is not shown.
func linesOf(written check.Document) *lines {
	d := written.Source
	_, _, first := d.Around(0)
	l := &lines{first: first, text: strings.Split(strings.ReplaceAll(strings.ReplaceAll(strings.TrimRight(d.Text, " \t\r\n"), "\r\n", "\n"), "\r", "\n"), "\n")}
	for len(l.text) > 1 && strings.Trim(l.text[0], " \t\ufeff") == "" {
		l.first, l.text = l.first+1, l.text[1:]
	}
	switch {
	case d.Root == nil && (object.MayHold([]byte(d.Text)) || strings.Contains(d.Text, `\`)): // an escaped name may be that of a Secret
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

// hide masks the values that masking replaces, and tells whether there are any. The two trees have the same form where it replaces none.
func (l *lines) hide(d source.Document, plain, masked *manifest.Node) bool {
	if masked == nil || len(plain.Children) != len(masked.Children) || len(plain.Children) == 0 {
		if masked != nil && asJSON(plain.Value) == asJSON(masked.Value) {
			return false
		}
		l.mask(d.Head(plain), d.Place(plain), plain.Key != "")
		if text, is := plain.Value.(string); is && len(text) >= shortest {
			for i := range l.text { // it may stand elsewhere as well, as behind an alias
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

// hideComments masks all that may be a comment.
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

// mask replaces what stands from the end of a key to the end of its value.
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

// line is one of them, with its number.
type line struct {
	number int
	text   string
	here   bool
}

// around are the lines around a place.
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

// source gives a document's lines, which are taken apart once.
func (d *doc) source() *lines {
	if d.lines == nil {
		d.lines = linesOf(d.Document)
	}
	return d.lines
}
