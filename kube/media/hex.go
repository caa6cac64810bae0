package media

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// PerRow is the number of bytes in a row of a hex view.
const PerRow = 16

// Row is a row of a hex view.
type Row struct {
	At    int
	Cells []Cell
}

// Cell is a group of bytes in one row that belong to the same piece.
type Cell struct {
	Span
	Hex, Text string
	Piece     int // the index of the piece; -1: none
	Marked    bool
}

// Hex lays out count rows, beginning with the row of byte from. Cells end where pieces end, and where the marked span begins and ends. The
// pieces must be in order and must not overlap.
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

// mark marks a cell, and cuts it where the marked span begins or ends.
func (c *Cell) mark(marked Span) {
	switch c.Marked = marked.Holds(c.From); {
	case c.Marked:
		c.To = min(c.To, marked.To)
	case c.From < marked.From && marked.Len() > 0:
		c.To = min(c.To, marked.From)
	}
}

func spaced(content []byte) string { return fmt.Sprintf("% x", content) }

// printable shows bytes as ASCII characters, and a dot for each byte that has none.
func printable(content []byte) string {
	shown := make([]byte, len(content))
	for i, c := range content {
		if shown[i] = '.'; c >= ' ' && c < 0x7f {
			shown[i] = c
		}
	}
	return string(shown)
}

// MostPasted is the maximum number of bytes that users can paste.
const MostPasted = 64 << 10

// ParseHex reads bytes as pairs of hex digits, with or without separators.
func ParseHex(text string) ([]byte, error) {
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n,:", r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "0x", ""))
	if len(digits) > 2*MostPasted {
		return nil, fmt.Errorf("the text has more than %d bytes", MostPasted)
	}
	if len(digits)%2 == 1 {
		return nil, fmt.Errorf("the number of hex digits is odd (%d), but each byte needs two", len(digits))
	}
	content, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fmt.Errorf("bytes are written with the digits 0 to 9 and a to f: %w", err)
	}
	return content, nil
}
