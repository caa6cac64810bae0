package source

import "strings"

// Piece is a part of a text that can be read separately: one document or several short ones, or items of a long list. A text that is read
// piece by piece needs less memory and less time at once.
type Piece struct {
	whole     whole
	documents []piece
	list      *list // the items are in this list; nil: there are documents
	items     []segment
	beyond    bool // the text has more items than are read, and this is the first of the others
}

// least is the minimum length of a piece in bytes, except for the last one.
const least = 16 << 10

// Pieces splits a text. The number of lines above the text counts in all positions.
func Pieces(above int, text string) []Piece {
	return wholeOf(text, above).pieces(least, func(int) {})
}

func wholeOf(text string, above int) whole {
	text = Decoded(text)
	return whole{text: text, lines: linesOf(text, above), to: len(text)}
}

// pieces splits the text. Work is told the steps.
func (w whole) pieces(least int, work func(steps int)) []Piece {
	var all []Piece
	var some []piece // documents of the next piece
	from, left := 0, maxItems
	flush := func(to int) {
		if len(some) > 0 {
			all = append(all, Piece{whole: w.part(from, to), documents: some})
		}
		some, from = nil, to
	}
	work(2 * len(w.text))
	for _, p := range split(w.text) {
		if l := w.listIn(p, 2*least, work); l != nil {
			flush(p.start)
			all = append(all, w.ofItems(l, least, &left)...)
			from = p.end
			continue
		}
		if some = append(some, p); p.end-from >= least {
			flush(p.end)
		}
	}
	flush(len(w.text))
	return all
}

func (w whole) part(from, to int) whole {
	w.from, w.to = from, to
	return w
}

// ofItems are pieces with the items of a list, as long as some are left.
func (w whole) ofItems(l *list, least int, left *int) []Piece {
	var all []Piece
	for items := l.items; len(items) > 0; {
		n := 0
		for n < min(len(items), *left) && (n == 0 || items[n-1].end-items[0].start < least) {
			n++
		}
		p := Piece{whole: w.part(items[0].start, items[max(0, n-1)].end), list: l, items: items[:n], beyond: n == 0}
		if all = append(all, p); p.beyond {
			break
		}
		items, *left = items[n:], *left-n
	}
	return all
}

// Parse reads the piece, with the items of lists in place of the lists. Positions are positions in the whole text.
func (p Piece) Parse() Text {
	if p.list == nil {
		return p.whole.parse(func(t *Text) { t.documents(p.documents) }).Items()
	}
	return p.whole.parse(func(t *Text) {
		t.holds = t.holds || p.list.holds
		if p.beyond {
			t.beyond(t.lines.position(t.from))
		}
		for _, s := range p.items {
			t.item(s, p.list)
		}
	})
}

// Len is the length of the piece in bytes.
func (p Piece) Len() int { return p.whole.to - p.whole.from }

// Line is the first line of the piece.
func (p Piece) Line() int { return p.whole.lines.line(p.whole.from) }

// Blank tells whether the piece is blank.
func (p Piece) Blank() bool { return strings.TrimSpace(p.whole.text[p.whole.from:p.whole.to]) == "" }
