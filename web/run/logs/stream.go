package logs

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// How many requests the page has at a time. Browsers keep six connections to one host for all tabs together, and every page needs one to load.
const (
	maxStreams = 2 // that stay open
	maxReads   = 2 // that don't
)

// Times between two requests for one log.
const (
	pace       = 2 * time.Second // of a log that isn't followed by a stream
	settleTime = 2 * time.Second // after a stream has ended: the pod's status may say why
	longest    = 30 * time.Second
)

// schedule sends the requests that are due.
func (m Model) schedule() (cmds []page.Cmd) {
	l := m.live
	if !l.hidden.IsZero() && l.now.Sub(l.hidden) > patience {
		return nil
	}
	streams, reads := 0, 0
	for _, s := range l.sources {
		switch {
		case s.x.Under() && s.followed:
			streams++
		case s.x.Under():
			reads++
		}
	}
	for _, s := range l.sources {
		if !m.due(s) {
			continue
		}
		follow := !m.Options.Still && !s.finished(m.Options) && streams < maxStreams
		switch {
		case follow:
			streams++
		case reads < maxReads:
			reads++
		default:
			continue
		}
		cmds = append(cmds, m.requestLog(s, follow))
	}
	return cmds
}

// due tells whether a log has lines to read now.
func (m Model) due(s *source) bool {
	return !s.x.Under() && !s.ended && s.readable(m.Options) && !s.exhausted && !s.next.After(m.live.now) && (s.no == nil || s.no.Code >= 429)
}

func (m Model) requestLog(s *source, follow bool) page.Cmd {
	s.followed = follow
	s.reader = podlog.Reader{Stamped: true}
	s.seen.Again()
	x, cmd := s.call(m.Subject.Shell.Cluster.Slug, m.Options, follow).Begin()
	s.x = x
	return cmd
}

// handleMessage takes in a message about a call.
func (m Model) handleMessage(msg page.Msg) []page.Cmd {
	for _, s := range m.live.sources {
		x, heard := s.x.Hear(msg)
		if !heard {
			continue
		}
		s.x = x
		switch msg := msg.(type) {
		case page.Opened:
			m.opened(s)
		case page.Arrived:
			m.arrived(s)
		case page.Ended:
			return m.ended(s, msg.How)
		}
		return nil
	}
	return nil
}

func (m Model) opened(s *source) {
	l := m.live
	if !s.x.OK() {
		return
	}
	s.begun, s.no = true, nil
	if l.again {
		l.again = false
		l.log = podlog.Log{MaxLines: maxLines, MaxBytes: maxBytes}
		l.shown = newIndex(m.Options)
	}
}

// arrived keeps a part of a body until it is parsed.
func (m Model) arrived(s *source) {
	if !s.x.OK() {
		return
	}
	s.pending = append(s.pending, s.x.Kept)
	s.waiting += len(s.x.Kept)
	s.x.Kept = nil
	if s.waiting <= maxWaiting {
		return
	}
	left := 0
	for s.waiting > keepWaiting {
		left += len(s.pending[0])
		s.waiting -= len(s.pending[0])
		s.pending = s.pending[1:]
	}
	// The rest of a line whose beginning is left out is left out, too.
	for len(s.pending) > 0 {
		rest := s.pending[0]
		end := bytes.IndexByte(rest, '\n')
		if end >= 0 {
			s.pending[0] = rest[end+1:]
			s.waiting -= end + 1
			break
		}
		s.waiting -= len(rest)
		s.pending = s.pending[1:]
	}
	s.reader = podlog.Reader{Stamped: true}
	m.addNote(s, s.seen.Last(), fmt.Sprintf("About %s are left out here: the log came faster than the page can read.", words.Count(int64(left>>20), "megabyte", "megabytes")))
}

// ended plans what is read next, after a call.
func (m Model) ended(s *source, how page.Ending) []page.Cmd {
	now := m.live.now
	s.whole = how == page.Whole
	switch {
	case how == page.Canceled:
		s.ended = true
		return nil
	case s.x.Status != 0 && !s.x.OK():
		return m.refuse(s)
	case s.x.State == call.CutOff:
		s.failures++
		s.next = now.Add(min(time.Second<<min(s.failures-1, 5), longest))
	default:
		s.failures = 0
		s.exhausted = m.Options.Still || s.finished(m.Options)
		s.next = now.Add(pace)
	}
	s.ended = len(s.pending) > 0 || s.x.OK()
	return m.schedule()
}

// refuse notes a refusal. The pod's status says when it is worth another request.
func (m Model) refuse(s *source) []page.Cmd {
	first := s.no == nil
	s.no = s.x.No()
	s.failures++
	s.next = m.live.now.Add(min(max(s.x.RetryAfter(), time.Second<<min(s.failures-1, 5)), longest))
	if first && s.no.Is(status.Forbidden) {
		return append(m.schedule(), page.Announce{Words: "You don’t have permission to read the log of " + s.pod.Name})
	}
	return m.schedule()
}

// pause cancels all calls.
func (m Model) pause() (cmds []page.Cmd) {
	for _, s := range m.live.sources {
		if s.x.Under() {
			cmds = append(cmds, s.x.Cancel())
		}
	}
	return cmds
}

// become takes in a container's new state: it tells its end, and continues with its next run.
func (m Model) become(s, state *source) {
	was, is := s.container, state.container
	s.pod, s.container = state.pod, is
	if s.no != nil && !s.no.Is(status.Forbidden) && was != is {
		s.no, s.next = nil, time.Time{}
	}
	if m.Options.Previous {
		if is.Restarts > was.Restarts && s.begun {
			m.addNote(s, m.live.now, fmt.Sprintf("The container %s of %s has restarted again, so these lines are of an older run. Load the page again to read the previous run.", is.Name, s.pod.Name))
		}
		return
	}
	if is.Restarts > was.Restarts && is.Before != nil {
		m.tellEnd(s, *is.Before)
	}
	if is.Ended != nil {
		m.tellEnd(s, *is.Ended)
	}
	started := !is.Running.IsZero() && !is.Running.Equal(was.Running)
	if started && (is.Restarts > was.Restarts || !was.Running.IsZero()) {
		m.addNote(s, is.Running, fmt.Sprintf("The container %s of %s started again (restart %d).", is.Name, s.pod.Name, is.Restarts))
		if s.failures > 0 {
			m.addNote(s, is.Running.Add(-1), "Lines may be missing here: the container ended while the stream was broken. The logs of the previous run have these lines.")
		}
	}
	if started || is.Ended != nil && was.Ended == nil {
		s.exhausted, s.failures, s.next = false, 0, time.Time{}
	}
	m.explainGap(s, started)
}

func (m Model) tellEnd(s *source, e podlog.Exit) {
	if s.told == e {
		return
	}
	s.told = e
	m.addNote(s, e.At, fmt.Sprintf("The container %s of %s ended: %s.", s.container.Name, s.pod.Name, e))
}

// explainGap tells of lines that are missing, unless the container has started again: then the lines are in the previous log, and another note says so.
func (m Model) explainGap(s *source, started bool) {
	switch {
	case s.gap.IsZero():
	case started || !s.container.Running.Before(s.gap.Truncate(time.Second).Add(-time.Second)):
		s.gap = time.Time{}
	case m.live.now.Sub(s.gapAt) > settleTime:
		m.addNote(s, s.gap.Add(-1), "Lines may be missing here: the log was rotated while the page wasn’t reading it.")
		s.gap = time.Time{}
	}
}

// addNote adds what happened to a log, at its place in time.
func (m Model) addNote(s *source, at time.Time, text string) {
	if at.IsZero() {
		at = m.live.now
	}
	m.put([]podlog.Line{{Time: at, Text: strings.TrimSpace(text), Note: true, Source: s.n}})
}

// put adds lines, and has them shown.
func (m Model) put(lines []podlog.Line) {
	l := m.live
	from := l.log.Add(lines...)
	for _, x := range []*index{l.shown, l.next} {
		if x != nil {
			x.invalidateLines(from)
			x.drop(&l.log)
		}
	}
}
