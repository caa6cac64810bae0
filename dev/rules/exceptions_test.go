package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var exception = regexp.MustCompile(`//nolint:([\w,-]+)`)

// TestExceptionsAreToLintersThatRun finds what nolintlint leaves alone: an exception to a linter that is not enabled.
func TestExceptionsAreToLintersThatRun(t *testing.T) {
	var config struct{ Linters struct{ Enable []string } }
	if err := yaml.Unmarshal(read(t, ".golangci.yml"), &config); err != nil {
		t.Fatal(err)
	}
	if len(config.Linters.Enable) == 0 {
		t.Fatal(".golangci.yml enables no linter")
	}
	for _, name := range files(t, "*.go", "*.templ") {
		for i, line := range strings.Split(string(read(t, name)), "\n") {
			found := exception.FindStringSubmatch(line)
			if found == nil {
				continue
			}
			for linter := range strings.SplitSeq(found[1], ",") {
				if !slices.Contains(config.Linters.Enable, linter) {
					t.Errorf("%s:%d: an exception to %s, which is not enabled in .golangci.yml: enable the linter, or remove the exception", name, i+1, linter)
				}
			}
		}
	}
}
