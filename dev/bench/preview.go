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
func (l *lab) measurePreview(ctx context.Context) (previews, error) {
	var all previews
	command := exec.CommandContext(ctx, "node", "dev/bench/preview.mjs", l.fieldmark.origin, l.token, strconv.Itoa(previewLines), strconv.Itoa(previewLetters))
	command.Stderr = os.Stderr
	answer, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("the preview: %w", err)
	}
	if err := json.Unmarshal(answer, &all); err != nil {
		return nil, fmt.Errorf("the preview's figures: %w", err)
	}
	return all, nil
}

func (all previews) writeSection(b *strings.Builder, _ plan) {
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
		own := func(v float64) float64 { return v }
		fmt.Fprintf(b, "| %s | %s | %s | ≤ 40 |\n", name, median(dry, own), median(ours, own))
	}
}
