package relay

import (
	"fmt"
	"testing"
)

// TestASilentRingStaysSmall has a watch on which nothing happens all day but new versions.
func TestASilentRingStaysSmall(t *testing.T) {
	var r ring
	changed := change{item: &item{key: "a"}, size: 1}
	r.put("begin", change{})
	for n := range 5000 {
		r.put(fmt.Sprint("quiet-", n), change{})
		r.put(fmt.Sprint("quiet-", n), change{}) // said twice
	}
	if len(r.entries) != 1 || len(r.at) != maxLater+1 {
		t.Errorf("%d entries, %d versions", len(r.entries), len(r.at))
	}
	r.put("changed", changed)
	r.put("after", change{})
	for version, want := range map[string]int{"quiet-4999": 1, fmt.Sprint("quiet-", 5000-maxLater): 1, "begin": 1, "changed": 0, "after": 0, "quiet-0": -1, "other": -1} {
		missed, ok := r.since(version)
		if ok != (want >= 0) || ok && len(missed) != want {
			t.Errorf("since %s: %d changes, %v; want %d", version, len(missed), ok, want)
		}
	}
	for n := range ringEntries {
		r.put(fmt.Sprint("later-", n), changed)
	}
	if len(r.entries) != ringEntries || len(r.at) != ringEntries {
		t.Errorf("then %d entries, %d versions", len(r.entries), len(r.at))
	}
	if _, ok := r.since("quiet-4999"); ok {
		t.Error("a version is known whose changes are forgotten")
	}
}
