// Package plain makes text from a cluster safe to print: a terminal obeys none of it, and Markdown reads none of it as markup.
package plain

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/fieldmark/fieldmark/kube/check"
)

// IsTerminal tells whether somebody reads what is written there, on a terminal that obeys.
func IsTerminal(out io.Writer) bool {
	f, is := out.(*os.File)
	return is && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// IsKeyboard tells whether somebody types what is read there. A reader that stands before another tells it by a method Unwrap.
func IsKeyboard(in io.Reader) bool {
	if w, is := in.(interface{ Unwrap() io.Reader }); is {
		in = w.Unwrap()
	}
	f, is := in.(*os.File)
	return is && term.IsTerminal(int(f.Fd()))
}

// Text takes out of a text what a terminal would obey, line breaks among it.
func Text(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, text)
}

// Markdown is Text that stands in a line of Markdown as it is.
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

// Value is a value of JSON in a line; none is "nothing".
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

// Fence is a fence for a block of code in Markdown that nothing in the text ends.
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
