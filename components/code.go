package components

import (
	"strconv"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Document is text in numbered lines.
type Document struct {
	Label string // the label for screen readers
	Lines []manifest.Line

	// For a document that changes: keys that identify its lines from one state to the next, and the lines that
	// changed a moment ago. Without keys, lines are identified by their numbers.
	Keys  []int
	Fresh []bool

	More string // says what is left out, and where to find it; empty: nothing
}

// lineID is the id of a line's element. It stays the same while other lines are added and removed.
func (d Document) lineID(i int) string {
	if i < len(d.Keys) {
		return "line-" + strconv.Itoa(d.Keys[i])
	}
	return "line-" + strconv.Itoa(i+1)
}

func (d Document) fresh(i int) bool { return i < len(d.Fresh) && d.Fresh[i] }
