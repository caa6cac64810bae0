// Package plain makes text from a cluster safe to print: it has no control characters for a terminal, and no markup for Markdown.
package plain

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/fieldmark/fieldmark/kube/check"
)

// IsTerminal tells whether the output is a terminal that understands control sequences.
func IsTerminal(out io.Writer) bool {
	f, is := out.(*os.File)
	return is && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// IsKeyboard tells whether the input is a terminal. If a reader wraps another one, its method Unwrap returns that one.
func IsKeyboard(in io.Reader) bool {
	if w, is := in.(interface{ Unwrap() io.Reader }); is {
		in = w.Unwrap()
	}
	f, is := in.(*os.File)
	return is && term.IsTerminal(int(f.Fd()))
}

// Text replaces control characters, also line breaks, and characters that change the direction of text. Each becomes a dot (·).
func Text(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, text)
}

// Markdown is Text with a backslash before each character that is markup in a line of Markdown.
func Markdown(text string) string {
	var b strings.Builder
	for _, r := range Text(text) {
		if strings.ContainsRune("\\`*_{}[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// longestValue is how much of a value is printed, in characters.
const longestValue = 200

// Value is a JSON value in one line, of at most longestValue characters and "…". No value is "nothing".
func Value(v []byte) string {
	if len(v) == 0 {
		return "nothing"
	}
	shown := []rune(Text(string(v)))
	if len(shown) > longestValue {
		return string(shown[:longestValue]) + "…"
	}
	return string(shown)
}

// Object names an object as kubectl does.
func Object(o check.Object) string {
	n := o.Name
	if o.Namespace != "" {
		n = o.Namespace + "/" + n
	}
	return Text(o.Kind + " " + n)
}

// Fence is a fence for a block of code in Markdown. It is longer than every row of backticks in the text.
func Fence(text string) string {
	const shortest = 3
	most, run := shortest-1, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		most = max(most, run)
	}
	return strings.Repeat("`", most+1)
}
