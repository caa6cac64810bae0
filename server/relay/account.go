package relay

import (
	"sync"
	"sync/atomic"

	"golang.org/x/time/rate"
)

// account counts what all pages of a session, or of all sessions with one account, use together (threat: exhaustion).
type account struct {
	conns int // guarded by accounts

	incoming *rate.Limiter // bytes that pages send
	begun    *rate.Limiter // subscriptions
	subs     atomic.Int64  // subscriptions
	queued   atomic.Int64  // bytes that wait for pages' credit
	held     atomic.Int64  // bytes of states, kept for pages that subscribe later or again
}

func newAccount() *account {
	return &account{
		incoming: rate.NewLimiter(incomingPerSecond, incomingBurst), begun: rate.NewLimiter(subscriptionsPerSecond, subscriptionsBurst),
	}
}

// addSubscription counts one more subscription; false: the session has too many.
func (a *account) addSubscription() bool {
	if a.subs.Add(1) > maxSessionSubscriptions {
		a.subs.Add(-1)
		return false
	}
	return true
}

func (a *account) removeSubscription() { a.subs.Add(-1) }

// chargeQueue adds bytes that wait to be sent; a negative number removes them. over: too many wait.
func (a *account) chargeQueue(bytes int) (over bool) {
	return a.queued.Add(int64(bytes)) > maxSessionQueued
}

// chargeState adds bytes of states; a negative number removes them. over: there are too many, and bytes was positive.
func (a *account) chargeState(bytes int) (over bool) {
	return a.held.Add(int64(bytes)) > maxSessionHeld && bytes > 0
}

// accounts are the accounts of all holders that have a connection: of sessions, or of people with several sessions.
type accounts struct {
	mu       sync.Mutex
	byHolder map[string]*account
}

// admitConnection counts one more connection of a holder and returns its account; false: the holder has too many connections.
func (a *accounts) admitConnection(holder string) (*account, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byHolder == nil {
		a.byHolder = map[string]*account{}
	}
	of := a.byHolder[holder]
	if of == nil {
		of = newAccount()
		a.byHolder[holder] = of
	}
	if of.conns >= maxConnections {
		return nil, false
	}
	of.conns++
	return of, true
}

// close counts that a connection of a holder has ended.
func (a *accounts) close(holder string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.byHolder[holder]
	if of.conns--; of.conns == 0 {
		delete(a.byHolder, holder)
	}
}
