package main

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/kube/feature"
)

// offers are the answers to a question for a feature, in words.
var offers = map[string]string{"yes": "yes", "no": "no", "unknown": "?"}

// document is docs/compatibility.md.
func (all results) document() string {
	var b strings.Builder
	b.WriteString("# Versions of Kubernetes\n\n" +
		"`make test-controlplanes` writes this page. It tests Fieldmark against a real control plane of each version: etcd, the API server, the controllers and the scheduler\n" +
		"of that release, compiled from its source, with simulated nodes ([practice/README.md](../practice/README.md)). Fieldmark never looks at a version to decide what a\n" +
		"server can do. It asks the server.\n\n## What was tested\n\nEach number is a number of tests that passed. A test that fails is named.\n\n")
	all.head(&b, "")
	all.line(&b, "Release", func(r result) string { return r.Version })
	all.line(&b, "Tested on", func(r result) string { return r.Date })
	all.line(&b, "The practice cluster was ready after", func(r result) string { return fmt.Sprintf("%.1f s", float64(r.ReadyMs)/1000) })
	for _, row := range rows {
		all.line(&b, row.name, func(r result) string { return r.Tests[row.name].cell() })
	}
	all.line(&b, "Lessons of the field guide", func(r result) string { return r.Lessons.cell() })
	all.line(&b, "Statements in lessons that were checked", func(r result) string { return fmt.Sprint(r.Lessons.Statements) })
	all.line(&b, "Parts of lessons that are not true for this version, and are skipped", func(r result) string { return fmt.Sprint(r.Lessons.Skipped) })
	b.WriteString("\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "- **%s**: %s\n", row.name, row.what)
	}
	b.WriteString("\n## What each version offers\n\nThese answers are the servers' own, to requests that change nothing. You find those of your server on the page *Discovery*, on the tab *Features*. " +
		"The practice cluster\nswitches the alpha feature CBOR on where the release has it.\n\n")
	all.head(&b, "Feature")
	for _, f := range all.features() {
		all.line(&b, f.Name, func(r result) string { return r.offer(f.ID) })
	}
	b.WriteString("\n")
	for _, f := range feature.All() {
		fmt.Fprintf(&b, "- **%s**: %s Without it: %s\n", f.Name, f.Since, f.Instead)
	}
	b.WriteString(skewWords)
	return b.String()
}

const skewWords = `
## kubectl of another version

Kubernetes supports a kubectl that is one minor version older or newer than the API server. All these tests used kubectl of the newest version in the table, so
most of them are outside of that range. Fieldmark passes requests on as kubectl sends them, so kubectl behaves through Fieldmark as it does without it. The
differences are those of kubectl and the server. kubectl warns about such a difference in ` + "`kubectl version`" + `.
`

// head writes the first lines of a table.
func (all results) head(b *strings.Builder, first string) {
	all.row(b, first, func(minor string) string { return minor })
	all.row(b, "---", func(string) string { return "---" })
}

func (all results) line(b *strings.Builder, name string, cell func(result) string) {
	all.row(b, name, func(minor string) string { return cell(all[minor]) })
}

func (all results) row(b *strings.Builder, name string, cell func(minor string) string) {
	b.WriteString("| " + name + " |")
	for _, minor := range all.versions() {
		b.WriteString(" " + cell(minor) + " |")
	}
	b.WriteString("\n")
}

// cell is a number of tests. On the day of a version's last run, some tests may not have existed.
func (c count) cell() string {
	if c.Passed+len(c.Failed) == 0 {
		return "not yet"
	}
	if len(c.Failed) > 0 {
		return fmt.Sprintf("%d; **failed: %s**", c.Passed, strings.Join(c.Failed, ", "))
	}
	return fmt.Sprint(c.Passed)
}

func (l lessons) cell() string { return count{l.Passed, l.Failed}.cell() }

// features are those of any version, in the order of the newest one.
func (all results) features() []answer {
	var union []answer
	seen := map[string]bool{}
	versions := all.versions()
	for i := len(versions) - 1; i >= 0; i-- {
		for _, f := range all[versions[i]].Features {
			if !seen[f.ID] {
				seen[f.ID] = true
				union = append(union, f)
			}
		}
	}
	return union
}

func (r result) offer(id string) string {
	for _, f := range r.Features {
		if f.ID == id {
			return offers[f.Offered]
		}
	}
	return "not asked"
}
