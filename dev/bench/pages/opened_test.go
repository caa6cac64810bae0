package pages

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// lines are those of a table that begin with a word.
func lines(f lab.Findings, beginning string) []string {
	var b strings.Builder
	f.WriteSection(&b, lab.Plan{Pods: 10000})
	var found []string
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "| "+beginning) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// The figures of the old kind stay in the table, and are named so. No goal is lost.
func TestTheReportTellsOfFirstFigures(t *testing.T) {
	cold := opened{visit: visit{Row: 1, Ready: 2, All: 3, Block: 4, Shift: 0.005, Bytes: 6000, Memory: 7 << 20}, FCP: 8, LCP: 9, Painted: 10, Key: 11, Task: 12, Processor: 13, Frame: 14}
	warm := opened{visit: visit{Row: 101, Ready: 102, All: 103, Block: 104, Shift: 0.105, Bytes: 106000, Memory: 107 << 20}, FCP: 108, LCP: 109, Painted: 110, Key: 111, Task: 112, Processor: 113, Frame: 114}
	cold.Moments = map[string]float64{"asked": 50, "fetched": 70, "compiled": 71, "instantiated": 80, "started": 120, "begun": 119, "decoded": 150, "commanded": 160, "rendered": 175}
	warm.Moments = cold.Moments
	times := browserTimes{Cold: []opened{cold}, Warm: []opened{warm}, Changes: []change{{Paint: 5, Write: 20}}}
	for beginning, want := range map[string]string{
		"first contentful":            "| first contentful paint | **8** (8–8) |  | **108** (108–108) |  |",
		"largest contentful":          "| largest contentful paint | **9** (9–9) |  | **109** (109–109) |  |",
		"**first row painted":         "| **first row painted** | **10** (10–10) | ≤ 180 | **110** (110–110) | ≤ 100 |",
		"**ready":                     "| **ready: a key does something** | **11** (11–11) | ≤ 400 | **111** (111–111) | ≤ 200 |",
		"**every row":                 "| **every row present, and live** | **3** (3–3) | ≤ 1,000 | **103** (103–103) | ≤ 900 |",
		"**longest task":              "| **longest task of the main thread, from the navigation on** | **12** (12–12) | ≤ 30 | **112** (112–112) | ≤ 30 |",
		"— the most":                  "| — the most that the processor worked on one | **13** (13–13) |  | **113** (113–113) |  |",
		"the document's first":        "| the document's first bytes, its own script, the worker's script | **50** (50–50) | **50** (50–50) |",
		"Go starts":                   "| Go starts, and packages are initialized | **40** (40–40) | **40** (40–40) |",
		"waiting for":                 "| waiting for the document and its script | **0** (0–0) | **0** (0–0) |",
		"the first view":              "| the first view is rendered | **15** (15–15) | **15** (15–15) |",
		"layout shift":                "| layout shift, in thousandths | **5** (5–5) | ≤ 20 | **105** (105–105) | ≤ 20 |",
		"old figure: a row":           "| old figure: a row is in the document | **1** (1–1) | ≤ 250 | **101** (101–101) | ≤ 150 |",
		"old figure: the page's":      "| old figure: the page's program says that it runs | **2** (2–2) | ≤ 600 | **102** (102–102) | ≤ 300 |",
		"old figure: longest task of": "| old figure: longest task of 50 or more, until live | **4** (4–4) | ≤ 50 | **104** (104–104) | ≤ 50 |",
	} {
		if got := lines(times, beginning); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	var b strings.Builder
	times.WriteSection(&b, lab.Plan{Pods: 10000})
	if !strings.Contains(b.String(), "painted **5** (5–5) ms after its message (goal ≤ 16), and **20** (20–20) ms after the write") {
		t.Errorf("got:\n%s", b.String())
	}
}
