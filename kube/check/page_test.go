package check

import (
	"os"
	"strings"
	"testing"
)

// docs/ways-out.md shows the ways out as they are, and says for which versions they are written.
func TestThePageOfTheWaysShowsThem(t *testing.T) {
	page, err := os.ReadFile("../../docs/ways-out.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{argoRule, fluxRule, fluxHelmRule, helmRule, ours("kube-controller-manager")} {
		_, example, _ := strings.Cut(rule, "\n")
		if !strings.Contains(string(page), "```yaml\n"+example+"```\n") {
			t.Errorf("the page doesn't show\n%s", rule)
		}
	}
	for _, c := range conflictWays {
		if command := c.want[WayOverwrite]; command != "" && !strings.Contains(string(page), "```sh\n"+command+"```\n") && c.manager != "kubectl" {
			t.Errorf("the page doesn't show %s", command)
		}
	}
	for _, way := range []string{WayGiveUp, WayShare, WayOverwrite, WayHandOver, WayRule} {
		if !strings.Contains(string(page), "| `"+way+"` |") || !strings.Contains(string(page), "\n## "+way) && way != WayShare {
			t.Errorf("the page doesn't say what %s is", way)
		}
	}
}
