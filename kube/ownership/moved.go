package ownership

import "github.com/fieldmark/fieldmark/kube/manifest"

// Pair compares the owners of many nodes in two versions of an object.
type Pair struct {
	before, after *Blame
	// By the index of an entry in each record: a bit for its manager, the same bit in both records. Nil if there are too many managers.
	bitsBefore, bitsAfter []uint64
}

// maxPaired is how many managers two versions may have together. Servers keep only a few more than ten.
const maxPaired = 64

// NewPair compares the managers of two versions.
func NewPair(before, after *Blame) Pair {
	p := Pair{before: before, after: after}
	var known []Manager
	bits := func(r Record) []uint64 {
		all := make([]uint64, 0, len(r.Entries))
		for _, e := range r.Entries {
			n := 0
			for n < len(known) && known[n] != e.Identity() {
				n++
			}
			if n == len(known) {
				known = append(known, e.Identity())
			}
			all = append(all, 1<<n)
		}
		return all
	}
	old, now := bits(before.Record), bits(after.Record)
	if len(known) <= maxPaired {
		p.bitsBefore, p.bitsAfter = old, now
	}
	return p
}

// Same tells whether a node of the later version has the same owners as one of the earlier version. False can also mean that it doesn't
// know. Then compare the owners.
func (p Pair) Same(old, now *manifest.Node) bool {
	return p.bitsAfter != nil && p.before.owners(old, p.bitsBefore) == p.after.owners(now, p.bitsAfter)
}

// owners combines the bits of a node's owners.
func (b *Blame) owners(n *manifest.Node, bits []uint64) (all uint64) {
	for _, h := range b.direct[n.ID] {
		all |= bits[h.entry]
	}
	for _, h := range b.covered[n.ID] {
		all |= bits[h.entry]
	}
	return all
}
