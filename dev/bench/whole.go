package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

const (
	allParts = "all"
	listPart = "list"
)

// long is the time from which a part is better measured alone.
const long = 2 * time.Minute

// chosen are the parts of the plan. If they are all, they exclude those that the report has of this commit, so a run that was interrupted can go on.
func (b *bencher) chosen() ([]part, error) {
	if b.plan.Parts != allParts {
		return choose(b.plan.Parts)
	}
	if !committed(b.version) {
		return nil, fmt.Errorf("-part %s renews the report at one commit, but the version of this build (%s) isn't a commit's; commit all changes, and build again", allParts, b.version)
	}
	report, err := os.ReadFile(b.plan.Report)
	if err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	rest := remaining(measuredOf(string(report)), b.version)
	lab.Say(fmt.Sprintf("%d of %d parts are still to be measured at commit %s", len(rest), len(parts), b.version))
	return rest, nil
}

// committed tells whether a version names a commit, and no changes beside it.
func committed(version string) bool {
	return version != "" && version != "unknown" && version != "dev" && !strings.HasSuffix(version, "-dirty")
}

// remaining are the parts of which a report has no section of a commit.
func remaining(all []measured, commit string) (rest []part) {
	fresh := map[string]bool{}
	for _, m := range all {
		if m.commit == commit {
			fresh[m.part] = true
		}
	}
	for _, p := range parts {
		if !fresh[p.name] {
			rest = append(rest, p)
		}
	}
	return rest
}

// list tells of each part how long it took, and of which commit its section is.
func (b *bencher) list(to io.Writer) error {
	report, err := os.ReadFile(b.plan.Report)
	if err != nil {
		return fmt.Errorf("reading the report: %w", err)
	}
	if _, err := io.WriteString(to, listed(measuredOf(string(report)))); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	return nil
}

// listed is the list of all parts, with what a report tells of their sections.
func listed(all []measured) string {
	of := map[string]measured{}
	for _, m := range all {
		of[m.part] = m
	}
	var b strings.Builder
	for _, p := range parts {
		took, mark := "not known", ""
		if m := of[p.name]; m.took > 0 {
			took = m.took.String()
			if m.took > long {
				mark = ", over two minutes: measure it alone"
			}
		}
		fmt.Fprintf(&b, "%-12s %s: %s%s (commit %s)\n", p.name, p.title, took, mark, orNone(of[p.name].commit))
	}
	return b.String()
}

func orNone(commit string) string {
	if commit == "" {
		return "none"
	}
	return commit
}
