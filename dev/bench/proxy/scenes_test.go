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
		"| a list | 1000 | 100 | **0.80** (0.70–0.90) | **0.60** (0.35–0.80) | **0.50** (0.50–0.50) |",
		"| a list | Go | **1.50** (1.00–2.00) | ≥ 1.1 | 2000 µs | 4000 µs | **0.50** (0.33–0.62) |",
		"`wrk` isn't installed",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	c.byWrk = map[string][]pace{lab.OurName: {{90, 2e-3}}, lab.KubectlProxy: {{60, 4e-3}}}
	b.Reset()
	comparisons{c}.WriteSection(&b, lab.Plan{Rounds: 3})
	if want := "| a list | wrk | **1.50** (1.50–1.50) |"; !strings.Contains(b.String(), want) || strings.Contains(b.String(), "isn't installed") {
		t.Errorf("no %q in\n%s", want, b.String())
	}
}

const wrkSays = `Running 2s test @ http://127.0.0.1:8001/api
  1 threads and 8 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   173.92ms   38.28ms 353.47ms   79.57%
  735 requests in 2.10s, 736.94MB read
Requests/sec:     45.76
Transfer/sec:     45.88MB
`

func TestFiguresOfWrkAreRead(t *testing.T) {
	if requests, took, err := readWrk(wrkSays); err != nil || requests != 735 || took != 2100*time.Millisecond {
		t.Errorf("got %v in %v, %v", requests, took, err)
	}
	if requests, took, err := readWrk(strings.Replace(wrkSays, "2.10s", "1.00m", 1)); err != nil || requests != 735 || took != time.Minute {
		t.Errorf("got %v in %v, %v", requests, took, err)
	}
	for _, said := range []string{
		"", strings.Replace(wrkSays, "735 requests", "0 requests", 1),
		wrkSays + "  Non-2xx or 3xx responses: 3\n", wrkSays + "  Socket errors: connect 0, read 0, write 0, timeout 2\n",
	} {
		if _, _, err := readWrk(said); err == nil {
			t.Errorf("no error for %q", said)
		}
	}
}

func TestWrkHasTimeForEnoughRequests(t *testing.T) {
	for rate, want := range map[float64]time.Duration{2000: 2 * time.Second, 50: 2 * time.Second, 20: 5 * time.Second, 1: 10 * time.Second} {
		if got := wrkSpan(2*time.Second, rate); got != want {
			t.Errorf("%v requests a second: got %v, want %v", rate, got, want)
		}
	}
}
