package wiretap

import (
	"sync"
	"sync/atomic"
	"time"
)

// Options bound a Log. Zero values mean the defaults.
type Options struct {
	Now      func() time.Time
	Entries  int // per session, default 5,000
	Weight   int // bytes that a session's entries take without their bodies, default 16 MiB
	Prefix   int // bytes kept of each body, default 16 KiB
	Reread   int // the same for a request of a client that reads the response again (Who.Reread), default 256 KiB
	Bytes    int // of all kept bodies of a session, default 4 MiB
	Sessions int // default 16; the one that was unused longest is deleted first
	// All bounds what is kept of all sessions together, in bytes: half of it bodies, half everything else. Each session may have an equal
	// part, but 8 KiB at least. Default: only the bounds of each session.
	All int
}

// minPart is the least part of a session, in bytes.
const minPart = 8 << 10

// Log is the record of all sessions. It is safe for concurrent use. A nil Log records nothing.
type Log struct {
	opt Options
	ids atomic.Uint64
	// part is what a session may have of Options.All; 0: there is no such bound.
	part atomic.Int64

	mu       sync.RWMutex
	sessions map[string]*tape
	shared   string // the session that all others may read
}

// New makes an empty Log.
func New(opt Options) *Log {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	opt.Entries = orDefault(opt.Entries, 5000)
	opt.Weight = orDefault(opt.Weight, 16<<20)
	opt.Prefix = orDefault(opt.Prefix, 16<<10)
	opt.Reread = max(orDefault(opt.Reread, 256<<10), opt.Prefix)
	opt.Bytes = orDefault(opt.Bytes, 4<<20)
	opt.Sessions = orDefault(opt.Sessions, 16)
	return &Log{opt: opt, sessions: map[string]*tape{}}
}

func orDefault(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// Share lets every other session see a session's record. It is for the programs that use the launch token.
func (l *Log) Share(sessionID string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shared = sessionID
}

// Prefix is how many bytes are kept of a body, unless its client reads the response again.
func (l *Log) Prefix() int {
	if l == nil {
		return 0
	}
	return l.opt.Prefix
}

// Most is how many requests of a session are kept at most.
func (l *Log) Most() int {
	if l == nil {
		return 0
	}
	return l.opt.Entries
}

// Forget drops a session's record; call it when the session ends.
func (l *Log) Forget(sessionID string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	s := l.sessions[sessionID]
	delete(l.sessions, sessionID)
	l.divide()
	l.mu.Unlock()
	if s != nil {
		s.endSession()
	}
}

func (l *Log) findSession(id string) *tape {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.sessions[id]
}

func (l *Log) openSession(id string) *tape {
	if s := l.findSession(id); s != nil {
		return s
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.sessions[id]; s != nil {
		return s
	}
	l.makeRoom()
	s := newTape(l)
	l.sessions[id] = s
	l.divide()
	if n := len(l.sessions); n&(n-1) == 0 { // the others comply at their next request, but may not have one
		for _, other := range l.sessions {
			other.comply()
		}
	}
	return s
}

// divide gives each session an equal part of Options.All. The caller holds the lock.
func (l *Log) divide() {
	if l.opt.All > 0 {
		l.part.Store(int64(max(l.opt.All/max(len(l.sessions), 1), minPart)))
	}
}

// makeRoom bounds the number of sessions, even if Forget is not called.
func (l *Log) makeRoom() {
	if len(l.sessions) < l.opt.Sessions {
		return
	}
	var quiet string
	var since time.Time
	for id, s := range l.sessions {
		if at := s.lastUsed(); id != l.shared && (quiet == "" || at.Before(since)) {
			quiet, since = id, at
		}
	}
	if s := l.sessions[quiet]; s != nil {
		delete(l.sessions, quiet)
		s.endSession()
	}
}
