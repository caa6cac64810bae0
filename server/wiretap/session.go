package wiretap

import (
	"sort"
	"sync"
	"time"
)

// session is one session's ring of exchanges.
type session struct {
	now      func() time.Time
	maxBytes int

	mu     sync.Mutex
	ring   []*exchange // a ring once full; next is the oldest then
	next   int
	lastID uint64
	used   time.Time
	bytes  int // of all kept bodies

	listeners map[chan struct{}]struct{}
	ended     bool
}

func newSession(opt Options) *session {
	return &session{
		now: opt.Now, maxBytes: opt.Bytes, ring: make([]*exchange, 0, opt.Entries),
		listeners: map[chan struct{}]struct{}{}, used: opt.Now(),
	}
}

func (s *session) add(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	if s.ended {
		return
	}
	x.id, s.used = s.lastID, x.start
	if len(s.ring) < cap(s.ring) {
		s.ring = append(s.ring, x)
	} else {
		s.bytes -= s.ring[s.next].dropBodies()
		s.ring[s.next] = x
		s.next = (s.next + 1) % len(s.ring)
	}
	s.nudge()
}

// keep asks for room for n more bytes of x's bodies; the oldest bodies give way. It refuses a body whose turn
// to give way has come already.
func (s *session) keep(x *exchange, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || n > s.maxBytes {
		return false
	}
	s.bytes += n
	for i := 0; s.bytes > s.maxBytes && i < len(s.ring); i++ {
		old := s.ring[(s.next+i)%len(s.ring)]
		if old == x {
			break
		}
		s.bytes -= old.dropBodies()
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
	n := len(s.ring)
	at := func(i int) *exchange { return s.ring[(s.next+i)%n] }
	first := sort.Search(n, func(i int) bool { return at(i).id > id })
	found := make([]*exchange, 0, n-first)
	for i := first; i < n; i++ {
		found = append(found, at(i))
	}
	return found
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
	s.ring = nil
}
