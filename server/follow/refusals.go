package follow

import (
	"errors"
	"sync"
	"time"
)

// How long a server is not asked again for whole states that come with a watch: after it refused, and after nothing
// came.
const (
	refusedFor = 10 * time.Minute
	stuckFor   = time.Minute
	// maxRefusals bounds what is remembered.
	maxRefusals = 1000
)

// errRefused is a question that is not asked, because the server has refused it lately.
var errRefused = errors.New("the server refused this request recently")

// refusals are the servers that give no whole state with a watch. It says nothing about anything in them, so all
// sessions may know it.
type refusals struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (r *refusals) note(server string, until time.Time) {
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
