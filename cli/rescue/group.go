// Package rescue runs functions in parallel, so that a panic in one of them doesn't end the process. The panic is raised again where
// the group is awaited: in the goroutine of the request, which is guarded (threat: panic).
package rescue

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Panic is a panic that was caught, with the stack that it had.
type Panic struct {
	Value any
	Stack []byte
}

// String is for logs.
func (p *Panic) String() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// Group is a set of goroutines that are awaited together. The zero value is ready.
type Group struct {
	all    sync.WaitGroup
	mu     sync.Mutex
	caught *Panic
}

// Go runs f in a goroutine of the group.
func (g *Group) Go(f func()) {
	g.all.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				g.mu.Lock()
				defer g.mu.Unlock()
				g.caught = &Panic{r, debug.Stack()}
			}
		}()
		f()
	})
}

// Wait waits for all of them. It panics with a *Panic if one of them did.
func (g *Group) Wait() {
	g.all.Wait()
	if g.caught != nil {
		panic(g.caught)
	}
}
