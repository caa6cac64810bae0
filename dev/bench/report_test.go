package main

import (
	"os"
	"strings"
	"testing"
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
	if sections[0] != opening {
		t.Errorf("the report begins with:\n%s", sections[0])
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
