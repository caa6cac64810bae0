package wiretap

import (
	"sync"
	"time"
)

// Options bound a Log. Zero values mean the defaults.
type Options struct {
	Now      func() time.Time
	Entries  int // per session, default 500
	Prefix   int // bytes kept of each body, default 16 KiB
	Bytes    int // of all kept bodies of a session, default 2 MiB
	Sessions int // default 64; the one that was quiet longest goes first
}

// Log is the record of all sessions. It is safe for concurrent use.
type Log struct {
	opt Options

	mu       sync.RWMutex
	sessions map[string]*session
}

// New makes an empty Log.
func New(opt Options) *Log {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	opt.Entries = orDefault(opt.Entries, 500)
	opt.Prefix = orDefault(opt.Prefix, 16<<10)
	opt.Bytes = orDefault(opt.Bytes, 2<<20)
	opt.Sessions = orDefault(opt.Sessions, 64)
	return &Log{opt: opt, sessions: map[string]*session{}}
}

func orDefault(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// Entries gives the session's requests with an id greater than after, oldest first. Requests under way are
// among them, as far as they have come.
func (l *Log) Entries(sessionID string, after uint64) []Entry {
	s := l.find(sessionID)
	if s == nil {
		return nil
	}
	exchanges := s.after(after)
	entries := make([]Entry, len(exchanges))
	for i, x := range exchanges {
		entries[i] = x.entry()
	}
	return entries
}

// Entry gives one request of a session. Another session's id finds nothing.
func (l *Log) Entry(sessionID string, id uint64) (Entry, bool) {
	if s := l.find(sessionID); s != nil && id > 0 {
		if found := s.after(id - 1); len(found) > 0 && found[0].id == id {
			return found[0].entry(), true
		}
	}
	return Entry{}, false
}

// Subscribe gives a channel that is nudged when something of the session changed. Nudges are never queued: a
// slow listener finds one nudge and asks Entries for all that is new. The channel is closed when the session ends.
func (l *Log) Subscribe(sessionID string) (nudged <-chan struct{}, cancel func()) {
	return l.open(sessionID).subscribe()
}

// Forget drops a session's record; call it when the session ends.
func (l *Log) Forget(sessionID string) {
	l.mu.Lock()
	s := l.sessions[sessionID]
	delete(l.sessions, sessionID)
	l.mu.Unlock()
	if s != nil {
		s.end()
	}
}

func (l *Log) find(id string) *session {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.sessions[id]
}

func (l *Log) open(id string) *session {
	if s := l.find(id); s != nil {
		return s
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.sessions[id]; s != nil {
		return s
	}
	l.makeRoom()
	s := newSession(l.opt)
	l.sessions[id] = s
	return s
}

// makeRoom keeps the number of sessions bounded even when nobody says that one has ended.
func (l *Log) makeRoom() {
	if len(l.sessions) < l.opt.Sessions {
		return
	}
	var quiet string
	var since time.Time
	for id, s := range l.sessions {
		if at := s.lastUsed(); quiet == "" || at.Before(since) {
			quiet, since = id, at
		}
	}
	s := l.sessions[quiet]
	delete(l.sessions, quiet)
	s.end()
}
