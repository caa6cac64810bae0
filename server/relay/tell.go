package relay

import (
	"sync"
	"time"
)

// pending notes which subscriptions of a connection may have messages to send. One task sends for all of them, because most
// subscriptions have nothing to send most of the time.
type pending struct {
	mu   sync.Mutex
	subs []*subscription
}

// notePending notes that a subscription may have something to send.
func (c *conn) notePending(s *subscription) {
	c.pending.mu.Lock()
	if !s.stirred {
		s.stirred = true
		c.pending.subs = append(c.pending.subs, s)
	}
	c.pending.mu.Unlock()
	c.tells.in(c.relay.pace.batch) // so that messages are gathered for a moment
}

// takePending returns the subscriptions that were noted since its last call.
func (c *conn) takePending() []*subscription {
	c.pending.mu.Lock()
	defer c.pending.mu.Unlock()
	all := c.pending.subs
	c.pending.subs = nil
	for _, s := range all {
		s.stirred = false
	}
	return all
}

// flushSubscriptions sends the messages that there are.
func (c *conn) flushSubscriptions() (next time.Duration) {
	for _, s := range c.takePending() {
		s.sendMessages()
	}
	return 0
}
