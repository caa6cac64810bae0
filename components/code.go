package components

import (
	"strconv"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Document is text in numbered lines.
type Document struct {
	Label string // what it is, for those who do not see it
	Lines []manifest.Line

	// Of a document that changes: the keys by which its lines are known from one state to the next, and which of them
	// changed a moment ago. Without keys, lines are known by their numbers.
	Keys  []int
	Fresh []bool

	More string // says what is left out, and where it is; empty: nothing is
}

// lineID is the id of a line's element. It keeps its identity while lines come and go around it.
func (d Document) lineID(i int) string {
	if i < len(d.Keys) {
		return "line-" + strconv.Itoa(d.Keys[i])
	}
	return "line-" + strconv.Itoa(i+1)
}

func (d Document) fresh(i int) bool { return i < len(d.Fresh) && d.Fresh[i] }
