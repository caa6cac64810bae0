package relay

import (
	"time"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// leastRenewal is how long a connection lasts at least. Where a session can't be renewed, pages don't connect again and again.
const leastRenewal = 5 * time.Second

// renew closes the connection when its session must be renewed. Only a request can do that, because browsers keep the session in
// cookies: the page connects again, maybe to another replica, and continues with the versions that it has.
func (c *conn) renew() {
	for first := true; ; first = false {
		at := c.relay.opt.Renew(c.session)
		if at.IsZero() {
			return
		}
		wait := at.Sub(c.relay.opt.Now())
		if first {
			wait = max(wait, leastRenewal)
		}
		if wait <= 0 {
			c.end(wire.Renew, "the session must be renewed")
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-c.ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}
