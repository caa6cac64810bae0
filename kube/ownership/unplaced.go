package ownership

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Claims of another API version may be on fields that have other names in this version. Nothing in managedFields says which.
//
//	autoscaling/v1   f:spec ─ f:targetCPUUtilizationPercentage    the claim
//	autoscaling/v2   spec ─ metrics, minReplicas, …               fields without an owner, beside the missing field
//
// For Kubernetes' own types, the field is known (renames). For others, the claim can be on each field without an owner beside it.

// rename is a field that has another name, or another form, in another version.
type rename struct{ kind, from, field, to, becomes string }

var renames = []rename{
	{"HorizontalPodAutoscaler", "autoscaling/v1", ".spec.targetCPUUtilizationPercentage", "autoscaling/v2", ".spec.metrics"},
	{"HorizontalPodAutoscaler", "autoscaling/v2", ".spec.metrics", "autoscaling/v1", ".spec.targetCPUUtilizationPercentage"},
}

// Unplaced returns the claims of other API versions that may be on a field, because it has no owner in this version.
func (b *Blame) Unplaced(n *manifest.Node) []Claim {
	var all []Claim
	for at := n; at != nil; at = at.Parent {
		for _, h := range b.unplaced[at.ID] {
			all = append(all, b.claim(h))
		}
	}
	return all
}

// place finds the fields that the lost claims of other versions may be on.
func (b *Blame) place() {
	b.unplaced = map[int][]hold{}
	for i := range b.Record.Entries {
		if e := &b.Record.Entries[i]; b.foreign(e) {
			b.placeBelow(i, e.claims)
		}
	}
}

func (b *Blame) placeBelow(entry int, c *claim) {
	if c.member && c.parent != nil && b.found[entry][c.id] == unseen {
		b.placeClaim(entry, c)
	}
	for _, child := range c.children {
		b.placeBelow(entry, child)
	}
}

func (b *Blame) placeClaim(entry int, c *claim) {
	version, path := b.Record.Entries[entry].APIVersion, c.path()
	kind := ""
	if n := b.Root.Field("kind"); n != nil {
		kind = text(n.Value)
	}
	known := slices.ContainsFunc(renames, func(r rename) bool { return r.kind == kind && r.from == version && r.to == b.version })
	for _, r := range renames {
		if r.kind == kind && r.from == version && r.to == b.version && r.field == path {
			for _, n := range b.Find(r.becomes) {
				b.unplaced[n.ID] = append(b.unplaced[n.ID], hold{entry, c, Renamed})
			}
		}
	}
	if known || strings.HasPrefix(path, ".metadata.") { // metadata is the same in each version
		return
	}
	for _, n := range b.anchor(c).Children {
		if b.free(n) {
			b.unplaced[n.ID] = append(b.unplaced[n.ID], hold{entry, c, Elsewhere})
		}
	}
}

// anchor is the innermost field around a claim that the object has.
func (b *Blame) anchor(c *claim) *manifest.Node {
	if c.parent == nil {
		return b.Root
	}
	around := b.anchor(c.parent)
	for _, child := range around.Children {
		if b.Step(child) == c.step && c.step != "" {
			return child
		}
	}
	return around
}

// free tells whether nobody owns a field or a part of it. Fields that only the server writes are not free.
func (b *Blame) free(n *manifest.Node) bool {
	if isRoot(n.Parent) && slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, n.Key) {
		return false
	}
	for id := n.ID; id < n.End; id++ {
		if len(b.direct[id])+len(b.covered[id]) > 0 {
			return false
		}
	}
	return true
}
