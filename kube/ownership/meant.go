package ownership

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// maxTyped is the maximum number of steps of a path that is read as people type it.
const maxTyped = 64

// Meant returns the nodes of a path that somebody typed (package typed). The path in structured-merge-diff's notation comes first, because links have it.
// An item may be named by its place, or by some of its keys if no other item has them.
func (b *Blame) Meant(path string) []*manifest.Node {
	if found := b.Find(path); len(found) > 0 {
		return found
	}
	steps, err := typed.Steps(path)
	if err != nil || len(steps) > maxTyped {
		return nil
	}
	return b.Find(b.written(steps))
}

// MeantPath is a typed path in structured-merge-diff's notation, also if the object doesn't have the field.
func (b *Blame) MeantPath(path string) string {
	for _, n := range b.Meant(path) {
		return b.Path(n)
	}
	return typed.Path(path)
}

// written are steps in structured-merge-diff's notation, with the names that items have in the object.
func (b *Blame) written(steps []typed.Step) string {
	path := ""
	for _, s := range steps {
		path += b.stepAt(path, s)
	}
	return path
}

func (b *Blame) stepAt(path string, s typed.Step) string {
	text := s.String()
	if !s.Item || len(b.Find(path+text)) > 0 {
		return text
	}
	for _, list := range b.Find(path) {
		var fit []*manifest.Node
		for _, child := range list.Children {
			if child.Index >= 0 && s.Fits(child.Value, child.Index) {
				fit = append(fit, child)
			}
		}
		if len(fit) == 1 {
			return b.Step(fit[0])
		}
	}
	return text
}

// Nearest is the path of the field that was probably meant by a typed path that leads to none; empty if no name is similar. One name is replaced: the
// first that the object doesn't have.
func (b *Blame) Nearest(path string) string {
	steps, err := typed.Steps(path)
	if err != nil || len(steps) > maxTyped {
		return ""
	}
	for i, s := range steps {
		around := b.written(steps[:i])
		if len(b.Find(around+b.stepAt(around, s))) > 0 {
			continue
		}
		for _, n := range b.Find(around) {
			near := typed.Nearest(s.Name, names(n))
			if near == "" {
				continue
			}
			for rest := len(steps); rest > i; rest-- { // as much of the rest as the object has
				meant := slices.Clone(steps[:rest])
				meant[i] = typed.Step{Name: near}
				if found := b.Find(b.written(meant)); len(found) > 0 {
					return b.Path(found[0])
				}
			}
		}
		return ""
	}
	return ""
}

func names(n *manifest.Node) []string {
	var all []string
	for _, child := range n.Children {
		if child.Index < 0 {
			all = append(all, child.Key)
		}
	}
	return all
}
