package ownership

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Claims of another API version may be on fields that have other names in this version. Nothing in managedFields says which.
//
//	autoscaling/v1   f:spec ─ f:targetCPUUtilizationPercentage    the claim
//	autoscaling/v2   spec ─ metrics, minReplicas, …               fields without an owner, beside the missing field
//
// For Kubernetes' own types, the field is known (renames). For others, the claim can be on each field without an owner beside it. A claim on
// a map as a whole can also be on each part without an owner: the map may be atomic in that version only.

// rename is a field that has another name, or another form, in another version. If both names are equal, the field is atomic in the first version only.
type rename struct{ kind, from, field, to, becomes string }

const (
	hpa, event            = "HorizontalPodAutoscaler", "Event"
	hpaV1, hpaV2          = "autoscaling/v1", "autoscaling/v2"
	coreEvents, ownEvents = "v1", "events.k8s.io/v1"
	targetCPU, metrics    = ".spec.targetCPUUtilizationPercentage", ".spec.metrics"
	scaleTarget           = ".spec.scaleTargetRef"
)

// renames are from the conversions of Kubernetes 1.37.
var renames = lazy.Value[[]rename]{Make: func() []rename {
	return append(slices.Concat(
		renamed(event, coreEvents, ".involvedObject", ownEvents, ".regarding"),
		renamed(event, coreEvents, ".message", ownEvents, ".note"),
		renamed(event, coreEvents, ".source", ownEvents, ".deprecatedSource"),
		renamed(event, coreEvents, ".firstTimestamp", ownEvents, ".deprecatedFirstTimestamp"),
		renamed(event, coreEvents, ".lastTimestamp", ownEvents, ".deprecatedLastTimestamp"),
		renamed(event, coreEvents, ".count", ownEvents, ".deprecatedCount"),
		renamed(event, coreEvents, ".reportingComponent", ownEvents, ".reportingController"),
		renamed(hpa, hpaV1, targetCPU, hpaV2, metrics),
	), rename{hpa, hpaV1, scaleTarget, hpaV2, scaleTarget})
}}

// renamed is a rename in both directions.
func renamed(kind, from, field, to, becomes string) []rename {
	return []rename{{kind, from, field, to, becomes}, {kind, to, becomes, from, field}}
}

// Spelled is the path of a field in another version of its kind, if it has another name there; empty if it has the same name, or if nobody knows.
func Spelled(kind, apiVersion, path, in string) string {
	for _, r := range renames.Get() {
		if r.kind == kind && r.from == apiVersion && r.to == in && r.field != r.becomes && r.field == path {
			return r.becomes
		}
	}
	return ""
}

// renamesOf are the renames that concern the claims of an entry.
func (b *Blame) renamesOf(entry int) []rename {
	kind := ""
	if n := b.Root.Field("kind"); n != nil {
		kind = textValue(n.Value)
	}
	var all []rename
	for _, r := range renames.Get() {
		if r.kind == kind && r.from == b.Record.Entries[entry].APIVersion && r.to == b.version {
			all = append(all, r)
		}
	}
	return all
}

// wholly tells whether a claim covers a map as a whole by the rules of its own version.
func (b *Blame) wholly(r ref) bool {
	return b.foreign(&b.Record.Entries[r.entry]) && slices.ContainsFunc(b.renamesOf(r.entry), func(other rename) bool {
		return other.field == other.becomes && other.field == r.claim.path()
	})
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

// Lapsed are the owners of a value by a claim of another API version that a later version of the object no longer has. The claim must be on this
// value: a claim that can be on several values says nothing.
func (b *Blame) Lapsed(n *manifest.Node, after *Blame) []Owner {
	var all []Owner
	for at := n; at != nil; at = at.Parent {
		for _, h := range b.unplaced[at.ID] {
			if o := b.Record.Entries[h.entry].Owner; b.certain(h) && !after.Record.has(b.claim(h)) && !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// certain tells whether a claim can only be on one value.
func (b *Blame) certain(h hold) bool { return h.why == Renamed || b.places[h] == 1 }

// has tells whether a manager has a claim, in the claim's version.
func (r Record) has(c Claim) bool {
	return slices.ContainsFunc(r.Entries, func(e Entry) bool {
		at := e.claims
		for _, key := range c.Keys {
			i := slices.IndexFunc(at.children, func(child *claim) bool { return child.key == key })
			if i < 0 {
				return false
			}
			at = at.children[i]
		}
		return at.member && e.APIVersion == c.APIVersion && e.Same(c.Manager)
	})
}

// Misplaced are the claims of a manager in other versions of which nobody knows the field in this version. Such a manager must not apply this version:
// it would give these fields up.
func (b *Blame) Misplaced(m Manager) []Claim {
	var all []Claim
	for _, h := range b.vague {
		if b.Record.Entries[h.entry].Same(m) {
			all = append(all, b.claim(h))
		}
	}
	return all
}

// Renamed are the fields that a manager claims in another version under another name, which is known.
func (b *Blame) Renamed(m Manager) []*manifest.Node {
	var all []*manifest.Node
	var visit func(n *manifest.Node)
	visit = func(n *manifest.Node) {
		if slices.ContainsFunc(b.unplaced[n.ID], func(h hold) bool { return h.why == Renamed && b.Record.Entries[h.entry].Same(m) }) {
			all = append(all, n)
			return
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(b.Root)
	return all
}

// placeClaims finds the fields that the lost claims of other versions may be on.
func (b *Blame) placeClaims(whole []wholeClaim) {
	b.unplaced, b.places = map[int][]hold{}, map[hold]int{}
	for i := range b.Record.Entries {
		if e := &b.Record.Entries[i]; b.foreign(e) {
			b.placeBelow(i, e.claims)
		}
	}
	for _, w := range whole {
		if h := (hold{w.entry, w.claim, Elsewhere}); b.placeIn(w.node, h) {
			b.vague = append(b.vague, h)
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
	path, known := c.path(), b.renamesOf(entry)
	for _, r := range known {
		rest, is := strings.CutPrefix(path, r.field)
		if !is || rest != "" && !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "[") {
			continue
		}
		found := b.Find(r.becomes + rest)
		if len(found) == 0 { // the field has another form, too
			found = b.Find(r.becomes)
		}
		for _, n := range found {
			b.unplaced[n.ID] = append(b.unplaced[n.ID], hold{entry, c, Renamed})
		}
		return
	}
	if strings.HasPrefix(path, ".metadata.") { // metadata is the same in each version
		return
	}
	if len(known) == 0 {
		b.vague = append(b.vague, hold{entry, c, Elsewhere})
		b.placeIn(b.anchor(c), hold{entry, c, Elsewhere})
	}
}

// placeIn notes that a claim may be on each part of a node that has no owner. It tells whether there is such a part.
func (b *Blame) placeIn(n *manifest.Node, h hold) (some bool) {
	for _, child := range n.Children {
		if b.free(child) {
			b.unplaced[child.ID] = append(b.unplaced[child.ID], h)
			b.places[h]++
			some = true
		}
	}
	return some
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
