package fields

import (
	"slices"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// manager is an owner in the view. Its place among all is its column.
type manager = owners.Manager

// laid is the object written out, each line with its owners.
type laid struct {
	*owners.Written
	byNode []int // the row in which each node begins; -1 for the document
}

// lay writes the object out and lays its record of ownership on it.
func (m on) lay() (*laid, error) {
	written, err := owners.Write(m.Object, m.Outline.Knowledge())
	if err != nil {
		return nil, err
	}
	l := &laid{Written: written, byNode: slices.Repeat([]int{-1}, written.Document.Root.End)}
	for i, r := range l.Rows {
		if r.Kind == ownership.Text {
			continue
		}
		for _, n := range append(r.Items, r.Node) {
			l.byNode[n.ID] = i
		}
	}
	return l, nil
}

// find gives the row of a field, and its node; nil where the object holds no such field.
func (l *laid) find(path string) (row int, n *manifest.Node) {
	if path == "" {
		return -1, nil
	}
	for _, n := range l.Blame.Find(path) {
		if at := l.byNode[n.ID]; at >= 0 {
			return at, n
		}
	}
	return -1, nil
}
