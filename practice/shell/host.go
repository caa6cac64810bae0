package shell

import (
	"context"
	"errors"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// softMemory is how much more memory the process may use than before the first shell, until all shells are ended.
	softMemory = 256 << 20
	// hardMemory is how much more ends the process. Its supervisor starts it again, which is better than a machine without memory.
	hardMemory = 2 << 30
	// watchMemory is how often memory is looked at while shells run. A shell can double a text with each statement.
	watchMemory = 20 * time.Millisecond
)

// errMemory ends a shell if all of them together use too much memory.
var errMemory = errors.New("the shells use too much memory")

// Host is where shells run. They share its memory.
type Host struct {
	mu     sync.Mutex
	ends   map[int]context.CancelCauseFunc
	next   int
	before uint64
}

// NewHost returns a host without shells.
func NewHost() *Host { return &Host{ends: map[int]context.CancelCauseFunc{}} }

// enter counts a shell, and returns the context that ends it.
func (h *Host) enter(ctx context.Context) (context.Context, func()) {
	ctx, end := context.WithCancelCause(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	id := h.next
	h.ends[id] = end
	if len(h.ends) == 1 {
		h.before = heap()
		go h.watch()
	}
	return ctx, func() {
		end(nil)
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.ends, id)
	}
}

// watch looks at the memory until no shell runs.
func (h *Host) watch() {
	ticker := time.NewTicker(watchMemory)
	defer ticker.Stop()
	for range ticker.C {
		if !h.checkMemory(heap()) {
			return
		}
	}
}

// checkMemory ends the shells if that much memory is too much, and tells whether one runs.
func (h *Host) checkMemory(used uint64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if used > h.before+hardMemory {
		panic("a simulated shell took 2 GiB of memory, and couldn't be stopped")
	}
	if used > h.before+softMemory {
		for _, end := range h.ends {
			end(errMemory)
		}
	}
	return len(h.ends) > 0
}

// heap returns how many bytes the objects of this process have.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
