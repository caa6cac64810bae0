package source

import "strings"

// Piece is a part of a text that can be read separately: one document, or several short ones. A long text is read piece by piece if
// reading all of it at once would take too long.
type Piece struct {
	Text  string
	Above int // the number of lines above the piece
}

// least is the minimum length of a piece in bytes, except for the last one.
const least = 16 << 10

// Pieces splits a text.
func Pieces(text string) []Piece {
	var all []Piece
	text = decoded(text)
	l, from := linesOf(text), 0
	for _, p := range split(text) {
		if end := p.end; end-from >= least || end == len(text) {
			all = append(all, Piece{Text: text[from:end], Above: l.line(from) - 1})
			from = end
		}
	}
	return all
}

// Parse reads the piece. Positions are positions in the whole text.
func (p Piece) Parse() Text { return ParseBelow(p.Above, p.Text) }

// Blank tells whether the piece is blank.
func (p Piece) Blank() bool { return strings.TrimSpace(p.Text) == "" }
