package wiretap

import (
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// session is one session's ring of exchanges.
type session struct {
	now       func() time.Time
	ids       *atomic.Uint64
	maxBytes  int
	maxWeight int

	mu     sync.Mutex
	ring   []*exchange // of all that is kept at most
	oldest int         // where the oldest is
	n      int         // how many are kept
	bare   int         // how many of the oldest have lost their bodies
	used   time.Time
	bytes  int // of all kept bodies
	weight int // of everything else that is kept

	listeners map[chan struct{}]struct{}
	ended     bool
}

func newSession(opt Options, ids *atomic.Uint64) *session {
	return &session{
		now: opt.Now, ids: ids, maxBytes: opt.Bytes, maxWeight: opt.Weight, ring: make([]*exchange, opt.Entries),
		listeners: map[chan struct{}]struct{}{}, used: opt.Now(),
	}
}

func (s *session) at(i int) *exchange { return s.ring[(s.oldest+i)%len(s.ring)] }

// add adds an exchange and numbers it.
func (s *session) add(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.id = s.ids.Add(1)
	if s.ended {
		return
	}
	s.used = x.start
	if s.n == len(s.ring) {
		s.drop()
	}
	s.ring[(s.oldest+s.n)%len(s.ring)] = x
	s.n++
	s.weight += x.weight
	s.lighten()
	s.nudge()
}

// grow adds to the weight of an exchange.
func (s *session) grow(x *exchange, by int) {
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
func (s *session) lighten() {
	for s.weight > s.maxWeight && s.n > 1 {
		s.drop()
	}
}

// drop drops the oldest exchange.
func (s *session) drop() {
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
func (s *session) keep(x *exchange, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || n > s.maxBytes || s.bare > 0 && x.id <= s.at(s.bare-1).id {
		return false
	}
	s.bytes += n
	for s.bytes > s.maxBytes && s.bare < s.n {
		old := s.at(s.bare)
		if old == x {
			break
		}
		s.bytes -= old.dropBodies()
		s.bare++
	}
	if s.bytes > s.maxBytes {
		s.bytes -= n
		return false
	}
	return true
}

func (s *session) giveBack(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= n
}

// after gives the exchanges with an id greater than id, oldest first.
func (s *session) after(id uint64) []*exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.search(id + 1)
	found := make([]*exchange, 0, s.n-first)
	for i := first; i < s.n; i++ {
		found = append(found, s.at(i))
	}
	return found
}

// find gives the exchange of an id; nil: there is none.
func (s *session) find(id uint64) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.search(id); i < s.n && s.at(i).id == id {
		return s.at(i)
	}
	return nil
}

// search finds the place of the first exchange whose id is not less.
func (s *session) search(id uint64) int {
	return sort.Search(s.n, func(i int) bool { return s.at(i).id >= id })
}

func (s *session) subscribe() (<-chan struct{}, func()) {
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

func (s *session) changed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nudge()
}

func (s *session) nudge() {
	for c := range s.listeners {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func (s *session) lastUsed() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for c := range s.listeners {
		close(c)
		delete(s.listeners, c)
	}
	s.ring, s.oldest, s.n, s.bare = nil, 0, 0, 0
}
