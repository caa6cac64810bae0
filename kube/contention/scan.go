// Package contention watches many objects at once for managers that disturb each other. It finds fields whose value changes back and
// forth, writes that change nothing, fields taken by force, and managedFields that are too large or too old.
//
// Of most objects it keeps two sums and a few numbers. Of objects that change it also keeps the last version and the history of its
// fields, as long as there is room. The memory is bounded, and the package counts what it dropped.
package contention

import (
	"container/list"
	"hash/maphash"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/timeline"
)

// Bounds are the limits of what a scan keeps.
type Bounds struct {
	Objects   int // number of objects
	Histories int // bytes of histories
	Findings  int // number of objects that are deleted or no longer followed, and are kept because of their findings
}

// Usual are the bounds of a scan in a server: about 50 MB.
func Usual() Bounds { return Bounds{Objects: 50_000, Histories: 32 << 20, Findings: 1000} }

// maxManagers is how many managers a scan knows. Real clusters have some hundred.
const maxManagers = 4096

// Scan is a scan with its findings so far. It is not safe for concurrent use.
type Scan struct {
	bounds  Bounds
	seed    maphash.Seed
	served  func(apiVersion string) bool
	kinds   []kind
	objects map[string]*entry // by uid
	pulse   pulse
	dropped report.Dropped

	followed list.List // of *entry: those with a history, the one that changed last at the end
	weight   int       // of all histories, in bytes
	findings int       // number of entries that are kept only because of their findings
	managers map[ownership.Manager]*ownership.Manager
}

// kind is a type that is scanned.
type kind struct {
	report.Type
	of         discovery.Type
	generation uint32 // of the state that arrived last or is arriving
}

// entry is what a scan keeps of every object.
type entry struct {
	kind                     int
	generation               uint32
	namespace, name, version string

	content, managed, claims uint64 // sums: see look and claims
	size, share              int    // bytes of the object, and of its managedFields
	updates                  int
	ancient, gone            bool
	rewrites                 int
	writer                   *ownership.Manager // the last one in managedFields
	foreign                  []*ownership.Manager

	pursuit *pursuit // nil: it hasn't changed
}

// New begins a scan of types. The function served tells whether the server serves an API version.
func New(types []discovery.Type, served func(apiVersion string) bool, bounds Bounds) *Scan {
	s := &Scan{
		bounds: bounds, seed: maphash.MakeSeed(), served: served,
		objects: map[string]*entry{}, managers: map[ownership.Manager]*ownership.Manager{},
	}
	for _, t := range types {
		s.kinds = append(s.kinds, kind{of: t, Type: report.Type{Name: t.FullName(), State: report.Waiting}})
	}
	return s
}

// Begin says that the whole state of type k is going to arrive, perhaps again.
func (s *Scan) Begin(k int) { s.kinds[k].generation++ }

// Whole says that the whole state of type k has arrived. Objects that were not in it are deleted.
func (s *Scan) Whole(k int) {
	for key, e := range s.objects {
		if e.kind == k && e.generation != s.kinds[k].generation && !e.gone {
			s.remove(key, e)
		}
	}
}

// State sets the state of type k. If the API server caused it, why is its Status.
func (s *Scan) State(k int, state report.State, why status.Status) {
	t := &s.kinds[k].Type
	t.State, t.Code, t.Reason, t.Why = state, why.Code, why.Reason, why.Message
}

// Settled tells whether every type has been read, or can't be read.
func (s *Scan) Settled() bool {
	for _, k := range s.kinds {
		if k.State == report.Waiting || k.State == report.Reading {
			return false
		}
	}
	return true
}

// See takes in an object of type k. If the object belongs to a state that is arriving, initial is true, because there may be several writes
// since the last known version. See returns the object's resource version; empty if the object can't be read.
func (s *Scan) See(k int, raw []byte, initial bool, now time.Time) (version string) {
	l, ok := glance(s.seed, raw)
	if !ok {
		s.dropped.Unreadable++
		return ""
	}
	if s.saw(k, l, raw, initial, now) && !initial {
		s.happened(k, now)
	}
	return l.version
}

// saw takes in an object, and tells whether its version is new.
func (s *Scan) saw(k int, l look, raw []byte, initial bool, now time.Time) bool {
	e := s.objects[s.key(k, l)]
	if e == nil {
		s.meet(k, l)
		return true
	}
	if e.kind != k {
		return false // the server serves this object in two groups, for example an Event
	}
	e.generation = s.kinds[k].generation
	switch {
	case e.gone:
		e.gone = false
		s.kinds[k].Objects++
		s.compare(e, l, raw, true, now)
	case e.version == l.version:
		return false
	default:
		s.compare(e, l, raw, initial, now)
	}
	return true
}

func (s *Scan) happened(k int, now time.Time) {
	s.kinds[k].Events++
	s.pulse.beat(now)
}

// key identifies an object.
func (s *Scan) key(k int, l look) string {
	if l.uid != "" {
		return l.uid
	}
	return s.kinds[k].Name + "/" + l.namespace + "/" + l.name
}

// meet adds an unknown object, if there is room.
func (s *Scan) meet(k int, l look) {
	if len(s.objects) >= s.bounds.Objects {
		s.dropped.Objects++
		return
	}
	e := &entry{kind: k, generation: s.kinds[k].generation, namespace: l.namespace, name: l.name}
	s.objects[s.key(k, l)] = e
	s.kinds[k].Objects++
	e.managed = maphash.Bytes(s.seed, l.managed)
	s.claimed(e, readClaims(s.seed, l.managed))
	s.noteVersion(e, l)
}

// noteVersion keeps the sums and sizes of a version, to compare the next one with it.
func (s *Scan) noteVersion(e *entry, l look) {
	k := &s.kinds[e.kind]
	k.Bytes += int64(l.size - e.size)
	k.Managed += int64(len(l.managed) - e.share)
	e.version, e.content, e.size, e.share = l.version, l.content, l.size, len(l.managed)
}

// claimed keeps the claims of a version.
func (s *Scan) claimed(e *entry, c claims) {
	e.claims, e.updates, e.ancient, e.foreign = c.sum, c.updates, c.ancient, nil
	e.writer = s.manager(c.latest())
	for _, m := range c.foreign(s.served) {
		if known := s.manager(m); known != nil {
			e.foreign = append(e.foreign, known)
		}
	}
}

// manager keeps each manager once. It returns nil if there are too many.
func (s *Scan) manager(m ownership.Manager) *ownership.Manager {
	if known, ok := s.managers[m]; ok {
		return known
	}
	if len(s.managers) >= maxManagers {
		return nil
	}
	s.managers[m] = &m
	return &m
}

// compare takes in the next version of a known object.
func (s *Scan) compare(e *entry, l look, raw []byte, initial bool, now time.Time) {
	same := e.content == l.content
	if sum := maphash.Bytes(s.seed, l.managed); sum != e.managed {
		c := readClaims(s.seed, l.managed)
		same = same && e.claims == c.sum
		e.managed = sum
		s.claimed(e, c)
	}
	s.noteVersion(e, l)
	switch {
	case !same:
		s.pursue(e, raw, initial, now)
	case !initial:
		e.rewrites++
	}
}

// pursue follows an object field by field.
func (s *Scan) pursue(e *entry, raw []byte, initial bool, now time.Time) {
	o, err := object.Parse(raw)
	if err != nil {
		s.dropped.Unreadable++
		return
	}
	of := s.kinds[e.kind].of
	o.Fields["apiVersion"], o.Fields["kind"] = of.GroupVersion(), of.Kind // items of a list don't have them
	o = veil(s.seed, o)
	p := s.follow(e)
	step, ok := p.history.Add(o, now)
	switch {
	case !ok || initial:
	case step.Rewritten:
		e.rewrites++
	default:
		p.countTakes(Forced(step))
	}
	s.weigh(p)
	s.shed()
}

// follow gives an object a history if it has none, and marks it as the one that changed last.
func (s *Scan) follow(e *entry) *pursuit {
	if e.pursuit == nil {
		e.pursuit = &pursuit{}
	} else if e.pursuit.history == nil {
		s.findings--
	}
	p := e.pursuit
	if p.history == nil {
		p.history, p.place = timeline.New(1), s.followed.PushBack(e)
	}
	s.followed.MoveToBack(p.place)
	return p
}

func (s *Scan) weigh(p *pursuit) {
	w := p.history.Weight()
	s.weight += w - p.weight
	p.weight = w
}

// fewest is the number of histories from which shed chooses one to drop.
const fewest = 64

// shed drops histories until there is room. Of those that changed longest ago, it drops the first without a fight.
func (s *Scan) shed() {
	for s.weight > s.bounds.Histories && s.followed.Len() > 0 {
		victim := s.followed.Front()
		for place, n := victim, 0; place != nil && n < fewest; place, n = place.Next(), n+1 {
			if entryOf(place).pursuit.quiet() {
				victim = place
				break
			}
		}
		s.dropped.Histories++
		s.forget(entryOf(victim))
	}
}

func entryOf(place *list.Element) *entry {
	return place.Value.(*entry) // the list has nothing else
}

// forget drops a history. It keeps the findings if there is room.
func (s *Scan) forget(e *entry) {
	p := e.pursuit
	if p == nil || p.history == nil {
		return
	}
	s.followed.Remove(p.place)
	s.weight -= p.weight
	p.freeze()
	switch {
	case !p.found():
		e.pursuit = nil
	case s.findings >= s.bounds.Findings:
		e.pursuit = nil
		s.dropped.Findings++
	default:
		s.findings++
	}
}

// Delete takes in that an object was deleted, and returns its last resource version.
func (s *Scan) Delete(k int, raw []byte, now time.Time) (version string) {
	l, ok := glance(s.seed, raw)
	if !ok {
		s.dropped.Unreadable++
		return ""
	}
	key := s.key(k, l)
	if e := s.objects[key]; e != nil && e.kind == k && !e.gone {
		s.happened(k, now)
		s.remove(key, e)
	}
	return l.version
}

// remove drops an object, unless it has findings and there is room.
func (s *Scan) remove(key string, e *entry) {
	k := &s.kinds[e.kind]
	k.Objects--
	s.noteVersion(e, look{version: e.version})
	s.forget(e)
	if e.pursuit == nil && e.rewrites > 0 && s.findings < s.bounds.Findings {
		e.pursuit = &pursuit{}
		s.findings++
	}
	if e.pursuit == nil {
		delete(s.objects, key)
		return
	}
	e.gone, e.foreign, e.updates, e.ancient = true, nil, 0, false
}
