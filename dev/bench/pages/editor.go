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

// typing is the cost of keys at one place of a text in the editor, in milliseconds.
type typing struct {
	Place    string    `json:"place"`
	Frame    []float64 `json:"frame"`    // from the key to the frame that shows it
	Computed []float64 `json:"computed"` // by the main thread, because of the key
}

// typings are all places.
type typings []typing

// editedLines is the number of lines in the text, and typedKeys the number of keys at each place.
const (
	editedLines = 5000
	typedKeys   = 60
)

// measureEditor types in the editor in a real browser.
func measureEditor(ctx context.Context, l *lab.Lab) (typings, error) {
	var places typings
	err := browser.Run(ctx, &places, "pages/editor", l.Fieldmark.Origin, l.Token, strconv.Itoa(editedLines), strconv.Itoa(typedKeys))
	return places, err
}

func (e typings) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "A manifest of %d lines; milliseconds, medians of %d keys with the range beside them. What is computed comes after the frame\n"+
		"in part: the rest of the text is parsed anew.\n\n| a key at | until its frame | goal | computed in all |\n|---|---|---|---|\n", editedLines, typedKeys)
	for _, t := range e {
		fmt.Fprintf(b, "| %s | %s | ≤ 16 | %s |\n", t.Place, figures.Spread("%.0f", t.Frame), figures.Spread("%.0f", t.Computed))
	}
}
