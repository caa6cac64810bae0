package relay

import (
	"sync"
	"sync/atomic"
)

// account counts what all pages of a session use together (threat: exhaustion).
type account struct {
	conns int // guarded by accounts

	subs   atomic.Int64 // subscriptions
	queued atomic.Int64 // bytes that wait for pages' credit
	held   atomic.Int64 // bytes of states, kept for pages that subscribe later or again
}

// enrol counts one more subscription; false: the session has too many.
func (a *account) enrol() bool {
	if a.subs.Add(1) > maxSessionSubscriptions {
		a.subs.Add(-1)
		return false
	}
	return true
}

func (a *account) leave() { a.subs.Add(-1) }

// queue adds bytes that wait to be sent; a negative number removes them. over: too many wait.
func (a *account) queue(bytes int) (over bool) {
	return a.queued.Add(int64(bytes)) > maxSessionQueued
}

// hold adds bytes of states; a negative number removes them. over: there are too many, and bytes was positive.
func (a *account) hold(bytes int) (over bool) {
	return a.held.Add(int64(bytes)) > maxSessionHeld && bytes > 0
}

// accounts are the accounts of all sessions that have a connection.
type accounts struct {
	mu        sync.Mutex
	bySession map[string]*account
}

// open counts one more connection of a session and returns the session's account; false: the session has too many connections.
func (a *accounts) open(session string) (*account, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bySession == nil {
		a.bySession = map[string]*account{}
	}
	of := a.bySession[session]
	if of == nil {
		of = &account{}
		a.bySession[session] = of
	}
	if of.conns >= maxConnections {
		return nil, false
	}
	of.conns++
	return of, true
}

// close counts that a connection of a session has ended.
func (a *accounts) close(session string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.bySession[session]
	if of.conns--; of.conns == 0 {
		delete(a.bySession, session)
	}
}
