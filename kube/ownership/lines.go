package ownership

import "github.com/fieldmark/fieldmark/kube/manifest"

// Kind says what a line of a document shows.
type Kind string

// The kinds of lines.
const (
	Head Kind = "head" // a value with children: no manager owns it by itself, unless it is claimed
	Leaf Kind = "leaf" // a value: a scalar, or an empty map or list
	Text Kind = "text" // the text of an earlier line continues
)

// Line is what a line of a document shows. Ask the Blame for its owners.
type Line struct {
	Kind Kind
	Node *manifest.Node // what the line shows; the innermost, if several begin in it
	// Items are the list items that begin in this line and contain Node, the outermost first.
	Items []*manifest.Node
}

// Lines says what each line of a document shows.
func Lines(places []manifest.Place) []Line {
	lines := make([]Line, len(places))
	for i, p := range places {
		lines[i] = Line{Kind: kindOf(p), Node: p.Inner, Items: itemsIn(p)}
	}
	return lines
}

func kindOf(p manifest.Place) Kind {
	switch {
	case p.Continued:
		return Text
	case len(p.Inner.Children) > 0:
		return Head
	default:
		return Leaf
	}
}

func itemsIn(p manifest.Place) []*manifest.Node {
	if p.Continued || p.Inner == p.Outer {
		return nil
	}
	items := append(itemsIn(manifest.Place{Outer: p.Outer, Inner: p.Inner.Parent}), p.Inner.Parent)
	return items
}
