package fields

import (
	"slices"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// manager is an owner in the view. Its index among all managers is its column.
type manager = owners.Manager

// laid is the object as lines, each with its owners.
type laid struct {
	*owners.Written
	byNode []int // by node: the row in which the node begins; -1 for the whole document
}

// lay writes the object as lines, and finds the owners of each line.
func (m on) lay() (*laid, error) {
	written, err := owners.Write(m.Object, m.Outline.Knowledge())
	if err != nil {
		return nil, err
	}
	m.Link(written.Document)
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

// findField is the row of a field and its node, also by a path as people type it; the node is nil if the object doesn't have the field.
func (l *laid) findField(path string) (row int, n *manifest.Node) {
	if path == "" {
		return -1, nil
	}
	for _, n := range l.Blame.Meant(path) {
		if at := l.byNode[n.ID]; at >= 0 {
			return at, n
		}
	}
	return -1, nil
}
