package guard

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// sessions are the signed-in browsers. Cookies are kept as hashes, so that nobody who reads the memory can sign in.
type sessions struct {
	now          func() time.Time
	random       io.Reader
	idle, expiry time.Duration
	max          int
	ended        func(id string)

	mu     sync.RWMutex
	byHash map[[sha256.Size]byte]*browser
}

type browser struct {
	id     string
	opened time.Time
	used   atomic.Int64 // Unix nanoseconds
}

func newSessions(opt Options) *sessions {
	return &sessions{
		now: opt.Now, random: opt.Rand, idle: opt.IdleExpiry, expiry: opt.Expiry, max: opt.MaxSessions,
		ended: opt.SessionEnded, byHash: map[[sha256.Size]byte]*browser{},
	}
}

// openSession makes a session that counts as opened at since, and gives the value of its cookie, which exists nowhere else.
func (s *sessions) openSession(since time.Time) (cookie string, err error) {
	var secret [32]byte
	if _, err := io.ReadFull(s.random, secret[:]); err != nil {
		return "", fmt.Errorf("reading random bytes for a session: %w", err)
	}
	cookie = base64.RawURLEncoding.EncodeToString(secret[:])
	hash := sha256.Sum256([]byte(cookie))
	public := sha256.Sum256(append([]byte("public "), hash[:]...))
	b := &browser{id: "browser-" + hex.EncodeToString(public[:6]), opened: since}
	b.used.Store(s.now().UnixNano())

	s.mu.Lock()
	gone := s.makeRoom()
	s.byHash[hash] = b
	s.mu.Unlock()
	s.announceEnded(gone)
	return cookie, nil
}

// findSession returns the session of a cookie that hasn't expired, and counts as a use of the session.
func (s *sessions) findSession(cookie string) (id string, ok bool) {
	hash := sha256.Sum256([]byte(cookie))
	s.mu.RLock()
	b := s.byHash[hash]
	s.mu.RUnlock()
	if b == nil {
		return "", false
	}
	now := s.now()
	if s.over(b, now) {
		s.close(cookie)
		return "", false
	}
	b.used.Store(now.UnixNano())
	return b.id, true
}

// since is when the session of a cookie was opened. If the session has just ended, the result is so old that a session opened then would be over.
func (s *sessions) since(cookie string) time.Time {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if b := s.byHash[sha256.Sum256([]byte(cookie))]; b != nil {
		return b.opened
	}
	return time.Time{}
}

func (s *sessions) close(cookie string) {
	hash := sha256.Sum256([]byte(cookie))
	s.mu.Lock()
	b := s.byHash[hash]
	delete(s.byHash, hash)
	s.mu.Unlock()
	if b != nil {
		s.ended(b.id)
	}
}

func (s *sessions) over(b *browser, now time.Time) bool {
	return now.Sub(b.opened) >= s.expiry || now.Sub(time.Unix(0, b.used.Load())) >= s.idle
}

// sweep ends the sessions that have expired.
func (s *sessions) sweep() {
	s.mu.Lock()
	gone := s.dropOver()
	s.mu.Unlock()
	s.announceEnded(gone)
}

func (s *sessions) dropOver() (gone []string) {
	now := s.now()
	for hash, b := range s.byHash {
		if s.over(b, now) {
			gone = append(gone, b.id)
			delete(s.byHash, hash)
		}
	}
	return gone
}

// makeRoom ends expired sessions. If that is not enough, it ends the one that was unused longest.
func (s *sessions) makeRoom() (gone []string) {
	gone = s.dropOver()
	for len(s.byHash) >= s.max {
		hash := s.quietest()
		gone = append(gone, s.byHash[hash].id)
		delete(s.byHash, hash)
	}
	return gone
}

func (s *sessions) quietest() (quietest [sha256.Size]byte) {
	var since int64
	first := true
	for hash, b := range s.byHash {
		if used := b.used.Load(); first || used < since {
			quietest, since, first = hash, used, false
		}
	}
	return quietest
}

func (s *sessions) announceEnded(gone []string) {
	for _, id := range gone {
		s.ended(id)
	}
}
