package plain

import (
	"encoding/csv"
	"strings"
)

// CSV is a table for spreadsheets. They compute cells that begin like a formula, so these get an apostrophe before them. Nothing in a cell acts in a
// terminal.
func CSV(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		cells := make([]string, 0, len(row))
		for _, cell := range row {
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
				cell = "'" + cell
			}
			cells = append(cells, Text(cell))
		}
		_ = w.Write(cells) // a Builder never fails
	}
	w.Flush()
	return b.String()
}
