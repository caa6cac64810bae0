package supervise

import (
	"testing"
	"time"
)

func TestRule(t *testing.T) {
	rule := Rule{First: time.Second, Longest: 5 * time.Second, Deaths: 5, Within: time.Minute}
	for _, c := range []struct {
		name   string
		deaths []int // seconds
		wait   time.Duration
		again  bool
	}{
		{"the first", []int{100}, time.Second, true},
		{"the second, soon", []int{100, 101}, 2 * time.Second, true},
		{"the third, soon", []int{100, 101, 102}, 4 * time.Second, true},
		{"no wait is longer than the longest", []int{100, 101, 102, 103}, 5 * time.Second, true},
		{"too many", []int{100, 101, 102, 103, 104}, 0, false},
		{"too many, just within the time", []int{100, 110, 120, 130, 159}, 0, false},
		{"as many, over a longer time", []int{100, 110, 120, 130, 160}, 5 * time.Second, true},
		{"what is long ago doesn't count", []int{1, 2, 3, 4, 500}, time.Second, true},
	} {
		var deaths []time.Time
		for _, s := range c.deaths {
			deaths = append(deaths, time.Unix(int64(s), 0))
		}
		if wait, again := rule.Next(deaths); wait != c.wait || again != c.again {
			t.Errorf("%s: got %s, %t; want %s, %t", c.name, wait, again, c.wait, c.again)
		}
	}
}

func TestTheUsualRuleEndsWithinItsTime(t *testing.T) {
	rule := UsualRule()
	now := time.Unix(0, 0)
	var deaths []time.Time
	for range 100 {
		deaths = append(deaths, now)
		wait, again := rule.Next(deaths)
		if !again {
			return
		}
		now = now.Add(wait)
	}
	t.Error("a component that dies at once each time is never given up")
}
