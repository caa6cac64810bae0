package proxy

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// TestComparisonsAreWrittenRoundByRound compares each round with the same round of the other way, and not with the median of all.
func TestComparisonsAreWrittenRoundByRound(t *testing.T) {
	c := comparison{scene: scene{name: "a list", goal: likeProxy}, bytes: 1000, paces: map[string][]pace{
		lab.BareName:     {{rate: 100}, {rate: 10}, {rate: 1000}},
		lab.OurName:      {{90, 2e-3}, {8, 1e-3}, {700, 5e-3}},
		lab.KubectlProxy: {{60, 4e-3}, {8, 3e-3}, {350, 8e-3}},
		lab.BareHTTP2:    {{50, 0}, {5, 0}, {500, 0}},
	}}
	var b strings.Builder
	comparisons{c}.WriteSection(&b, lab.Plan{Rounds: 3, Span: time.Second, Connections: 8, Pods: 10000})
	for _, want := range []string{
		"with 10000 pods present",
		"| a list | 1000 | 100 | **0.80** (0.70–0.90) | **0.60** (0.35–0.80) | **0.50** (0.50–0.50) | **1.50** (1.00–2.00) | ≥ 1.0 × kubectl proxy |",
		"| a list | 2000 µs | 4000 µs | **0.50** |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
