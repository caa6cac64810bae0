// Package terminal tells whether input and output are a terminal, and how wide it is.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
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

// Width is how many characters fit in a line of the output. It is 0 if the output is no terminal, or if the terminal doesn't say.
func Width(out io.Writer) int {
	if !IsTerminal(out) {
		return 0
	}
	width, _, err := term.GetSize(int(out.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return width
}
