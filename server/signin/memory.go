package signin

import (
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/server/seal"
)

// memory is what a replica remembers of the sessions that it has seen: the newest state, so that requests that were sent with older cookies
// don't renew the same tokens again, and the sessions that were ended here. It is never needed to serve somebody.
type memory struct {
	now          func() time.Time
	idle, expiry time.Duration
	max          int
	tell         func(id string)

	mu    sync.Mutex
	by    map[string]*known
	ended map[string]time.Time // until when to remember
}

// known is one session.
type known struct {
	id string

	mu      sync.Mutex
	session *session
	parts   seal.Parts    // the cookies of session, if it was changed here
	flight  chan struct{} // closed when the renewal that runs has ended; nil: none runs
	failed  time.Time     // when a renewal failed last
	trouble error         // why
}

func newMemory(c Config) *memory {
	return &memory{
		now: c.Now, idle: c.Idle, expiry: c.Expiry, max: c.MaxSessions, tell: c.SessionEnded,
		by: map[string]*known{}, ended: map[string]time.Time{},
	}
}

// meet remembers a session that a browser sent. The result has the newest state. ended tells that it was ended here.
func (m *memory) meet(s *session) (k *known, ended bool) {
	m.mu.Lock()
	_, ended = m.ended[s.ID]
	k = m.by[s.ID]
	var gone []string
	if k == nil {
		k = &known{id: s.ID, session: s}
		if !ended {
			gone = m.makeRoom()
			m.by[s.ID] = k
		}
	}
	m.mu.Unlock()
	m.tellAll(gone)
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.newerThan(k.session) {
		k.session, k.parts = s, nil
	}
	return k, ended
}

// makeRoom forgets the session that was unused longest, if there are too many.
func (m *memory) makeRoom() (gone []string) {
	for len(m.by) >= m.max {
		var quietest *known
		for _, k := range m.by {
			if quietest == nil || k.now().Used < quietest.now().Used {
				quietest = k
			}
		}
		delete(m.by, quietest.id)
		gone = append(gone, quietest.id)
	}
	return gone
}

// endSession ends a session. Its cookies are refused here from now on.
func (m *memory) endSession(id string) {
	m.mu.Lock()
	_, before := m.ended[id]
	m.ended[id] = m.now().Add(m.expiry)
	delete(m.by, id)
	m.mu.Unlock()
	if !before {
		m.tell(id)
	}
}

func (m *memory) sweep() {
	m.mu.Lock()
	now := m.now()
	var gone []string
	for id, k := range m.by {
		if s := k.now(); now.Sub(time.UnixMilli(s.Used)) >= m.idle || now.Sub(time.UnixMilli(s.Opened)) >= m.expiry {
			delete(m.by, id)
			gone = append(gone, id)
		}
	}
	for id, until := range m.ended {
		if now.After(until) {
			delete(m.ended, id)
		}
	}
	m.mu.Unlock()
	m.tellAll(gone)
}

func (m *memory) tellAll(gone []string) {
	for _, id := range gone {
		m.tell(id)
	}
}

// findSession is the newest state of a session that this replica has seen; nil: none.
func (m *memory) findSession(id string) *session {
	m.mu.Lock()
	k := m.by[id]
	m.mu.Unlock()
	if k == nil {
		return nil
	}
	return k.now()
}

// flying is closed when the renewal of a session that runs here has ended; nil: none runs.
func (m *memory) flying(id string) <-chan struct{} {
	m.mu.Lock()
	k := m.by[id]
	m.mu.Unlock()
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.flight
}

// now is the newest state.
func (k *known) now() *session {
	s, _ := k.state()
	return s
}

func (k *known) state() (*session, seal.Parts) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.session, k.parts
}

// change replaces the state by what to makes of it, unless that is nil. If it can't be sealed, the state stays.
func (k *known) change(to func(*session) *session, pack func(*session) (seal.Parts, error)) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	next := to(k.session)
	if next == nil {
		return nil
	}
	parts, err := pack(next)
	if err != nil {
		return err
	}
	k.session, k.parts = next, parts
	return nil
}

// hasEnded tells whether a session was ended here.
func (m *memory) hasEnded(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ended := m.ended[id]
	return ended
}
