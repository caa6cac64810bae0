// Package census counts who owns the fields of a whole cluster. It takes in the metadata of objects, one by one, and keeps sums.
//
//	object ──▶ entries of managedFields ──▶ leaves ──▶ part of its type: cells by manager, pairs of managers, findings
//	                                                        └──▶ Report: managers × types, who meets whom, findings, the worst first
//
// Nothing of an object is kept, except as one of the ten samples of a finding. So memory grows with managers × types, and never with objects. The
// sums of each type are apart: if the reading of a type begins again, Reset drops its sums. A field is a leaf of an entry; see ownership.OwnedLeaf.
package census

import (
	"hash/maphash"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Bounds are the limits of what a census keeps. What has no room is counted.
type Bounds struct {
	Managers int // names; all further ones are counted together
	Cells    int // pairs of a manager and a type; all further ones are counted with the folded managers
	Pairs    int // pairs of managers that meet; further ones aren't counted
	Findings int // kinds of findings, each about one manager and one type
}

// Usual are the bounds of a census in a server: about 50 MB at most.
func Usual() Bounds { return Bounds{Managers: 2000, Cells: 60_000, Pairs: 20_000, Findings: 4000} }

// Limits of what one object, or one cell, can take.
const (
	mostMet     = 32     // managers of one object that meet each other
	mostEntries = 24     // different entries of a cell
	mostFolded  = 50_000 // names that are counted as folded
)

// others is the index of all managers that have no room of their own.
const others = -1

// Census is a census so far. It is not safe for concurrent use.
type Census struct {
	bounds Bounds
	served func(apiVersion string) bool
	parts  []*part
	reader ownership.Reader
	now    object // scratch
	seq    int    // number of objects seen

	known  map[string]int // index in names
	names  []string
	kinds  []writer.Kind
	seed   maphash.Seed
	folded map[uint64]bool // sums of the names that had no room

	cells, pairs, findings, unkept int
}

// part is what is kept of one type.
type part struct {
	report.Type
	of       discovery.Type
	cells    map[int]*cell
	pairs    map[[2]int]*pair
	findings map[key]*finding
	unkept   int
}

type cell struct {
	objects, fields, shared, alone int
	last                           time.Time
	entries                        map[how]*tally
}

// how is how a manager writes.
type how struct{ operation, subresource, apiVersion string }

type tally struct {
	objects, fields, seq int
	last                 time.Time
}

type pair struct{ objects, fields int }

// New begins a census of types. The function served tells whether the server serves an API version.
func New(types []discovery.Type, served func(apiVersion string) bool, bounds Bounds) *Census {
	c := &Census{bounds: bounds, served: served, known: map[string]int{}, seed: maphash.MakeSeed(), folded: map[uint64]bool{}}
	for _, t := range types {
		p := &part{of: t, Type: report.Type{
			Group: t.Group, Version: t.Version, Resource: t.Resource, Kind: t.Kind, Namespaced: t.Namespaced, State: report.Waiting,
		}}
		p.empty()
		c.parts = append(c.parts, p)
	}
	return c
}

func (p *part) empty() {
	p.Objects, p.Unreadable, p.Left, p.Unrecorded, p.Bytes, p.Managed, p.unkept = 0, 0, 0, 0, 0, 0, 0
	p.cells, p.pairs, p.findings = map[int]*cell{}, map[[2]int]*pair{}, map[key]*finding{}
}

// Reset drops what was counted of type k, because its reading begins again.
func (c *Census) Reset(k int) {
	p := c.parts[k]
	c.cells -= len(p.cells)
	c.pairs -= len(p.pairs)
	c.findings -= len(p.findings)
	c.unkept -= p.unkept
	p.empty()
}

// State sets the state of type k. If the API server caused it, why is its Status.
func (c *Census) State(k int, state report.State, why status.Status) {
	t := &c.parts[k].Type
	t.State, t.Code, t.Reason, t.Why = state, why.Code, why.Reason, why.Message
}

// Left sets how many objects of type k are still to come.
func (c *Census) Left(k int, objects int64) { c.parts[k].Left = objects }

// Failed tells whether no type could be read.
func (c *Census) Failed() bool {
	for _, p := range c.parts {
		if p.State != report.Refused {
			return false
		}
	}
	return true
}

// End says that the reading has ended: types that were not read to their end are read partly, and why says what ended them.
func (c *Census) End(why string) {
	for _, p := range c.parts {
		if p.State == report.Waiting || p.State == report.Arrives {
			p.State, p.Why = report.Partly, why
		}
	}
}

// See takes in an object of type k, as a list of PartialObjectMetadata has it.
func (c *Census) See(k int, raw []byte) {
	p := c.parts[k]
	c.seq++
	if !c.now.read(c, raw) {
		p.Unreadable++
		return
	}
	o := &c.now
	p.Objects++
	p.Bytes += int64(o.bytes)
	p.Managed += int64(o.managed)
	if len(o.entries) == 0 {
		p.Unrecorded++
		return
	}
	for i := range o.entries {
		c.countEntry(p, &o.entries[i])
	}
	c.countMeetings(p, o)
	c.countShared(p, o)
	c.find(p, o)
}

// manager is the index of a name, or others.
func (c *Census) manager(name string) int {
	if i, ok := c.known[name]; ok {
		return i
	}
	if len(c.names) >= c.bounds.Managers {
		if len(c.folded) < mostFolded {
			c.folded[maphash.String(c.seed, name)] = true
		}
		return others
	}
	c.known[name] = len(c.names)
	c.names = append(c.names, name)
	c.kinds = append(c.kinds, writer.Of(name))
	return len(c.names) - 1
}

// cell is the cell of a manager in a part; that of the others if there is no room.
func (c *Census) cell(p *part, who int) *cell {
	if all, ok := p.cells[who]; ok {
		return all
	}
	if c.cells >= c.bounds.Cells && who != others {
		return c.cell(p, others)
	}
	c.cells++
	p.cells[who] = &cell{entries: map[how]*tally{}}
	return p.cells[who]
}

func (c *Census) countEntry(p *part, e *entry) {
	its := c.cell(p, e.who)
	its.fields += e.leaves
	its.last = later(its.last, e.written)
	h := how{e.Operation, e.Subresource, e.APIVersion}
	if its.entries[h] == nil && len(its.entries) >= mostEntries {
		h = how{} // a hostile manager; the sums of the cell are still right
	}
	t := its.entries[h]
	if t == nil {
		t = &tally{}
		its.entries[h] = t
	}
	if t.seq != c.seq {
		t.seq = c.seq
		t.objects++
	}
	t.fields += e.leaves
	t.last = later(t.last, e.written)
}

// countMeetings counts the object for each of its managers, and each pair of them.
func (c *Census) countMeetings(p *part, o *object) {
	for i, who := range o.managers {
		its := c.cell(p, who)
		its.objects++
		if len(o.managers) == 1 {
			its.alone++
		}
		for _, other := range o.managers[min(i+1, mostMet):min(len(o.managers), mostMet)] {
			if met := c.pair(p, who, other); met != nil {
				met.objects++
			}
		}
	}
}

// countShared counts the fields that several managers of the object own.
func (c *Census) countShared(p *part, o *object) {
	for i := 0; i < len(o.leaves); {
		n := i + 1
		for n < len(o.leaves) && o.leaves[n].sum == o.leaves[i].sum {
			n++
		}
		if n-i > 1 {
			c.countField(p, o.leaves[i:n])
		}
		i = n
	}
}

// countField counts one field with several entries, sorted by manager.
func (c *Census) countField(p *part, owners []leaf) {
	owners = slices.Compact(owners)
	if len(owners) == 1 {
		return // two entries of one manager
	}
	for i, l := range owners {
		c.cell(p, l.who).shared++
		for _, other := range owners[min(i+1, mostMet):min(len(owners), mostMet)] {
			if met := c.pair(p, l.who, other.who); met != nil {
				met.fields++
			}
		}
	}
}

// pair is what two managers share; nil if there is no room.
func (c *Census) pair(p *part, a, b int) *pair {
	both := [2]int{min(a, b), max(a, b)}
	met := p.pairs[both]
	if met == nil && c.pairs < c.bounds.Pairs {
		c.pairs++
		met = &pair{}
		p.pairs[both] = met
	}
	return met
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Objects is how many objects of type k were read.
func (c *Census) Objects(k int) int { return c.parts[k].Objects }

// Progress is how many types have been read or refused, of how many, and how many objects were read.
func (c *Census) Progress() (types, of, objects int) {
	for _, p := range c.parts {
		objects += p.Objects
		if p.State != report.Waiting && p.State != report.Arrives {
			types++
		}
	}
	return types, len(c.parts), objects
}
