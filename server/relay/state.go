package relay

import (
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
)

// state is what a feed knows of what it follows. Its feed guards it.
type state struct {
	// whole says that every object is in it, or will be when the state has arrived. A feed that began with what a
	// page had knows no objects.
	whole   bool
	objects map[string]*item
	places  map[string]place // of objects in arriving, while it arrives with a watch
	bytes   int              // of objects

	arriving *arrival // nil: the state is complete
	version  string   // the last one seen
	columns  []table.Column
	ring     ring
}

// place is where in an arrival an object stands.
type place struct {
	first, last int  // it may have been told since the first, and is told as it is now at the last
	gone        bool // it is not there any more
}

// reset begins with nothing.
func (s *state) reset() {
	*s = state{whole: true, objects: map[string]*item{}, places: map[string]place{}, arriving: newArrival()}
}

// fresh tells whether nothing of a whole state has arrived yet.
func (s *state) fresh() bool { return s.whole && s.arriving != nil && s.arriving.count() == 0 }

// part begins with a part that only the page has; the rest arrives, and is not kept.
func (s *state) part() { *s = state{arriving: newArrival()} }

// resume begins with what only the page has.
func (s *state) resume(version string) {
	*s = state{}
	s.complete(version)
}

// complete says that the state has arrived.
func (s *state) complete(version string) {
	s.arriving, s.places = nil, nil
	s.see(version, change{})
}

// see notes what happened at a version, or that nothing did.
func (s *state) see(version string, c change) {
	s.version = version
	s.ring.put(version, c)
}

// keep takes an item in that is new or replaces another.
func (s *state) keep(i *item) {
	if !s.whole {
		return
	}
	s.drop(i.key)
	s.objects[i.key] = i
	s.bytes += i.size()
}

func (s *state) drop(key string) {
	if old, ok := s.objects[key]; ok {
		s.bytes -= old.size()
		delete(s.objects, key)
	}
}

// apply takes a change in.
func (s *state) apply(c change) {
	if !s.whole {
		return
	}
	if c.kind == watch.Deleted {
		s.drop(c.item.key)
		return
	}
	s.keep(c.item)
}

// snapshot is the whole state for a page that has nothing. It is put in order when the page takes it: here others wait.
func (s *state) snapshot() *arrival {
	items := make([]*item, 0, len(s.objects))
	for _, i := range s.objects {
		items = append(items, i)
	}
	return wholeArrival(s.columns, items, s.version)
}
