package podlog

import "time"

// Seen remembers the newest lines of a container's log, so that reading can continue where it ended: an API server only takes a time in whole seconds,
// so it sends lines of that second again.
type Seen struct {
	last  time.Time      // the latest time of a line
	lines map[uint64]int // how often each line of the last second was read
	again map[uint64]int // those that are expected again; nil: the reading doesn't repeat lines
	found bool           // one of them came again
}

// Since is the second from which on to read the log again; zero: no line was read.
func (s *Seen) Since() time.Time { return s.last.Truncate(time.Second) }

// Last is the latest time of a line.
func (s *Seen) Last() time.Time { return s.last }

// Again says that the log is read again, from Since on.
func (s *Seen) Again() {
	if s.lines == nil {
		return
	}
	s.again, s.found = map[uint64]int{}, false
	for key, n := range s.lines {
		s.again[key] = n
	}
}

// Take takes the next line that was read. fresh is false for a line that was read before. gap tells that lines before this one are missing: the log
// doesn't have the last lines any more, because it was rotated, or because the container runs again.
func (s *Seen) Take(l Line) (fresh, gap bool) {
	if l.Time.IsZero() {
		return true, false
	}
	key := keyOf(l)
	if s.again != nil {
		switch {
		case s.again[key] > 0:
			s.again[key]--
			s.found = true
			return false, false
		case l.Time.After(s.last):
			gap, s.again = !s.found, nil
		}
	}
	switch {
	case s.lines == nil || l.Time.Truncate(time.Second).After(s.Since()):
		s.lines = map[uint64]int{key: 1}
	case !l.Time.Before(s.Since()):
		s.lines[key]++
	}
	if l.Time.After(s.last) {
		s.last = l.Time
	}
	return true, gap
}

// keyOf is a hash (FNV-1a) of a line's time and text.
func keyOf(l Line) uint64 {
	const prime = 1099511628211
	hash := uint64(14695981039346656037) ^ uint64(l.Time.UnixNano())
	hash *= prime
	for i := range len(l.Text) {
		hash = (hash ^ uint64(l.Text[i])) * prime
	}
	return hash
}
