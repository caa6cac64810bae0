package rules

import (
	"regexp"
	"strings"
	"testing"
)

// later finds a note about later in a comment, and the owner behind it.
var later = regexp.MustCompile(`(?://|#|/\*|<!--|^\s*\*).*\b(TODO|FIXME|XXX)\b(\([^)]+\))?`)

func TestNothingIsLeftWithoutAnOwner(t *testing.T) {
	for _, name := range files(t, "*.go", "*.templ", "*.css", "*.js", "*.ts", "*.sh", "*.yml", "*.yaml", "*.md", "Makefile") {
		if strings.HasPrefix(name, "dev/rules/") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		for i, line := range strings.Split(string(read(t, name)), "\n") {
			if found := later.FindStringSubmatch(line); found != nil && found[2] == "" {
				t.Errorf("%s:%d: a %s without an owner is never done: write %[3]s(name) with the number of an issue, or do it now", name, i+1, found[1])
			}
		}
	}
}

// strayElse is what templ makes of `else if` among the attributes of an element: an attribute called else, and an if of its own.
var strayElse = regexp.MustCompile(`WriteString\(\w+, \d+, " else"\)`)

func TestNoAttributeIsCalledElse(t *testing.T) {
	for _, name := range files(t, "*_templ.go") {
		if strayElse.Match(read(t, name)) {
			t.Errorf("%s: templ knows no `else if` among attributes: let a method choose the value", name)
		}
	}
}
