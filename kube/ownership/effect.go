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
	Set    Change = "set"    // the value changes, or is created
	Equal  Change = "equal"  // the write has the same value
	Remove Change = "remove" // an apply leaves the value out, or an update removes it
)

// Write is a change that a manager would make.
type Write struct {
	By     Manager
	Change Change
	Force  bool // of an apply
}

// Effect is what a write would do to the claims of other managers.
type Effect struct {
	Conflicts []Claim // claims because of which the write would be refused
	Takes     []Claim // claims that other managers would lose
	Shares    []Claim // claims of other managers that would stay
	Owns      bool    // the writer would own the value
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

// stakes are the claims of others on the value at a path. mine tells whether the manager also has one.
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

// absent are the claims on a path that the object doesn't have.
func (b *Blame) absent(path string) []Claim {
	var all []Claim
	for _, l := range b.Lost() {
		if l.Path == path && (l.Reason == Absent || l.Reason == OtherVersion) {
			all = append(all, Claim{Owner: l.Owner, Why: Direct, Path: l.Path, Keys: l.Keys, OtherVersion: l.Reason == OtherVersion})
		}
	}
	return all
}

// within are the claims that cover a node, and the claims on its parts.
func (b *Blame) within(n *manifest.Node) []Claim {
	all := b.Claims(n)
	for _, c := range b.Unplaced(n) {
		if c.Why == Renamed {
			all = append(all, c)
		}
	}
	for id := n.ID + 1; id < n.End; id++ {
		for _, h := range b.direct[id] {
			all = append(all, b.claim(h))
		}
	}
	return all
}

// lastApplied tells whether all claimed values are still those of the last client-side apply. The record is applied to that manifest, too, so
// that list items are compared by their keys.
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

// appliedBefore is the manifest in the annotation of client-side apply; nil if there is none or it can't be read.
func (b *Blame) appliedBefore() *Blame {
	for _, n := range b.Find(".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration") {
		written, _ := n.Value.(string)
		if v, err := decode(written); err == nil {
			return b.Record.On(manifest.Tree(v), b.schema)
		}
	}
	return nil
}

// Holding is a claim of a manager.
type Holding struct {
	Path string
	Keys []string // as written in managedFields
	Lost Reason   // why the object doesn't show it; empty if it does
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
