package ownership

import (
	"reflect"
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Change is what a write does to a value.
type Change string

// The changes.
const (
	Set    Change = "set"    // it gets another value, or is created
	Equal  Change = "equal"  // it is written as it is
	Remove Change = "remove" // it is left out of an apply, or removed by an update
)

// Write is a change that a manager would make.
type Write struct {
	By     Manager
	Change Change
	Force  bool // of an apply
}

// Effect is what a write would do to the claims of other managers.
type Effect struct {
	Conflicts []Claim // the write would be refused because of these
	Takes     []Claim // the writer would take these from their owners
	Shares    []Claim // these stay, and the writer gets one, too
	Owns      bool    // the writer would own the value then
	Gone      bool    // the value would be removed
	// MayPass tells that the server accepts the write without force, although it conflicts. The server does so for a manager named
	// kubectl, if all fields in conflict still have the values that are in the annotation of client-side apply.
	MayPass bool
}

// Effect says what a write to the value at a path would do. It counts all claims that cover the value or a part of it, and claims on a
// value that the object doesn't have.
func (b *Blame) Effect(path string, w Write) Effect {
	others, mine := b.stakes(path, w.By)
	switch {
	case w.Change == Equal && w.By.Operation == Apply:
		return Effect{Shares: others, Owns: true}
	case w.Change == Equal:
		return Effect{Shares: others, Owns: mine}
	case w.Change == Remove && w.By.Operation == Apply:
		return Effect{Shares: others, Gone: mine && len(others) == 0}
	case w.Change == Remove:
		return Effect{Takes: others, Gone: true}
	case w.By.Operation == Apply && !w.Force && len(others) > 0:
		return Effect{Conflicts: others, Owns: mine, MayPass: w.By.Name == "kubectl" && b.lastApplied(others)}
	default:
		return Effect{Takes: others, Owns: true}
	}
}

// stakes are the claims of others on what is at a path, and whether the manager has one too.
func (b *Blame) stakes(path string, me Manager) (others []Claim, mine bool) {
	add := func(c Claim) {
		if c.Same(me) {
			mine = true
		} else {
			others = append(others, c)
		}
	}
	for _, c := range b.Claimed(path) {
		add(c)
	}
	return others, mine
}

// absent are the claims on a path at which the object holds nothing.
func (b *Blame) absent(path string) []Claim {
	var all []Claim
	for _, l := range b.Lost() {
		if l.Path == path && (l.Reason == Absent || l.Reason == OtherVersion) {
			all = append(all, Claim{Owner: l.Owner, Why: Direct, Path: l.Path, Keys: l.Keys, OtherVersion: l.Reason == OtherVersion})
		}
	}
	return all
}

// within are the claims that cover a node, and those on what is in it.
func (b *Blame) within(n *manifest.Node) []Claim {
	all := b.Claims(n)
	for id := n.ID + 1; id < n.End; id++ {
		for _, h := range b.direct[id] {
			all = append(all, b.claim(h))
		}
	}
	return all
}

// lastApplied tells whether all that is claimed has the value that kubectl applied in the old way. The record is laid on what it
// applied as on any object, so that the items of lists go by their keys.
func (b *Blame) lastApplied(claims []Claim) bool {
	applied := b.appliedBefore()
	if applied == nil || applied.version != b.version {
		return false
	}
	return !slices.ContainsFunc(claims, func(c Claim) bool {
		is, was := b.Find(c.Path), applied.Find(c.Path)
		return len(is) != 1 || len(was) != 1 || !reflect.DeepEqual(is[0].Value, was[0].Value)
	})
}

// appliedBefore is what the annotation of client-side apply holds; nil where there is none that can be read.
func (b *Blame) appliedBefore() *Blame {
	for _, n := range b.Find(".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration") {
		written, _ := n.Value.(string)
		if v, err := decode(written); err == nil {
			return b.Record.On(manifest.Tree(v), b.schema)
		}
	}
	return nil
}

// Holding is something that a manager claims.
type Holding struct {
	Path string
	Keys []string // as it stands in managedFields
	Lost Reason   // why it is not to be seen on the object; empty if it is
}

// Holdings returns all claims of a manager, in the order of managedFields.
func (b *Blame) Holdings(m Manager) []Holding {
	var all []Holding
	for i := range b.Record.Entries {
		if e := &b.Record.Entries[i]; e.Same(m) {
			b.holdings(e, e.claims, b.found[i], &all)
		}
	}
	return all
}

func (b *Blame) holdings(e *Entry, c *claim, found []sight, all *[]Holding) {
	if c.member && c.parent != nil {
		h := Holding{Path: c.path(), Keys: c.keys()}
		if found[c.id] != shown {
			h.Lost, _ = b.whyLost(e, found[c.id])
		}
		*all = append(*all, h)
	}
	for _, child := range c.children {
		b.holdings(e, child, found, all)
	}
}
