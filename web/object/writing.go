package object

import (
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// freshFor is how long a line or a row that changed is marked.
const freshFor = 1500 * time.Millisecond

// writing is the object written out. From one state to the next its lines keep their keys, so that what a reader has
// selected, and where they are, stays while lines come and go around it.
type writing struct {
	lines []manifest.Line
	keys  []int
	fresh []time.Time // when each line changed last; zero: not since the page is alive
	last  int         // key
	err   error       // why there are no lines
}

// become is the document with other lines. Those that changed are marked as of now; none are where that is zero, or
// where there was nothing to read before.
func (d writing) become(lines []manifest.Line, err error, now time.Time) writing {
	if len(d.lines) == 0 {
		now = time.Time{}
	}
	next := writing{lines: lines, keys: make([]int, len(lines)), fresh: make([]time.Time, len(lines)), last: d.last, err: err}
	for i, match := range manifest.Compare(d.lines, lines) {
		if match.From >= 0 {
			next.keys[i], next.fresh[i] = d.keys[match.From], d.fresh[match.From]
		} else {
			next.last++
			next.keys[i] = next.last
		}
		if match.Changed {
			next.fresh[i] = now
		}
	}
	return next
}

// shown is the document as it looks at a time.
func (d writing) shown(label string, now time.Time) components.Document {
	fresh := make([]bool, len(d.lines))
	for i, at := range d.fresh {
		fresh[i] = !at.IsZero() && now.Sub(at) <= freshFor
	}
	return components.Document{Label: label, Lines: d.lines, Keys: d.keys, Fresh: fresh}
}
