package ownership

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// laying assigns the claims of all entries to the nodes of an object at once, from the root down. The time is proportional to the size of the
// object and of the claims. Duplicate list items would multiply the time, so there is a limit for them.
type laying struct {
	*Blame
	left int // how many claims may still be assigned to duplicates of an item
	// other are claims of other versions on maps that are not atomic in this version. They may be on the parts of these maps.
	other []wholeClaim
}

// wholeClaim is a claim on a node as a whole.
type wholeClaim struct {
	ref
	node *manifest.Node
}

// maxCopies is how many claims are assigned to duplicates of list items.
const maxCopies = 1 << 20

// ref is a claim that names the current node.
type ref struct {
	entry int
	claim *claim
	twin  bool // the claim names several nodes, and this is one of them
	again bool // the node is in such a duplicate, and not in the first one
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

// covers are the claims on a node that also cover everything in it.
func (l *laying) covers(n *manifest.Node, refs []ref) []hold {
	if len(n.Children) == 0 || n.Parent == nil {
		return nil
	}
	whole := l.whole(n, refs)
	var all []hold
	for _, r := range refs {
		if !r.claim.member || !r.claim.childless() {
			continue
		}
		if !whole && !r.twin && !l.wholly(r) {
			if l.foreign(&l.Record.Entries[r.entry]) && !strings.HasPrefix(r.claim.path(), ".metadata") {
				l.other = append(l.other, wholeClaim{r, n})
			}
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

// whole tells whether a claim without children on this node covers everything in it. It doesn't if other claims are on parts of the node.
// Then its manager created the map or list, and other managers have taken over its parts.
func (l *laying) whole(n *manifest.Node, refs []ref) bool {
	if l.schema != nil {
		if atomic, ok := l.schema.Atomic(n); ok {
			return atomic
		}
	}
	return !metadataParts(n) && !slices.ContainsFunc(refs, func(r ref) bool { return !r.claim.childless() })
}

// metadataParts tells whether a node is a part of the object's metadata that is never owned as a whole.
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

// affordable removes claims on duplicates once the limit is reached. It notes them as tooMuch.
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

// group assigns the claims below a node to its children, by their positions; nil if the node has no children.
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
