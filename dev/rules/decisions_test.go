package rules

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

const (
	decisions = "docs/decisions/"
	holds     = "holds"
	amended   = "amended by"
	overtaken = "overtaken by"
)

// decision is a record of docs/decisions, as its own head has it or as the table has it.
type decision struct {
	file, title, status string
	by                  []string // numbers of the records that changed it
}

var (
	decisionFile  = regexp.MustCompile(`^docs/decisions/(\d{4})-[\w-]+\.md$`)
	decisionTitle = regexp.MustCompile(`^# (\d{4}) (.+)$`)
	decisionRow   = regexp.MustCompile(`(?m)^\| \[(\d{4})\]\(([\w-]+\.md)\) \| (.+) \| ([^|]+) \|$`)
	statusWords   = regexp.MustCompile(`^(?:(holds)|(amended by|overtaken by) (\d{4}(?:, \d{4})*))$`)
	statusLink    = regexp.MustCompile(`\[(\d{4})\]\((\d{4})-[\w-]+\.md\)`)
)

// TestDecisionsSayWhetherTheyHold: nobody can tell by reading an old decision whether a newer one has changed it.
func TestDecisionsSayWhetherTheyHold(t *testing.T) {
	heads, rows := decisionHeads(t), decisionRows(t)
	for number, head := range heads {
		row, ok := rows[number]
		if !ok {
			t.Errorf("%s isn't in the table of %sREADME.md: readers look there first", head.file, decisions)
			continue
		}
		if row.file != head.file || row.status != head.status || strings.Join(row.by, " ") != strings.Join(head.by, " ") {
			t.Errorf("%s says %q %v, and the table says %q %v of %s: write the same in both", head.file, head.status, head.by, row.status, row.by, row.file)
		}
		for _, newer := range head.by {
			if _, ok := heads[newer]; !ok || newer <= number {
				t.Errorf("%s is %s %s, which is no younger decision: name the one that changed it", head.file, head.status, newer)
			}
		}
	}
	for number, row := range rows {
		if _, ok := heads[number]; !ok {
			t.Errorf("the table of %sREADME.md has %s, which isn't there: remove its line", decisions, row.file)
		}
	}
}

// TestOvertakenDecisionsAreNoReasons: whoever follows a link from code, or from a page about today, must not find what was given up.
func TestOvertakenDecisionsAreNoReasons(t *testing.T) {
	heads := decisionHeads(t)
	for _, name := range files(t, "*.go", "*.templ", "*.css", "*.js", "*.mjs", "*.ts", "*.sh", "*.yml", "*.yaml", "*.md", "Makefile") {
		if strings.HasPrefix(name, decisions) || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		for _, number := range decisionsNamed(string(read(t, name))) {
			if head := heads[number]; head.status == overtaken {
				t.Errorf("%s refers to %s, which is overtaken by %v: refer to the newer decision", name, head.file, head.by)
			} else if head.file == "" {
				t.Errorf("%s refers to decision %s, which isn't in %s", name, number, decisions)
			}
		}
	}
}

var decisionNamed = regexp.MustCompile(`(?:\b[Dd]ecisions?[ /]\[?|\[)(\d{4})\b`)

// decisionsNamed are the numbers of the decisions that a text refers to.
func decisionsNamed(text string) (numbers []string) {
	for _, found := range decisionNamed.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(found[1], "0") { // four digits in brackets can be a year, or a number of anything
			numbers = append(numbers, found[1])
		}
	}
	return numbers
}

func decisionHeads(t *testing.T) map[string]decision {
	t.Helper()
	all := map[string]decision{}
	for _, name := range files(t, decisions+"*.md") {
		number := decisionFile.FindStringSubmatch(name)
		if number == nil {
			continue
		}
		lines := strings.SplitN(string(read(t, name)), "\n", 4)
		title := decisionTitle.FindStringSubmatch(lines[0])
		if title == nil || title[1] != number[1] {
			t.Errorf("%s begins with %q: begin with its number and title, as in “# %s Title”", name, lines[0], number[1])
			continue
		}
		d, ok := statusOf(statusLink.ReplaceAllString(strings.TrimPrefix(lines[2], "Status: "), "$2"))
		if !ok || !strings.HasPrefix(lines[2], "Status: ") {
			t.Errorf("%s has %q as its third line: write “Status: holds”, “Status: amended by [NNNN](file)” or “Status: overtaken by [NNNN](file)”", name, lines[2])
		}
		d.file, d.title = path.Base(name), title[2]
		all[number[1]] = d
	}
	return all
}

func decisionRows(t *testing.T) map[string]decision {
	t.Helper()
	all := map[string]decision{}
	for _, row := range decisionRow.FindAllStringSubmatch(string(read(t, decisions+"README.md")), -1) {
		d, ok := statusOf(row[4])
		if !ok {
			t.Errorf("the table of %sREADME.md says %q of %s: write “holds”, “amended by NNNN” or “overtaken by NNNN”", decisions, row[4], row[1])
		}
		d.file, d.title = row[2], row[3]
		all[row[1]] = d
	}
	return all
}

// statusOf reads what a head or the table says, without links.
func statusOf(words string) (decision, bool) {
	found := statusWords.FindStringSubmatch(words)
	if found == nil {
		return decision{}, false
	}
	if found[1] != "" {
		return decision{status: holds}, true
	}
	return decision{status: found[2], by: strings.Split(found[3], ", ")}, true
}

func TestStatusesOfDecisionsAreRead(t *testing.T) {
	for words, want := range map[string]string{
		"holds": holds, "amended by 0031": amended, "overtaken by 0031, 0040": overtaken,
		"accepted": "", "amended by": "", "amended by 31": "", "holds, amended by 0031": "",
	} {
		if got, _ := statusOf(words); got.status != want {
			t.Errorf("%q is read as %q, not as %q", words, got.status, want)
		}
	}
	text := "see docs/decisions/0031 and decision 0032, [0033](0033-x.md), [Decision 0034](x), not 0035 or [2026]"
	if got := strings.Join(decisionsNamed(text), " "); got != "0031 0032 0033 0034" {
		t.Errorf("the decisions in the text are %s", got)
	}
}
