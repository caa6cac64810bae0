package relay

import (
	"sync"
	"time"
)

// stirring notes which subscriptions of a connection may have messages to send. One errand sends for all of them, because most
// subscriptions have nothing to send most of the time.
type stirring struct {
	mu   sync.Mutex
	subs []*subscription
}

// stir notes that a subscription may have something to send.
func (c *conn) stir(s *subscription) {
	c.stirring.mu.Lock()
	if !s.stirred {
		s.stirred = true
		c.stirring.subs = append(c.stirring.subs, s)
	}
	c.stirring.mu.Unlock()
	c.tells.in(c.relay.pace.batch) // so that messages are gathered for a moment
}

// stirred returns the subscriptions that were noted since its last call.
func (c *conn) stirred() []*subscription {
	c.stirring.mu.Lock()
	defer c.stirring.mu.Unlock()
	all := c.stirring.subs
	c.stirring.subs = nil
	for _, s := range all {
		s.stirred = false
	}
	return all
}

// flushSubscriptions sends the messages that there are.
func (c *conn) flushSubscriptions() (next time.Duration) {
	for _, s := range c.stirred() {
		s.sendMessages()
	}
	return 0
}
