// Package timeline is the history of an object while it is watched: which fields changed, who changed them, and which managers fight
// over them. It makes no requests.
//
//	watch ──▶ version of the object ──▶ History.Add ──▶ Step: Changes with their managers
//	                                        └─────────▶ Flips: fields whose values change back and forth
//
// A History compares each version with the one before, and keeps the changes. A Recording also keeps the versions themselves, with secrets
// masked, and can be written to a file and read again. Both keep only the newest versions, within bounds.
//
// managedFields name the owners of fields, not the writers. So a Change has a manager only if its owners tell which one it was.
package timeline

import (
	"maps"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// What is what happened to a field: it was added, changed or removed, or got other owners.
type What = ownership.What

// The values of What.
const (
	Added   = ownership.Added
	Removed = ownership.Removed
	Changed = ownership.Changed
	Passed  = ownership.Passed
)

// Change is what happened to one field from one version of the object to the next.
type Change struct {
	Path          string // in structured-merge-diff's notation
	Field         string // tells the field from others with the same path; empty for the one whose path is no name with a dot or a bracket
	What          What
	Old, New      string            // the values as JSON; long ones are cut
	Before, After []ownership.Owner // its owners
	// By is the manager that made the change, if managedFields tell: the manager that changes a value then owns it. By is empty if the
	// server itself made the change, and for a removal if no entry shows the former owner.
	By []ownership.Owner
}

// Step is one version of the object.
type Step struct {
	ResourceVersion string
	Seen            time.Time
	First           bool              // earlier changes are not known
	Changes         []Change          // in the order of the document
	More            int               // the number of changes that are not listed, because there are too many
	Wrote           []ownership.Owner // the managers whose entries are new, or have a new time
	// Rewritten tells that only the resourceVersion changed, and perhaps the times of entries.
	Rewritten bool
}

// History has an object's versions, in the order in which they arrived. Its memory is bounded.
type History struct {
	keep   int
	reader *ownership.Reader // remembers entries that it has read; nil: remember nothing
	last   *state
	steps  []Step
	tracks map[place]*track
	idle   int
}

// state is the version that the next one is compared with.
type state struct {
	uid, version string
	blame        *ownership.Blame
}

// maxChanges bounds how many changes of one version are listed.
const maxChanges = 500

// New returns a history that keeps this number of versions.
func New(keep int) *History {
	return &History{keep: max(keep, 1), tracks: map[place]*track{}}
}

// Add adds the object's next version, with its managedFields. ok is false if it is the same version as the last one. Another object with
// the same name starts a new history.
func (h *History) Add(o object.Object, seen time.Time) (step Step, ok bool) {
	reader := h.reader
	if reader == nil {
		reader = &ownership.Reader{}
	}
	next := &state{
		uid: o.Meta("uid"), version: o.Meta("resourceVersion"),
		blame: reader.Parse(o.Fields).On(manifest.Tree(content(o)), nil),
	}
	step = Step{ResourceVersion: next.version, Seen: seen}
	switch {
	case h.last == nil || h.last.uid != next.uid:
		*h = History{keep: h.keep, reader: h.reader, tracks: map[place]*track{}}
		step.First = true
	case h.last.version == next.version && next.version != "":
		return Step{}, false
	default:
		h.compare(&step, h.last.blame, next.blame)
	}
	h.last = next
	h.steps = append(h.steps, step)
	if extra := len(h.steps) - h.keep; extra > 0 {
		h.steps = slices.Delete(h.steps, 0, extra)
	}
	return step, true
}

// content is the object without the fields that change with every write.
func content(o object.Object) map[string]any {
	metadata, ok := o.Fields["metadata"].(map[string]any)
	if !ok {
		return o.Fields
	}
	metadata = maps.Clone(metadata)
	delete(metadata, "managedFields")
	delete(metadata, "resourceVersion")
	fields := maps.Clone(o.Fields)
	fields["metadata"] = metadata
	return fields
}

func (h *History) compare(step *Step, before, after *ownership.Blame) {
	step.Wrote = wrote(before.Record, after.Record)
	note := func(c Change, old, now any) { h.followChange(step.Seen, c, old, now) }
	d := difference{before: before, after: after, owners: ownership.NewPair(before, after), step: step, note: note}
	d.nodes(before.Root, after.Root)
	if len(step.Changes) == 0 {
		step.Rewritten = true
		h.idle++
	}
}

// wrote are the managers whose entries are new, or have a new time.
func wrote(before, after ownership.Record) []ownership.Owner {
	var moved []ownership.Owner
	for _, e := range after.Entries {
		if !slices.ContainsFunc(before.Entries, func(old ownership.Entry) bool { return old.Same(e.Manager) && old.Time == e.Time }) {
			moved = append(moved, e.Owner)
		}
	}
	return moved
}

// Steps are the kept versions, the oldest first.
func (h *History) Steps() []Step { return slices.Clone(h.steps) }

// Rewrites counts the versions, since the beginning, in which nothing changed. These writes had no effect.
func (h *History) Rewrites() int { return h.idle }
