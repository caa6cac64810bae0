package supervise

import "time"

// Rule decides whether a component that ended by itself is started again.
type Rule struct {
	// First is the wait before the first restart. Each further death doubles the wait, up to Longest.
	First, Longest time.Duration
	// Deaths within Within are too many: the component is given up.
	Deaths int
	Within time.Duration
}

// UsualRule restarts a component four times in two minutes and gives it up at the fifth death.
func UsualRule() Rule {
	return Rule{First: 500 * time.Millisecond, Longest: 10 * time.Second, Deaths: 5, Within: 2 * time.Minute}
}

// Next judges the last of deaths, which are in the order of time. It returns how long to wait before the restart,
// and false if the component is to be given up.
func (r Rule) Next(deaths []time.Time) (wait time.Duration, again bool) {
	recent := r.recent(deaths)
	if recent >= r.Deaths {
		return 0, false
	}
	wait = r.First
	for range recent - 1 {
		wait = min(2*wait, r.Longest)
	}
	return wait, true
}

// recent counts the deaths that are close enough to the last one to count against the component.
func (r Rule) recent(deaths []time.Time) int {
	last := deaths[len(deaths)-1]
	n := 0
	for _, death := range deaths {
		if last.Sub(death) < r.Within {
			n++
		}
	}
	return n
}
