package relay

import "sync"

// stirring is which of a connection's subscriptions may have something to tell. One goroutine tells for all of them:
// there are many connections, each with many subscriptions, and most of them have nothing to tell most of the time.
type stirring struct {
	some chan struct{} // nudged when there are any

	mu   sync.Mutex
	subs []*subscription
}

// stir notes that there may be something to tell.
func (c *conn) stir(s *subscription) {
	c.stirring.mu.Lock()
	if !s.stirred {
		s.stirred = true
		c.stirring.subs = append(c.stirring.subs, s)
	}
	c.stirring.mu.Unlock()
	select {
	case c.stirring.some <- struct{}{}:
	default:
	}
}

// stirred gives those that were noted since it was asked last.
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

// tell tells what there is, gathered for a moment, until the connection ends.
func (c *conn) tell() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-c.stirring.some:
		}
		pause(c.ctx, c.relay.pace.batch)
		for _, s := range c.stirred() {
			s.tell()
		}
	}
}
