package wiretap

import (
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// tape is one session's ring of exchanges.
type tape struct {
	now       func() time.Time
	ids       *atomic.Uint64
	since     time.Time     // when the record began
	part      *atomic.Int64 // of Options.All; 0: no bound
	entries   int
	maxBytes  int
	maxWeight int

	mu     sync.Mutex
	ring   []*exchange // grows up to the number of entries
	oldest int         // where the oldest is
	n      int         // how many are kept
	bare   int         // how many of the oldest have lost their bodies
	used   time.Time
	bytes  int // of all kept bodies
	weight int // of everything else that is kept

	listeners map[chan struct{}]struct{}
	ended     bool
}

func newTape(l *Log) *tape {
	return &tape{
		now: l.opt.Now, ids: &l.ids, since: l.opt.Now(), part: &l.part, entries: l.opt.Entries, maxBytes: l.opt.Bytes, maxWeight: l.opt.Weight,
		listeners: map[chan struct{}]struct{}{}, used: l.opt.Now(),
	}
}

// bound is how many bytes may be kept now, of bodies or of everything else.
func (s *tape) bound(most int) int {
	if part := int(s.part.Load()); part > 0 {
		return min(most, part/2)
	}
	return most
}

// comply drops what is over the bounds.
func (s *tape) comply() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lighten()
	s.strip(nil)
}

// room makes room for one more exchange.
func (s *tape) room() {
	if s.n < len(s.ring) {
		return
	}
	if s.n == s.entries {
		s.drop()
		return
	}
	ring := make([]*exchange, min(max(2*s.n, minRing), s.entries))
	for i := range s.n {
		ring[i] = s.at(i)
	}
	s.ring, s.oldest = ring, 0
}

// minRing is for how many exchanges there is room first.
const minRing = 16

func (s *tape) at(i int) *exchange { return s.ring[(s.oldest+i)%len(s.ring)] }

// addExchange adds an exchange and numbers it.
func (s *tape) addExchange(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.id = s.ids.Add(1)
	if s.ended {
		return
	}
	s.used = x.start
	s.room()
	s.ring[(s.oldest+s.n)%len(s.ring)] = x
	s.n++
	s.weight += x.weight
	s.lighten()
	s.nudge()
}

// grow adds to the weight of an exchange.
func (s *tape) grow(x *exchange, by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.n == 0 || x.id < s.at(0).id {
		return // it is no longer kept
	}
	x.weight += by
	s.weight += by
	s.lighten()
}

// lighten drops the oldest exchanges until the rest is within the bound.
func (s *tape) lighten() {
	for most := s.bound(s.maxWeight); s.weight > most && s.n > 1; {
		s.drop()
	}
}

// drop drops the oldest exchange.
func (s *tape) drop() {
	x := s.at(0)
	s.bytes -= x.dropBodies()
	s.weight -= x.weight
	s.ring[s.oldest] = nil
	s.oldest = (s.oldest + 1) % len(s.ring)
	s.n--
	s.bare = max(0, s.bare-1)
}

// keep reserves n more bytes for x's bodies, and drops the oldest bodies if necessary. It returns false if x's own bodies have been
// dropped already.
func (s *tape) keep(x *exchange, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	most := s.bound(s.maxBytes)
	if s.ended || n > most || s.bare > 0 && x.id <= s.at(s.bare-1).id {
		return false
	}
	s.bytes += n
	s.strip(x)
	if s.bytes > most {
		s.bytes -= n
		return false
	}
	return true
}

// strip drops the oldest bodies until the rest is within the bound, up to those of last.
func (s *tape) strip(last *exchange) {
	for most := s.bound(s.maxBytes); s.bytes > most && s.bare < s.n; s.bare++ {
		old := s.at(s.bare)
		if old == last {
			return
		}
		s.bytes -= old.dropBodies()
	}
}

func (s *tape) giveBack(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= n
}

// after gives the exchanges with an id greater than id, oldest first.
func (s *tape) after(id uint64) []*exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.search(id + 1)
	found := make([]*exchange, 0, s.n-first)
	for i := first; i < s.n; i++ {
		found = append(found, s.at(i))
	}
	return found
}

// findExchange gives the exchange of an id; nil: there is none.
func (s *tape) findExchange(id uint64) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.search(id); i < s.n && s.at(i).id == id {
		return s.at(i)
	}
	return nil
}

// search finds the place of the first exchange whose id is not less.
func (s *tape) search(id uint64) int {
	return sort.Search(s.n, func(i int) bool { return s.at(i).id >= id })
}

func (s *tape) subscribe() (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		close(c)
		return c, func() {}
	}
	s.listeners[c] = struct{}{}
	return c, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listeners, c)
	}
}

func (s *tape) changed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nudge()
}

func (s *tape) nudge() {
	for c := range s.listeners {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func (s *tape) lastUsed() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

func (s *tape) endSession() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for c := range s.listeners {
		close(c)
		delete(s.listeners, c)
	}
	for i := range s.n { // those in progress outlive the session
		s.at(i).dropBodies()
	}
	s.ring, s.oldest, s.n, s.bare = nil, 0, 0, 0
}
