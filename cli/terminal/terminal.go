// Package terminal tells whether input and output are a terminal.
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
