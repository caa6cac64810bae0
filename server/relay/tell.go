package relay

import "sync"

// stirring notes which subscriptions of a connection may have messages to send. One goroutine sends for all of them, because most
// subscriptions have nothing to send most of the time.
type stirring struct {
	some chan struct{} // signals that there are some

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
	select {
	case c.stirring.some <- struct{}{}:
	default:
	}
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

// tell sends messages until the connection ends. It gathers them for a moment first.
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
