package ownership

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// laying lays the claims of all entries on an object at once, from the document down. That takes time in proportion to
// the object and the claims, but for items that lists hold several times: for these there is a bound.
type laying struct {
	*Blame
	left int // how often claims may still be laid on further copies of an item
}

// maxCopies bounds how often claims are laid on further copies of an item that a list holds several times.
const maxCopies = 1 << 20

// ref is a claim that names the current node.
type ref struct {
	entry int
	claim *claim
	twin  bool // the node is one of several that the claim names
	again bool // … or in such a one, and not the first of them
}

func (l *laying) lay(n *manifest.Node, refs []ref, covered []hold) {
	l.covered[n.ID] = covered
	for _, r := range refs {
		if r.claim.member && r.claim.parent != nil {
			l.found[r.entry][r.claim.id] = max(shown, l.found[r.entry][r.claim.id])
			l.direct[n.ID] = append(l.direct[n.ID], hold{r.entry, r.claim, Direct})
		}
	}
	below := slices.Concat(covered, l.covers(n, refs))
	groups := l.group(n, l.affordable(refs))
	for i, child := range n.Children {
		var reach []ref
		if groups != nil {
			reach = groups[i]
		}
		l.lay(child, reach, below)
	}
}

// covers are the claims that hold for everything in a node as well.
func (l *laying) covers(n *manifest.Node, refs []ref) []hold {
	if len(n.Children) == 0 || n.Parent == nil {
		return nil
	}
	whole := l.whole(n, refs)
	var all []hold
	for _, r := range refs {
		if !r.claim.member || !r.claim.childless() || !whole && !r.twin {
			continue
		}
		why := Atomic
		if r.claim.element.FieldName == nil {
			why = Item
		}
		all = append(all, hold{r.entry, r.claim, why})
	}
	return all
}

// whole tells whether a claim without children on this node is one on all that is in it. It is not where others claim
// parts of it: then the claim is what is left to who made the container, after others took over what is in it.
func (l *laying) whole(n *manifest.Node, refs []ref) bool {
	if l.schema != nil {
		if atomic, ok := l.schema.Atomic(n); ok {
			return atomic
		}
	}
	return !metadataParts(n) && !slices.ContainsFunc(refs, func(r ref) bool { return !r.claim.childless() })
}

// metadataParts tells whether a node is one of those in the metadata of every object that are never owned as a whole.
func metadataParts(n *manifest.Node) bool {
	switch n.Key {
	case "metadata":
		return isRoot(n.Parent)
	case "labels", "annotations", "finalizers", "ownerReferences":
		return inMetadata(n)
	default:
		return false
	}
}

// inMetadata tells whether a node is a field of the object's own metadata.
func inMetadata(n *manifest.Node) bool {
	return n.Parent != nil && n.Parent.Key == "metadata" && isRoot(n.Parent.Parent)
}

func isRoot(n *manifest.Node) bool { return n != nil && n.Parent == nil }

// affordable leaves out what would take too long to lay on yet another copy of an item.
func (l *laying) affordable(refs []ref) []ref {
	return slices.DeleteFunc(refs, func(r ref) bool {
		if !r.again {
			return false
		}
		l.left -= 1 + len(r.claim.children)
		if l.left < 0 {
			l.found[r.entry][r.claim.id] = tooMuch
		}
		return l.left < 0
	})
}

// group hands what is claimed in a node to its children, by their places; nil where nothing is.
func (l *laying) group(n *manifest.Node, refs []ref) [][]ref {
	switch n.Value.(type) {
	case map[string]any:
		return l.fields(n, refs)
	case []any:
		return l.items(n, refs)
	default:
		return nil
	}
}

func (l *laying) fields(n *manifest.Node, refs []ref) [][]ref {
	groups := make([][]ref, len(n.Children))
	for _, r := range refs {
		for _, c := range r.claim.children {
			if c.element.FieldName == nil {
				continue
			}
			if i, ok := n.Search(*c.element.FieldName); ok {
				groups[i] = append(groups[i], ref{r.entry, c, false, r.again})
			}
		}
	}
	return groups
}
