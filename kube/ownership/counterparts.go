package ownership

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// What says what happened to a field from one version of an object to another.
type What string

// The things that happen.
const (
	Added   What = "added"
	Removed What = "removed"
	Changed What = "changed" // the value is different
	Passed  What = "owner"   // the value is the same, and the owners are different
)

// Counterpart is a field or list item in two versions of an object. It is nil if a version doesn't have it.
type Counterpart struct{ Old, New *manifest.Node }

// Counterparts pairs the children of a node with those of its counterpart in another version of the object. It pairs fields by their
// names. It pairs list items by their names if both versions name them in the same way, and equal names in their order. Children of the
// later version come first, in its order. Then come those that only the earlier version has.
func Counterparts(before, after *Blame, old, now *manifest.Node) []Counterpart {
	if isFields(old) && isFields(now) {
		return fieldPairs(old.Children, now.Children)
	}
	name := func(b *Blame, n *manifest.Node) string { return b.Step(n) }
	if otherNames(before, after, old, now) {
		name = func(_ *Blame, n *manifest.Node) string { return strconv.Itoa(n.Index) }
	}
	former := make(map[string][]*manifest.Node, len(old.Children))
	for _, child := range old.Children {
		key := name(before, child)
		former[key] = append(former[key], child)
	}
	pairs := make([]Counterpart, 0, len(now.Children))
	for _, child := range now.Children {
		p, key := Counterpart{New: child}, name(after, child)
		if rest := former[key]; len(rest) > 0 {
			p.Old, former[key] = rest[0], rest[1:]
		}
		pairs = append(pairs, p)
	}
	for _, child := range old.Children {
		if rest := former[name(before, child)]; len(rest) > 0 && rest[0].ID <= child.ID {
			pairs = append(pairs, Counterpart{Old: child})
		}
	}
	return pairs
}

func isFields(n *manifest.Node) bool { return len(n.Children) == 0 || n.Children[0].Index < 0 }

// fieldPairs pairs fields, which are sorted by their names.
func fieldPairs(old, now []*manifest.Node) []Counterpart {
	pairs := make([]Counterpart, 0, len(now))
	var gone []Counterpart
	for _, child := range now {
		for len(old) > 0 && old[0].Key < child.Key {
			gone, old = append(gone, Counterpart{Old: old[0]}), old[1:]
		}
		p := Counterpart{New: child}
		if len(old) > 0 && old[0].Key == child.Key {
			p.Old, old = old[0], old[1:]
		}
		pairs = append(pairs, p)
	}
	for _, child := range old {
		gone = append(gone, Counterpart{Old: child})
	}
	return append(pairs, gone...)
}

// otherNames tells whether two versions of a list name their items in different ways, for example by position and by key.
func otherNames(before, after *Blame, old, now *manifest.Node) bool {
	return len(old.Children) > 0 && len(now.Children) > 0 && !isFields(old) && !isFields(now) &&
		manner(before.Step(old.Children[0])) != manner(after.Step(now.Children[0]))
}

// manner is how an item is named: "place" for its position, otherwise the beginning of its name before the first value.
func manner(step string) string {
	name, _, ok := strings.Cut(step, "=")
	if !ok {
		return "place"
	}
	return name
}

// ByPlace tells whether a list's items are named by their position, because they have no keys and no values as names.
func (b *Blame) ByPlace(list *manifest.Node) bool {
	for _, item := range list.Children {
		if manner(b.Step(item)) != "place" {
			return false
		}
	}
	return true
}

// Whole tells whether a list or map can only be owned as a whole. It uses the schema, otherwise the claims. If neither tells, ok is
// false.
func (b *Blame) Whole(n *manifest.Node) (whole, ok bool) {
	if b.schema != nil {
		if whole, ok := b.schema.Atomic(n); ok {
			return whole, true
		}
	}
	for _, child := range n.Children {
		if len(b.direct[child.ID]) > 0 {
			return false, true
		}
		for _, h := range b.covered[child.ID] {
			if h.why == Atomic {
				return true, true
			}
		}
	}
	return false, false
}

// KeysOf returns the fields that identify an item of a list. It returns none if the item is named by its position or its value.
func (b *Blame) KeysOf(item *manifest.Node) []string { return b.named[item.Parent] }

// ClaimedAt returns the claims that cover the value at a place, or a part of it.
func (b *Blame) ClaimedAt(parts []string) []Claim {
	if n := b.At(parts); n != nil {
		return b.within(n)
	}
	return b.absent(strings.Join(parts, ""))
}

// Claimed returns the claims that cover the value at a path. It also finds claims on a path that the object doesn't have.
func (b *Blame) Claimed(path string) []Claim {
	nodes := b.Find(path)
	var all []Claim
	for _, n := range nodes {
		all = append(all, b.within(n)...)
	}
	if len(nodes) == 0 {
		all = b.absent(path)
	}
	return all
}
