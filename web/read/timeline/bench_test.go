package timeline

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkSecond is what a second costs in which a hundred versions come.
func BenchmarkSecond(b *testing.B) {
	tab := fought(b, 200)
	n := 1000
	for b.Loop() {
		for i := range 100 {
			n++
			tab.Add(version(b, n, "git", fmt.Sprint(n)), nil, tab.now.Add(time.Duration(i)*10*time.Millisecond))
			html(b, tab)
		}
		tab.Tick(tab.now.Add(time.Second))
	}
}

func BenchmarkLayOut(b *testing.B) {
	tab := fought(b, 200)
	for b.Loop() {
		tab.laid.html = ""
		html(b, tab)
	}
}
