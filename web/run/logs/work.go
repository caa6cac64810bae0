package logs

import (
	"time"

	"github.com/fieldmark/fieldmark/kube/podlog"
)

// portion is how many bytes are parsed at a time, which takes about a millisecond.
const portion = 16 << 10

// Work implements page.Working: lines are parsed and filtered a little at a time, so that frames are painted in between.
func (m Model) Work() bool {
	l := m.live
	if l == nil {
		return false
	}
	for _, s := range l.sources {
		if len(s.pending) > 0 || s.ended {
			m.parse(s)
			return true
		}
	}
	if l.next != nil {
		if !l.next.work(&l.log) {
			l.shown, l.next = l.next, nil
		}
		return true
	}
	return l.shown.work(&l.log)
}

// parse parses the next part of a body, or ends it.
func (m Model) parse(s *source) {
	l := m.live
	var lines []podlog.Line
	if len(s.pending) == 0 {
		s.ended = false
		if rest, ok := s.reader.Rest(); ok && s.whole { // another line will be read again
			lines = append(lines, rest)
		}
	} else {
		part := s.pending[0]
		n := min(len(part), portion)
		if s.pending[0] = part[n:]; len(part) == n {
			s.pending = s.pending[1:]
		}
		s.waiting -= n
		lines = s.reader.Read(part[:n])
	}
	fresh := lines[:0]
	for _, line := range lines {
		line.Source = s.n
		isNew, gap := s.seen.Take(line)
		if gap {
			s.gap, s.gapAt = line.Time, l.now
		}
		if line.Time.IsZero() {
			line.Time = m.timeOf(s)
		}
		if isNew {
			fresh = append(fresh, line)
		}
	}
	m.put(fresh)
}

// timeOf is the time of a line without one: that of the line before.
func (m Model) timeOf(s *source) time.Time {
	if last := s.seen.Last(); !last.IsZero() {
		return last
	}
	return m.live.now
}
