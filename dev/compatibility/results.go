package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// results are those of each version, by its minor version.
type results map[string]result

// result is the result of one version.
type result struct {
	Version string `json:"version"` // of the API server, in its own words
	Date    string `json:"date"`
	ReadyMs int    `json:"readyMs"` // how long the practice cluster took to start
	// Tests are the results of each row that has tests, by its name.
	Tests    map[string]count `json:"tests"`
	Features []answer         `json:"features"`
	Lessons  lessons          `json:"lessons"`
}

// count is how many tests passed, and which failed.
type count struct {
	Passed int      `json:"passed"`
	Failed []string `json:"failed,omitempty"`
}

// answer is what the server said when it was asked for a feature.
type answer struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Offered string `json:"offered"`
}

// lessons is what `fieldmark-lessons check --json` says, in short.
type lessons struct {
	Server     string   `json:"server"`
	Passed     int      `json:"passed"`
	Failed     []string `json:"failed,omitempty"`
	Requests   int      `json:"requests"`
	Statements int      `json:"statements"`
	Skipped    int      `json:"skipped"` // parts that aren't true for this version
	// Recorded are the recorded responses of this version that the server confirmed; see check.Recording.
	Recorded []string `json:"recorded,omitempty"`
}

func readResults(file string) (results, error) {
	all := results{}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the results: %w", err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return all, nil
}

// versions are the tested versions, the oldest first. Their minor numbers have two digits, so their texts are in order.
func (all results) versions() []string { return slices.Sorted(maps.Keys(all)) }

// failures is an error if something failed with one of the versions.
func (all results) failures(versions []string) error {
	var wrong []error
	for _, minor := range versions {
		for name, c := range all[minor].Tests {
			if len(c.Failed) > 0 {
				wrong = append(wrong, fmt.Errorf("kubernetes %s: %s: %s", minor, name, strings.Join(c.Failed, ", ")))
			}
		}
		if failed := all[minor].Lessons.Failed; len(failed) > 0 {
			wrong = append(wrong, fmt.Errorf("kubernetes %s: lessons: %s", minor, strings.Join(failed, ", ")))
		}
	}
	return errors.Join(wrong...)
}

// printCounts writes the result of one version for the terminal.
func (r result) printCounts(w io.Writer) {
	for _, row := range rows {
		c := r.Tests[row.name]
		_, _ = fmt.Fprintf(w, "%-60.60s %4d passed, %d failed %s\n", row.name, c.Passed, len(c.Failed), strings.Join(c.Failed, " "))
	}
	_, _ = fmt.Fprintf(w, "%-60.60s %4d passed, %d failed %s\n", "lessons", r.Lessons.Passed, len(r.Lessons.Failed), strings.Join(r.Lessons.Failed, " "))
}
