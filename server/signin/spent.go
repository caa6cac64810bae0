package signin

import (
	"crypto/sha256"
	"sync"
	"time"
)

// maxSpent bounds a generation of spent. Strangers can begin and end sign-ins as fast as they like.
const maxSpent = 50_000

// spent remembers values that count once, in bounded memory (threat: exhaustion): for loginTime at least, or until strangers have spent
// maxSpent others. After that, only the issuer refuses the same code again.
type spent struct {
	now func() time.Time

	mu         sync.Mutex
	young, old map[[16]byte]bool
	turned     time.Time // when the last generation became old
}

// first tells whether a value is used for the first time here, and remembers it.
func (s *spent) first(value string) bool {
	sum := sha256.Sum256([]byte(value))
	key := [16]byte(sum[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.young[key] || s.old[key] {
		return false
	}
	if now := s.now(); s.young == nil || len(s.young) >= maxSpent || now.Sub(s.turned) >= loginTime {
		s.young, s.old, s.turned = map[[16]byte]bool{}, s.young, now
	}
	s.young[key] = true
	return true
}
