package main

import (
	"context"
	"fmt"
	"runtime"
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
		"`make bench` measures everything except `firstpage`, which compiles Kubernetes, and `census`, `costs` and `load`, and writes this report;\n`make bench PART=relay` measures one part and renews its section.\n" +
		"Each section says when it was measured, and at which commit. The API server is that of the practice cluster: it, etcd and\n" +
		"everything else share the machine. The machine is noisy: compare the ratios, and look at the range in brackets.\n"
)

// origin says when a part was measured, of which version and on what.
func (b *bencher) origin(ctx context.Context, p part, when time.Time) string {
	server := ""
	if b.lab != nil {
		server = ", API server " + b.lab.Version(ctx)
	}
	return fmt.Sprintf("Measured on %s at commit %s with %d cores, %s%s (`make bench PART=%s`).",
		when.UTC().Format(time.DateOnly), b.version, runtime.NumCPU(), runtime.Version(), server, p.name)
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
	b.WriteString(opening)
	for _, p := range parts {
		if text, ok := known[p.title]; ok {
			b.WriteString("\n" + text)
		}
	}
	return b.String()
}
