package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
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
func (l *lab) measureEditor(ctx context.Context) (typings, error) {
	var places typings
	command := exec.CommandContext(ctx, "node", "dev/bench/editor.mjs", l.fieldmark.origin, l.token, strconv.Itoa(editedLines), strconv.Itoa(typedKeys))
	command.Stderr = os.Stderr
	answer, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("the editor: %w", err)
	}
	if err := json.Unmarshal(answer, &places); err != nil {
		return nil, fmt.Errorf("the editor's figures: %w", err)
	}
	return places, nil
}

func (e typings) writeSection(b *strings.Builder, _ plan) {
	fmt.Fprintf(b, "A manifest of %d lines; milliseconds, medians of %d keys with the range beside them. What is computed comes after the frame\n"+
		"in part: the rest of the text is parsed anew.\n\n| a key at | until its frame | goal | computed in all |\n|---|---|---|---|\n", editedLines, typedKeys)
	for _, t := range e {
		own := func(v float64) float64 { return v }
		fmt.Fprintf(b, "| %s | %s | ≤ 16 | %s |\n", t.Place, median(t.Frame, own), median(t.Computed, own))
	}
}
