package follow

import (
	"errors"
	"sync"
	"time"
)

// How long no watch that begins with the whole state is requested from a server: after it refused one, and after nothing
// arrived.
const (
	refusedFor = 10 * time.Minute
	stuckFor   = time.Minute
	// maxRefusals bounds what is remembered.
	maxRefusals = 1000
)

// errRefused is the error for a request that is not sent, because the server refused it a short time ago.
var errRefused = errors.New("the server refused this request recently")

// refusals are the servers that can't begin a watch with the whole state. That says nothing about their data, so all sessions may
// share it.
type refusals struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (r *refusals) noteRefusal(server string, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.until == nil || len(r.until) >= maxRefusals {
		r.until = map[string]time.Time{}
	}
	r.until[server] = until
}

func (r *refusals) known(server string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return now.Before(r.until[server])
}
