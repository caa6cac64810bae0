package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/check"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// result is the result of all lessons on one server.
type result struct {
	Server     string   `json:"server"`  // the version in its own words: v1.37.1
	Version    string   `json:"version"` // 1.37
	Passed     int      `json:"passed"`
	Failed     []string `json:"failed"`     // the ids of the lessons that failed
	Requests   int      `json:"requests"`   // sent
	Statements int      `json:"statements"` // checked
	Recorded   []string `json:"recorded"`   // recorded responses of this version that the server confirmed; see check.Recording
	Skipped    []skip   `json:"skipped"`    // not checked, because they aren't true for this version
}

// skip is a part of a lesson that was skipped.
type skip struct {
	Lesson string `json:"lesson"`
	Line   int    `json:"line"`
	What   string `json:"what"`
	For    string `json:"for"` // the versions for which it is true, as the lesson writes them
}

func (all *result) addReport(r check.Report) {
	if r.OK() {
		all.Passed++
	} else {
		all.Failed = append(all.Failed, r.Lesson)
	}
	all.Requests += r.Requests
	all.Statements += r.Judged
	all.Recorded = append(all.Recorded, r.Recorded...)
	for _, s := range r.Skips {
		all.Skipped = append(all.Skipped, skip{r.Lesson, s.Line, s.What, s.Range.String()})
	}
}

// printResult prints the result, in a line or as JSON.
func (all *result) printResult(w io.Writer, asJSON bool) error {
	if !asJSON {
		_, _ = fmt.Fprintf(w, "Kubernetes %s: %d of %d lessons passed, %d requests, %d statements checked, %d parts skipped\n",
			all.Server, all.Passed, all.Passed+len(all.Failed), all.Requests, all.Statements, len(all.Skipped))
		return nil
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("printing the result: %w", err)
	}
	return nil
}

// skipped says what was skipped in a lesson, by the versions for which it is true.
func skipped(all []lesson.Skip) string {
	var ranges []string
	parts := map[string][]string{}
	for _, s := range all {
		r := s.Range.String()
		if !slices.Contains(ranges, r) {
			ranges = append(ranges, r)
		}
		parts[r] = append(parts[r], fmt.Sprintf("%s in line %d", s.What, s.Line))
	}
	var texts []string
	for _, r := range ranges {
		texts = append(texts, r+" ("+strings.Join(parts[r], ", ")+")")
	}
	return strings.Join(texts, "; ")
}
