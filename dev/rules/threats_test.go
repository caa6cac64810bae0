package rules

import (
	"regexp"
	"strings"
	"testing"
)

const threats = "docs/threats.md"

var (
	threatRow   = regexp.MustCompile(`(?m)^\| \*\*(.+?)\*\* \| (.+) \| (.+) \|$`)
	threatTests = regexp.MustCompile("`([^`]+_test\\.go)`: ([^<]+)")
	threatNamed = regexp.MustCompile(`\b[tT]hreat: ([^).\n]+)[).]`)
	threatCase  = regexp.MustCompile(`(?:\(|// )[cC]ases? \d+\b|func Test\w*Case\d`)
)

// threatRows are the rows of the table: the name of each threat, and the cell with its tests.
func threatRows(t *testing.T) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, row := range threatRow.FindAllStringSubmatch(string(read(t, threats)), -1) {
		rows[row[1]] = row[3]
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no rows that can be read", threats)
	}
	return rows
}

func TestEachThreatHasTests(t *testing.T) {
	for name, cell := range threatRows(t) {
		held := threatTests.FindAllStringSubmatch(cell, -1)
		if len(held) == 0 {
			t.Errorf("%s: no test is about the threat %q, so nobody would notice if the protection failed", threats, name)
		}
		for _, of := range held {
			if !exists(of[1]) {
				t.Errorf("%s: the threat %q names %s, which isn’t there", threats, name, of[1])
				continue
			}
			source := string(read(t, of[1]))
			for test := range strings.SplitSeq(of[2], ", ") {
				if test = strings.Trim(test, "` "); !strings.Contains(source, "func "+test+"(") {
					t.Errorf("%s: the threat %q has the test %s, but %s doesn’t have it", threats, name, test, of[1])
				}
			}
		}
	}
}

func TestThreatsHaveTheirNames(t *testing.T) {
	rows := threatRows(t)
	for _, name := range files(t, "*.go", "*.templ", "*.ts", "*.md") {
		if strings.HasPrefix(name, "dev/rules/") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		text := string(read(t, name))
		for _, found := range threatNamed.FindAllStringSubmatch(text, -1) {
			if _, known := rows[found[1]]; !known {
				t.Errorf("%s names the threat %q, which %s doesn’t have", name, found[1], threats)
			}
		}
		if found := threatCase.FindString(text); found != "" {
			t.Errorf("%s has %q: a number has no meaning for readers; use the name of the threat in %s", name, found, threats)
		}
	}
}
