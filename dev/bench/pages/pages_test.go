package pages

import (
	"testing"
)

func TestTheReportTellsOfEachWay(t *testing.T) {
	all := ways{
		{What: "one", From: "read", To: "read", Seen: []float64{70, 20, 10}, There: []float64{90, 20, 30}, Back: []float64{10, 10, 101}, Scrolled: 3, Kept: 3, Settled: 3},
		{What: "two", From: "read", To: "lab", Seen: []float64{90, 200, 80}, There: []float64{300, 200, 100}, Back: []float64{50, 60, 70}, Loaded: 3, Reloaded: 3, Scrolled: 3, Settled: 2},
		{What: "three", From: "lab", To: "read", Seen: []float64{1, 2, 3}, There: []float64{1, 2, 3}, Back: []float64{1, 2, 3}, Loaded: 2, Restored: 1},
		{What: "four", From: "lab", To: "lab", Seen: []float64{1, 2, 3}, There: []float64{1, 2, 3}, Back: []float64{1, 2, 3}, Reloaded: 1},
	}
	for beginning, want := range map[string]string{
		"one":   "| one | read | 20 | 70 | 30 | 90 | 10 | **101** | same | 3 of 3 |",
		"two":   "| two | read → lab | 90 | **200** | 200 | 300 | 60 | 70 | 3 of 3 loaded | 0 of 3, later 2 |",
		"three": "| three | lab → read | 2 | 3 | 2 | 3 | 2 | 3 | 2 of 3 loaded, back 1 of 3 restored | not scrolled |",
		"four":  "| four | lab | 2 | 3 | 2 | 3 | 2 | 3 | same, back 1 of 3 loaded | not scrolled |",
	} {
		if got := lines(all, beginning+" "); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if seen, complete, back := all.within(); seen != 3 || complete != 3 || back != 3 {
		t.Errorf("got %d, %d and %d ways within the goal, want 3 of each", seen, complete, back)
	}
}

func TestTheReportTellsOfInteractions(t *testing.T) {
	var all interactions
	for range 98 {
		all = append(all, interaction{"logs: key j", 0})
	}
	all = append(all, interaction{"logs: key G", 24}, interaction{"collection: a letter, typed", 88}, interaction{"collection: a letter, typed", 120}, interaction{"collection: key |", 56})
	for beginning, want := range map[string]string{
		"keys and clicks":      "| keys and clicks | 102 | |",
		"— below":              "| — below 16 ms | 98 | |",
		"median":               "| median | 16 | |",
		"75th":                 "| 75th percentile | 16 | |",
		"**98th":               "| **98th percentile** | **56** | ≤ 50 |",
		"longest":              "| longest | 120 | |",
		"logs |":               "| logs | 99 | 16 | 16 | key G |",
		"collection |":         "| collection | 3 | 88 | **120** | a letter, typed |",
		"collection: a letter": "| collection: a letter, typed | 120 |",
		"collection: key":      `| collection: key \| | 56 |`,
	} {
		if got := lines(all, beginning); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := all.slowest(2); len(got) != 2 || got[0].Took != 120 || got[1].What != "collection: key |" {
		t.Errorf("got %v, which isn't the two slowest kinds", got)
	}
}
