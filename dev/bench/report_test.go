package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

func TestOnePartRenewsItsSectionAlone(t *testing.T) {
	old := opening + "\n" + section{"Through the proxy", "Measured once.", "old proxy\n"}.String() +
		"\n" + section{"Following what happens", "Measured once.", "old relay\n\n| a table |\n"}.String() +
		"\n" + section{"Something that no part measures", "Measured once.", "gone\n"}.String() +
		"\n" + section{"Start", "Measured once.", "old start\n"}.String()
	got := renew(old, section{"Following what happens", "Measured now.", "new relay\n"})
	want := opening + "\n## Through the proxy\n\nMeasured once.\n\nold proxy\n" +
		"\n## Following what happens\n\nMeasured now.\n\nnew relay\n" +
		"\n## Start\n\nMeasured once.\n\nold start\n"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if again := renew(got, section{"Following what happens", "Measured now.", "new relay\n"}); again != got {
		t.Errorf("renewed twice:\n%s", again)
	}
}

func TestANewSectionTakesItsPlace(t *testing.T) {
	got := renew(section{"Start", "Measured once.", "start\n"}.String(), section{"The collection page", "Measured now.", "page\n"})
	if page, start := strings.Index(got, "## The collection page"), strings.Index(got, "## Start"); page < 0 || start < page {
		t.Errorf("got:\n%s", got)
	}
	if got := renew("", section{"Start", "Measured now.", "start\n"}); !strings.HasPrefix(got, "# How fast it is") {
		t.Errorf("got:\n%s", got)
	}
}

// usual are the names of the parts that are measured if none is named.
func usual() string {
	var all []string
	for name := range strings.SplitSeq(names(), ", ") {
		if name != "census" && name != "firstpage" && name != "costs" && name != "load" {
			all = append(all, name)
		}
	}
	return strings.Join(all, ", ")
}

func TestPartsAreChosenByName(t *testing.T) {
	for list, want := range map[string]string{"": usual(), "firstpage": "firstpage", "relay": "relay", "start, proxy": "proxy, start"} {
		chosen, err := choose(list)
		var got []string
		for _, p := range chosen {
			got = append(got, p.name)
		}
		if err != nil || strings.Join(got, ", ") != want {
			t.Errorf("%q: got %q, %v", list, got, err)
		}
	}
	if _, err := choose("relay,rely"); err == nil || !strings.Contains(err.Error(), `"rely"`) || !strings.Contains(err.Error(), "timeline") {
		t.Errorf("got %v, which doesn't say what is wrong and which parts there are", err)
	}
}

// The report tells of each section when it was measured and at which commit, and `make bench` renews each of them.
func TestTheReportHasItsOrigins(t *testing.T) {
	text, err := os.ReadFile("REPORT.md")
	if err != nil {
		t.Fatal(err)
	}
	title := map[string]string{}
	for _, p := range parts {
		title[p.title] = p.name
	}
	sections := strings.Split(string(text), "\n"+heading)
	if want := opening + ages(string(text)); sections[0]+"\n" != want && sections[0] != want {
		t.Errorf("the report begins with:\n%s\nand its sections say:\n%s", sections[0], want)
	}
	if told := measuredOf(string(text)); len(told) != len(sections)-1 {
		t.Errorf("%d of %d sections tell when they were measured", len(told), len(sections)-1)
	}
	for _, s := range sections[1:] {
		name, rest, _ := strings.Cut(s, "\n\n")
		origin, _, _ := strings.Cut(rest, "\n")
		if title[name] == "" || !strings.HasPrefix(origin, "Measured on 20") || !strings.Contains(origin, " at commit ") ||
			!strings.HasSuffix(origin, "(`make bench PART="+title[name]+"`).") {
			t.Errorf("%s: %s", name, origin)
		}
	}
}

const aReport = "## Through the proxy\n\nMeasured on 2026-11-29 at commit abc in 150 s with 2 cores, go1.26.8, API server v1.37.1 (`make bench PART=proxy`).\n\n" +
	"## Following what happens\n\nMeasured on 2026-11-30 at commit abc in 20 s with 2 cores, go1.26.8 (`make bench PART=relay`).\n\n" +
	"## Start\n\nMeasured on 2026-11-21 at commit def-dirty with 2 cores, go1.26.8, API server v1.37.1 (`make bench PART=start`).\n"

// TestAReportSaysOfHowManyCommitsItIs also renews a section, because the head must change with its sections.
func TestAReportSaysOfHowManyCommitsItIs(t *testing.T) {
	if got, want := ages(aReport), "\n**The 3 sections are of 2 commits, from 2026-11-21 to 2026-11-30.** Figures of different sections may be of different code.\n"; got != want {
		t.Errorf("got %q", got)
	}
	one := renew(aReport, section{"Start", "Measured on 2026-11-30 at commit abc in 1 s with 2 cores, go1.26.8 (`make bench PART=start`).", "start\n"})
	if !strings.Contains(one, "\nAll 3 sections are of commit abc.\n") {
		t.Errorf("got:\n%s", one)
	}
	if got := ages("# no sections\n"); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestAWholeReportGoesOnWhereItWasInterrupted(t *testing.T) {
	rest := remaining(measuredOf(aReport), "abc")
	if len(rest) != len(parts)-2 {
		t.Errorf("%d of %d parts remain", len(rest), len(parts))
	}
	for _, p := range rest {
		if p.name == "proxy" || p.name == "relay" {
			t.Errorf("%s is of this commit already", p.name)
		}
	}
	if rest := remaining(measuredOf(aReport), "def"); len(rest) != len(parts) {
		t.Errorf("%d of %d parts remain; one was measured with changes that weren't committed", len(rest), len(parts))
	}
}

func TestAWholeReportIsOfACommit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.md")
	if err := os.WriteFile(file, []byte(aReport), 0o600); err != nil {
		t.Fatal(err)
	}
	for version, fine := range map[string]bool{"abc": true, "v1.2.3-4-gabc": true, "abc-dirty": false, "unknown": false, "dev": false, "": false} {
		b := bencher{plan: lab.Plan{Parts: allParts, Report: file}, version: version}
		if _, err := b.chosen(); (err == nil) != fine {
			t.Errorf("%q: %v", version, err)
		}
	}
	b := bencher{plan: lab.Plan{Parts: "relay", Report: file}, version: "abc-dirty"}
	if chosen, err := b.chosen(); err != nil || len(chosen) != 1 {
		t.Errorf("one part of a build with changes: %v, %v", chosen, err)
	}
}

func TestPartsAreListedWithTheirTimes(t *testing.T) {
	got := listed(measuredOf(aReport))
	for _, want := range []string{
		"Through the proxy: 2m30s, over two minutes: measure it alone (commit abc)\n", "Following what happens: 20s (commit abc)\n",
		"Start: not known (commit def-dirty)\n", "A census of a whole cluster: not known (commit none)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if lines := strings.Count(got, "\n"); lines != len(parts) {
		t.Errorf("%d lines for %d parts", lines, len(parts))
	}
}
