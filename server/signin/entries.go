package signin

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often one person may sign in at this replica. Each session that a sign-in replaces is remembered until its cookies have expired.
const (
	entryEvery = 2 * time.Second
	entryBurst = 30
	maxEntries = 4096 // people who are remembered
)

// entries bounds how often people sign in (threat: exhaustion).
type entries struct {
	now func() time.Time

	mu sync.Mutex
	by map[string]*rate.Limiter
}

func newEntries(c Config) *entries { return &entries{now: c.Now, by: map[string]*rate.Limiter{}} }

// wait counts a sign-in of a person. If there were too many, it isn't counted, and the result is how long to wait.
func (e *entries) wait(person string) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	limiter := e.by[person]
	if limiter == nil {
		if len(e.by) >= maxEntries {
			clear(e.by)
		}
		limiter = rate.NewLimiter(rate.Every(entryEvery), entryBurst)
		e.by[person] = limiter
	}
	now := e.now()
	if limiter.AllowN(now, 1) {
		return 0
	}
	return max(time.Duration((1-limiter.TokensAt(now))*float64(entryEvery)), time.Second)
}
