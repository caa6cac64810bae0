package ownership

import "github.com/fieldmark/fieldmark/kube/manifest"

// Kind says what a line of a document shows.
type Kind string

// The kinds of lines.
const (
	Head Kind = "head" // something that holds more: nobody's and everybody's, unless it is claimed itself
	Leaf Kind = "leaf" // a value: a scalar, or a map or list with nothing in it
	Text Kind = "text" // more of the text that began further up
)

// Line is what a line of a document shows. Who owns it is to be asked of the Blame.
type Line struct {
	Kind Kind
	Node *manifest.Node // what the line shows; the innermost, where several begin in it
	// Items are the list items that begin in this line and hold Node, from the outside in.
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
