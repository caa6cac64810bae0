package relay

import (
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
)

// state is what a feed knows of the collection or object that it follows. The feed's lock guards it.
type state struct {
	// whole says that the state has every object, or will have it once it has arrived. A feed that resumed from the
	// version of a page knows no objects.
	whole   bool
	objects map[string]*item
	places  map[string]place // indexes of objects in arriving, if a watch sends it
	bytes   int              // of objects

	arriving *arrival // nil: the state is complete
	version  string   // the last one seen
	columns  []table.Column
	ring     ring
}

// place has the indexes of an object in an arrival.
type place struct {
	first, last int  // pages may have got the object at first, and get its newest state at last
	gone        bool // the object was deleted
}

// reset makes the state empty.
func (s *state) reset() {
	*s = state{whole: true, objects: map[string]*item{}, places: map[string]place{}, arriving: newArrival()}
}

// isEmpty tells whether nothing of a whole state has arrived yet.
func (s *state) isEmpty() bool { return s.whole && s.arriving != nil && s.arriving.itemCount() == 0 }

// startPart begins with a part that only the page has. The rest arrives, and is not kept.
func (s *state) startPart() { *s = state{arriving: newArrival()} }

// resume begins at the version of a state that only the page has.
func (s *state) resume(version string) {
	*s = state{}
	s.complete(version)
}

// complete notes that the whole state has arrived.
func (s *state) complete(version string) {
	s.arriving, s.places = nil, nil
	s.noteChange(version, change{})
}

// noteChange notes the change at a version, which may be none.
func (s *state) noteChange(version string, c change) {
	s.version = version
	s.ring.put(version, c)
}

// keep adds an item, or replaces the old one of the same object.
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

// apply applies a change to the items.
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

// snapshot is the whole state for a page that has nothing. It is sorted later, when the page receives it, because others wait for the lock here.
func (s *state) snapshot() *arrival {
	items := make([]*item, 0, len(s.objects))
	for _, i := range s.objects {
		items = append(items, i)
	}
	return wholeArrival(s.columns, items, s.version)
}
