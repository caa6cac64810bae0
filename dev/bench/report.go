package main

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// section is what the report says about one part.
type section struct {
	title  string
	origin string // when it was measured, and of which version
	text   string
}

func (s section) String() string {
	return heading + s.title + "\n\n" + s.origin + "\n\n" + s.text
}

const (
	heading = "## "
	opening = "# How fast it is\n\n" +
		"`make bench PART=all` renews this report at one commit, and goes on where it was interrupted. `make bench PART=relay` measures one part and renews its section.\n" +
		"`make bench` leaves out `firstpage`, which compiles Kubernetes, and `census`, `costs` and `load`. `make bench PART=list` tells how long each part takes.\n" +
		"Each section says when it was measured, and at which commit. The API server is that of the practice cluster: it, etcd and\n" +
		"everything else share the machine. The machine is noisy: compare the ratios, and look at the range in brackets.\n"
)

// origin says when a part was measured, of which version, on what, and how long it took.
func (b *bencher) origin(ctx context.Context, p part, when time.Time, took time.Duration) string {
	server := ""
	if b.lab != nil {
		server = ", API server " + b.lab.Version(ctx)
	}
	return fmt.Sprintf("Measured on %s at commit %s in %.0f s with %d cores, %s%s (`make bench PART=%s`).",
		when.UTC().Format(time.DateOnly), b.version, took.Seconds(), runtime.NumCPU(), runtime.Version(), server, p.name)
}

// measuredLine is the line of a section that says when it was measured. Sections that are older than the third group don't say how long that took.
var measuredLine = regexp.MustCompile(`(?m)^Measured on (\S+) at commit (\S+) (?:in (\d+) s )?with .*\(` + "`" + `make bench PART=([a-z]+)` + "`" + `\)\.$`)

// measured is what a report tells of one of its sections.
type measured struct {
	day, commit, part string
	took              time.Duration // 0: the section doesn't tell
}

// measuredOf reads from a report when its sections were measured.
func measuredOf(report string) (all []measured) {
	for _, found := range measuredLine.FindAllStringSubmatch(report, -1) {
		seconds, _ := strconv.Atoi(found[3])
		all = append(all, measured{found[1], found[2], found[4], time.Duration(seconds) * time.Second})
	}
	return all
}

// ages says in a line of how many commits the sections of a report are.
func ages(report string) string {
	all := measuredOf(report)
	if len(all) == 0 {
		return ""
	}
	commits := map[string]bool{}
	first, last := all[0].day, all[0].day
	for _, m := range all {
		commits[m.commit] = true
		first, last = min(first, m.day), max(last, m.day)
	}
	if len(commits) == 1 {
		return fmt.Sprintf("\nAll %d sections are of commit %s.\n", len(all), all[0].commit)
	}
	return fmt.Sprintf("\n**The %d sections are of %d commits, from %s to %s.** Figures of different sections may be of different code.\n", len(all), len(commits), first, last)
}

// renew puts a section into a report, in the place of the section with its title. Sections come in the order of the parts.
// A section that belongs to no part is left out.
func renew(report string, fresh section) string {
	known := map[string]string{fresh.title: fresh.String()}
	for _, old := range strings.Split("\n"+report, "\n"+heading)[1:] {
		title, _, _ := strings.Cut(old, "\n")
		if title != fresh.title {
			known[title] = heading + strings.TrimRight(old, "\n") + "\n"
		}
	}
	var b strings.Builder
	for _, p := range parts {
		if text, ok := known[p.title]; ok {
			b.WriteString("\n" + text)
		}
	}
	return opening + ages(b.String()) + b.String()
}
