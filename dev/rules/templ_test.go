package rules

import (
	"regexp"
	"testing"
)

// glued is a way into the guide with text right after it: templ leaves out the blank at the end of a component's line.
var (
	glued = regexp.MustCompile(`\bWhy(?:Mark)?\([^\n]*\)\.Render\(ctx, \w+\)\n` +
		`(?:[^\n]*if templ_\w+ != nil \{\n[^\n]*return templ_\w+\n\s*\}\n|\s*\}(?: else[^\n]*)?\n)*\s*` +
		`(?:templ_\w+ = templruntime\.WriteString\(\w+, \d+, "[^<\s"]|var templ_\w+ string\n[^\n]*JoinStringErrs\([^\n]*\n)`)
	blank = regexp.MustCompile(`JoinStringErrs\(" "\)\n$`)
)

func TestNoTextSticksToAWay(t *testing.T) {
	for _, name := range files(t, "*_templ.go") {
		for _, found := range glued.FindAll(read(t, name), -1) {
			if !blank.Match(found) {
				t.Errorf("%s: text follows a why? without a blank: put { \" \" } before it\n%s", name, found)
			}
		}
	}
}
