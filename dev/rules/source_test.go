package rules

import (
	"regexp"
	"strings"
	"testing"
)

// unexported finds the name of a function or method that its package alone calls.
var unexported = regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?([a-z]\w*)`)

// mostOfOneName is how many functions one name may stand for. The commonest stand for markers and values: cmd, msg, step, name.
const mostOfOneName = 25

// TestNamesLeadHome: a name that stands for fifty functions says nothing where it is called, and a search for it finds everything.
func TestNamesLeadHome(t *testing.T) {
	count := map[string]int{}
	for _, name := range files(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		for _, found := range unexported.FindAllSubmatch(read(t, name), -1) {
			count[string(found[1])]++
		}
	}
	for name, n := range count {
		if n > mostOfOneName {
			t.Errorf("%d functions are called %s: give them a verb and what it is done to, such as %sRow", n, name, name)
		}
	}
}

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
