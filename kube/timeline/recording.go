package timeline

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Version is one whole version of the object.
type Version struct {
	Number  int // counted from 1 since the recording began; each number is used once
	Step    Step
	Missed  string // why versions may be missing before this one; empty: none is
	Deleted bool   // the object was deleted, and this was its last state
	Another bool   // before, there was another object of the same name

	text []byte // the object as JSON, masked
	size int
}

// Object is the object in that version, its secrets masked.
func (v Version) Object() object.Object {
	o, err := object.Parse(v.text)
	if err != nil {
		return object.Object{} // the text was written by Add, so it can be read
	}
	return o
}

// Writers are the managers that made the version: those with a new or changed entry, and the owners of changed fields. Entries have
// times in whole seconds. So if one manager writes twice within a second, only the changed fields show it.
func (v Version) Writers() []ownership.Owner {
	all := slices.Clone(v.Step.Wrote)
	for _, c := range v.Step.Changes {
		all = append(all, without(c.By, all)...)
	}
	return all
}

// Touches tells whether a field changed in that version.
func (v Version) Touches(path string) bool {
	return slices.ContainsFunc(v.Step.Changes, func(c Change) bool { return c.Path == path })
}

// Quiet tells whether the version changed nothing but status, as controllers do all the time.
func (v Version) Quiet() bool {
	if v.Step.First || v.Deleted || v.Another || v.Missed != "" || v.Step.More > 0 {
		return false
	}
	if v.Step.Rewritten {
		return len(v.Step.Wrote) > 0 && !slices.ContainsFunc(v.Step.Wrote, func(o ownership.Owner) bool { return o.Subresource != "status" })
	}
	return !slices.ContainsFunc(v.Step.Changes, func(c Change) bool { return c.Path != ".status" && !strings.HasPrefix(c.Path, ".status.") })
}

// Limits bound what a recording keeps.
type Limits struct{ Versions, Bytes int }

// Recording keeps whole versions of an object, in the order in which they arrived: the newest ones, within its limits.
type Recording struct {
	limits   Limits
	history  *History
	versions []Version
	bytes    int
	dropped  int
	missed   string
	ahead    map[mark]bool // versions that will be added, and are here already; see Join
}

// NewRecording returns a recording without versions.
func NewRecording(l Limits) *Recording {
	r := &Recording{limits: l, history: New(1)}
	r.history.reader = &ownership.Reader{}
	return r
}

// Add adds the next version. It returns false if this is the same version as the last one; then none is missing.
func (r *Recording) Add(o object.Object, seen time.Time) bool { return r.AddText(o, nil, seen) }

// AddText adds the next version together with the compact JSON that it was read from, so that the JSON isn't written again.
func (r *Recording) AddText(o object.Object, text []byte, seen time.Time) bool {
	if r.has(mark{version: o.Meta("resourceVersion")}) {
		return false
	}
	step, ok := r.history.Add(o, seen)
	if ok {
		r.put(Version{Step: step, Another: step.First && len(r.versions) > 0}, o, text)
	}
	r.missed = ""
	return ok
}

// Delete notes that the object was deleted, with its last state.
func (r *Recording) Delete(o object.Object, seen time.Time) {
	if r.has(mark{o.Meta("resourceVersion"), true}) {
		return
	}
	r.put(Version{Step: Step{ResourceVersion: o.Meta("resourceVersion"), Seen: seen}, Deleted: true}, o, nil)
	r.missed = ""
}

// Break notes that versions may be missing before the next one, and why. Before the first version it has no effect.
func (r *Recording) Break(why string) {
	if len(r.versions) > 0 && r.missed == "" {
		r.missed = why
	}
}

func (r *Recording) put(v Version, o object.Object, text []byte) {
	if text == nil || object.Holds(o.APIVersion(), o.Kind()) {
		var err error
		if text, err = json.Marshal(o.Masked()); err != nil {
			return // decoded objects always encode
		}
	} else {
		text = bytes.Clone(text) // it may be a part of a larger message
	}
	v.Number, v.Missed, v.text = r.Last()+1, r.missed, text
	v.size = len(text) + weight(v.Step)
	r.bytes += v.size
	r.versions = append(r.versions, v)
	gone := 0
	for left := len(r.versions); left > 1 && (left > r.limits.Versions || r.bytes > r.limits.Bytes); left-- {
		r.bytes -= r.versions[gone].size
		gone++
	}
	r.dropped += gone
	r.versions = slices.Delete(r.versions, 0, gone)
}

// weight is the approximate memory of a step, in bytes.
func weight(s Step) int {
	const change, owner = 160, 120
	sum := 0
	for _, c := range s.Changes {
		sum += change + len(c.Path) + len(c.Old) + len(c.New) + owner*(len(c.Before)+len(c.After))
	}
	return sum
}

// Versions are the kept versions, the oldest first. Don't change them. They stay valid until the next one is added.
func (r *Recording) Versions() []Version { return r.versions }

// Last is the number of the newest version; 0: there is none.
func (r *Recording) Last() int { return r.dropped + len(r.versions) }

// Find returns a version by its number; ok is false if it isn't kept.
func (r *Recording) Find(number int) (v Version, ok bool) {
	i := number - r.dropped - 1
	if i < 0 || i >= len(r.versions) {
		return Version{}, false
	}
	return r.versions[i], true
}

// Dropped is how many of the oldest versions are no longer kept.
func (r *Recording) Dropped() int { return r.dropped }

// Bytes is the approximate memory of the versions.
func (r *Recording) Bytes() int { return r.bytes }

// Flips are the fields that managers fight over, the worst first, in all versions that arrived.
func (r *Recording) Flips() []Flip { return r.history.Flips() }

// Rewrites counts the versions that changed nothing, in all that arrived of this object.
func (r *Recording) Rewrites() int { return r.history.Rewrites() }
