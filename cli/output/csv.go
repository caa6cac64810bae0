package output

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/fieldmark/fieldmark/kube/plain"
)

// CSV writes rows. A spreadsheet computes cells that begin like a formula, so these get an apostrophe before them.
func CSV(out io.Writer, rows [][]string) error {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		cells := make([]string, 0, len(row))
		for _, cell := range row {
			cell = plain.Text(cell)
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
				cell = "'" + cell
			}
			cells = append(cells, cell)
		}
		if err := w.Write(cells); err != nil {
			return fmt.Errorf("writing CSV: %w", err)
		}
	}
	w.Flush()
	return Text(out, b.String())
}
