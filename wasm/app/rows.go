package app

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
)

// parted is the HTML of a page with one table, split into the rows and the rest. In a page with many rows, mostly rows change, and
// comparing all of the page each time takes longer than a frame.
type parted struct {
	before, after string
	rows          []string
	known         map[string]int // indexes of the rows, by their ids
	ok            bool           // there is such a table, and all of its rows have ids
}

// keptBody stands in the place of the rows, and means that they don't change.
const keptBody = `<tbody data-kept>`

// part takes a page apart.
func part(html string) parted {
	if strings.Count(html, components.RowsBegin) != 1 {
		return parted{}
	}
	before, rest, _ := strings.Cut(html, components.RowsBegin)
	body, after, _ := strings.Cut(rest, components.RowsEnd)
	p := parted{before: before, after: after, known: map[string]int{}}
	for body != "" {
		row, rest, found := strings.Cut(body, components.RowEnds)
		id, named := rowID(row)
		if _, twice := p.known[id]; !found || !named || twice {
			return parted{}
		}
		p.known[id] = len(p.rows)
		p.rows = append(p.rows, row+components.RowEnds)
		body = rest
	}
	p.ok = true
	return p
}

// rowID is the id of a row, as it is written.
func rowID(row string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(row, components.RowBegins)
	id, _, found := strings.Cut(rest, `"`)
	return id, ok && found
}

// around is the page with keptBody in the place of its rows.
func (p parted) around() string { return p.before + keptBody + components.RowsEnd + p.after }

// RowSteps say how to change the rows of a table. Each new row has a step: the index of the old row if it stays, + for a new row, the index with a + if the
// row has other cells, or the index, a colon and the places of the cells that have changed, such as 3:0,7. If only the row's attributes have changed, no
// place follows the colon. The HTML of the rows with a + or a colon follows, in their order. A row with a colon has only the cells that have changed.
type RowSteps struct {
	Before int // how many rows there were
	Steps  string
	HTML   string
}

// stepsTo are the steps from the rows of a page to those of another.
func (p parted) stepsTo(next parted) RowSteps {
	var steps, html strings.Builder
	for n, row := range next.rows {
		if n > 0 {
			steps.WriteByte(' ')
		}
		id, _ := rowID(row)
		at, there := p.known[id]
		if !there {
			steps.WriteByte('+')
			html.WriteString(row)
			continue
		}
		steps.WriteString(strconv.Itoa(at))
		if p.rows[at] != row {
			writeChange(&steps, &html, p.rows[at], row)
		}
	}
	return RowSteps{Before: len(p.rows), Steps: steps.String(), HTML: html.String()}
}

// writeChange writes how a row changes: only its tag and the cells that differ, if it has as many cells as before.
func writeChange(steps, html *strings.Builder, old, row string) {
	was, is := splitCells(old), splitCells(row)
	if len(was) != len(is) || len(is) == 1 {
		steps.WriteByte('+')
		html.WriteString(row)
		return
	}
	html.WriteString(is[0])
	mark := byte(':')
	for n, cell := range is[1:] {
		if cell == was[n+1] {
			continue
		}
		steps.WriteByte(mark)
		steps.WriteString(strconv.Itoa(n))
		html.WriteString(cell)
		mark = ','
	}
	if mark == ':' {
		steps.WriteByte(mark)
	}
	html.WriteString(components.RowEnds)
}

// splitCells splits a row into its tag and its cells. The row stays whole if a cell has a table of its own.
func splitCells(row string) []string {
	row = strings.TrimSuffix(row, components.RowEnds)
	if strings.Contains(row, "<table") {
		return []string{row}
	}
	var parts []string
	for {
		at := nextCell(row[min(1, len(row)):])
		if at < 0 {
			return append(parts, row)
		}
		parts, row = append(parts, row[:at+1]), row[at+1:]
	}
}

// nextCell is the index at which the next cell begins; -1: none follows.
func nextCell(html string) int {
	data, head := strings.Index(html, "<td"), strings.Index(html, "<th")
	if data < 0 || head >= 0 && head < data {
		return head
	}
	return data
}

// show changes the document to the next page. It changes only what differs.
func (p parted) show(next parted, html string, by Painter) {
	if !p.ok || !next.ok {
		by.Show(Main, html)
		return
	}
	if p.before != next.before || p.after != next.after {
		by.Show(Main, next.around())
	}
	if !slices.Equal(p.rows, next.rows) {
		by.ShowRows(p.stepsTo(next))
	}
}
