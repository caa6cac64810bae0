package pages

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// previewed is the cost of one letter, in milliseconds.
type previewed struct {
	Whole    float64 `json:"whole"`    // from the end of the pause in typing to the frame that shows the preview
	Dry      float64 `json:"dry"`      // the part of the dry runs, measured in the browser
	Conflict bool    `json:"conflict"` // there was a conflict, so two dry runs were sent, one after the other
}

// previews are those of all letters.
type previews []previewed

// previewLines is the number of lines in the manifest, and previewLetters the number of changes.
const (
	previewLines   = 500
	previewLetters = 20
)

// measurePreview types into a manifest in a real browser, and waits for the preview.
func measurePreview(ctx context.Context, l *lab.Lab) (previews, error) {
	var all previews
	err := browser.Run(ctx, &all, "pages/preview", l.Fieldmark.Origin, l.Token, strconv.Itoa(previewLines), strconv.Itoa(previewLetters))
	return all, err
}

func (all previews) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "A manifest of %d lines, all of whose fields another manager states as well; milliseconds from the end of the pause in typing to the\n"+
		"frame that shows the preview, medians of %d letters with the range beside them.\n\n| | the dry runs | all else | goal |\n|---|---|---|---|\n", previewLines, previewLetters)
	for _, conflict := range []bool{false, true} {
		var ours, dry []float64
		for _, p := range all {
			if p.Conflict == conflict {
				ours, dry = append(ours, p.Whole-p.Dry), append(dry, p.Dry)
			}
		}
		name := "no conflict"
		if conflict {
			name = "a conflict: tried again with force"
		}
		fmt.Fprintf(b, "| %s | %s | %s | ≤ 40 |\n", name, figures.Spread("%.0f", dry), figures.Spread("%.0f", ours))
	}
}
