package relay

import (
	"sync"
	"sync/atomic"
)

// account is what one session has of the relay, all its pages together (threat: exhaustion).
type account struct {
	conns int // guarded by accounts

	subs   atomic.Int64 // subscriptions
	queued atomic.Int64 // bytes that wait for pages' credit
	held   atomic.Int64 // bytes of states, kept for pages that come later or begin anew
}

// enrol counts another subscription, unless there are too many.
func (a *account) enrol() bool {
	if a.subs.Add(1) > maxSessionSubscriptions {
		a.subs.Add(-1)
		return false
	}
	return true
}

func (a *account) leave() { a.subs.Add(-1) }

// queue counts bytes that wait, or no longer do. It says whether there are too many.
func (a *account) queue(bytes int) (over bool) {
	return a.queued.Add(int64(bytes)) > maxSessionQueued
}

// hold counts bytes of states. It says whether these are too many: what becomes smaller, or stays, is never at fault.
func (a *account) hold(bytes int) (over bool) {
	return a.held.Add(int64(bytes)) > maxSessionHeld && bytes > 0
}

// accounts are those of all sessions that have a connection.
type accounts struct {
	mu        sync.Mutex
	bySession map[string]*account
}

// open gives the account of a session that has one more connection, unless it has too many.
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

// close counts a connection that is gone.
func (a *accounts) close(session string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.bySession[session]
	if of.conns--; of.conns == 0 {
		delete(a.bySession, session)
	}
}
