package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// stepNamed finds the steps of `make test`.
var stepNamed = regexp.MustCompile(`(?m)(?:step|early|whole|lane) '([^']+)'`)

// TestEachStepHasABudget: a step without one would take what it likes, and a budget without a step would say nothing.
func TestEachStepHasABudget(t *testing.T) {
	const together = "before the browser tests"
	steps := []string{together}
	for _, match := range stepNamed.FindAllStringSubmatch(string(read(t, "dev/scripts/test.sh")), -1) {
		steps = append(steps, match[1])
	}
	for line := range strings.Lines(string(read(t, "dev/budgets.tsv"))) {
		step, seconds, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(step, "#") {
			continue
		}
		if n, err := strconv.Atoi(seconds); err != nil || n <= 0 {
			t.Errorf("the budget of %q isn’t a number of seconds: %q", step, seconds)
		}
		at := slices.Index(steps, step)
		if at < 0 {
			t.Errorf("dev/budgets.tsv has a budget for %q, which is no step of dev/scripts/test.sh, or has one already", step)
			continue
		}
		steps = slices.Delete(steps, at, at+1)
	}
	for _, step := range steps {
		t.Errorf("dev/budgets.tsv has no budget for the step %q", step)
	}
}

// TestATimeIsSaidBesideItsBudget runs the script's own function.
func TestATimeIsSaidBesideItsBudget(t *testing.T) {
	_, after, _ := strings.Cut(string(read(t, "dev/scripts/test.sh")), "\nbudget() {")
	body, _, found := strings.Cut(after, "\n}\n")
	if !found {
		t.Fatal("dev/scripts/test.sh has no function budget")
	}
	for took, want := range map[string]string{"1": "1 s of 20 s", "22": "22 s of 20 s", "23": "23 s of 20 s, OVER ITS BUDGET"} {
		script := "budget() {" + body + "\n}\nbudget 'Checks of signing in' " + took
		if got := string(output(t, "bash", "-c", script)); got != want {
			t.Errorf("%s: it says %q", took, got)
		}
	}
}
