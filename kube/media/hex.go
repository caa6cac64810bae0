package media

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// PerRow is how many bytes a row of a hex view has.
const PerRow = 16

// Row is a row of a hex view.
type Row struct {
	At    int
	Cells []Cell
}

// Cell are bytes of one row that belong together.
type Cell struct {
	Span
	Hex, Text string
	Piece     int // its place among the pieces; -1: it belongs to none
	Marked    bool
}

// Hex lays out count rows of bytes from the one that holds byte from, cut where pieces and what is marked begin and end. Pieces are in
// their order, and don't overlap.
func Hex(content []byte, from, count int, pieces []Piece, marked Span) []Row {
	at := max(0, from/PerRow*PerRow)
	next := 0
	var rows []Row
	for ; at < len(content) && len(rows) < count; at += PerRow {
		row := Row{At: at}
		for i := at; i < min(at+PerRow, len(content)); {
			for next < len(pieces) && pieces[next].To <= i {
				next++
			}
			cell := Cell{Span: Span{i, min(at+PerRow, len(content))}, Piece: -1}
			switch {
			case next < len(pieces) && pieces[next].Holds(i):
				cell.Piece, cell.To = next, min(cell.To, pieces[next].To)
			case next < len(pieces):
				cell.To = min(cell.To, pieces[next].From)
			}
			cell.mark(marked)
			cell.Hex, cell.Text = spaced(content[cell.From:cell.To]), printable(content[cell.From:cell.To])
			row.Cells = append(row.Cells, cell)
			i = cell.To
		}
		rows = append(rows, row)
	}
	return rows
}

// mark tells whether a cell is marked, and cuts it where that changes.
func (c *Cell) mark(marked Span) {
	switch c.Marked = marked.Holds(c.From); {
	case c.Marked:
		c.To = min(c.To, marked.To)
	case c.From < marked.From && marked.Len() > 0:
		c.To = min(c.To, marked.From)
	}
}

func spaced(content []byte) string { return fmt.Sprintf("% x", content) }

// printable shows bytes as the ASCII characters that they are, and a point for the others.
func printable(content []byte) string {
	shown := make([]byte, len(content))
	for i, c := range content {
		if shown[i] = '.'; c >= ' ' && c < 0x7f {
			shown[i] = c
		}
	}
	return string(shown)
}

// MostPasted is how many bytes may be pasted.
const MostPasted = 64 << 10

// ParseHex reads bytes as people write them down: pairs of hex digits, with or without something between them.
func ParseHex(text string) ([]byte, error) {
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n,:", r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "0x", ""))
	if len(digits) > 2*MostPasted {
		return nil, fmt.Errorf("these are more than %d bytes", MostPasted)
	}
	if len(digits)%2 == 1 {
		return nil, fmt.Errorf("%d hex digits are no whole number of bytes: each has two", len(digits))
	}
	content, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fmt.Errorf("bytes are written in the digits 0 to 9 and a to f: %w", err)
	}
	return content, nil
}
