package source

import "strings"

// Piece is a part of a text that can be read by itself: one document, or several short ones. A long text is read piece by piece where
// reading all of it at once would take too long.
type Piece struct {
	Text  string
	Above int // lines of the text above it
}

// least is how long a piece is at least, in bytes, unless the text ends before.
const least = 16 << 10

// Pieces splits a text.
func Pieces(text string) []Piece {
	var all []Piece
	l, from := linesOf(text), 0
	for _, p := range split(text) {
		if end := p.end; end-from >= least || end == len(text) {
			all = append(all, Piece{Text: text[from:end], Above: l.line(from) - 1})
			from = end
		}
	}
	return all
}

// Parse reads the piece. Places in it are places in the whole text.
func (p Piece) Parse() Text { return ParseBelow(p.Above, p.Text) }

// Blank tells whether there is nothing in it to read.
func (p Piece) Blank() bool { return strings.TrimSpace(p.Text) == "" }
