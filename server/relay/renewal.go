package relay

import (
	"time"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// leastRenewal is how long a connection lasts at least whose session should have been renewed before. Where a session can't be renewed,
// pages don't connect again and again.
const leastRenewal = 5 * time.Second

// renew closes the connection when its session must be renewed. Only a request can do that, because browsers keep the session in
// cookies: the page connects again, maybe to another replica, and continues with the versions that it has.
func (c *conn) renew() (next time.Duration) {
	left, must := c.untilRenewal()
	if must && left <= 0 {
		c.closeConnection(wire.Renew, "the session must be renewed")
		return 0
	}
	return left
}

// firstRenewal is after how long a new connection looks for the first time; 0: never.
func (c *conn) firstRenewal() time.Duration {
	left, must := c.untilRenewal()
	if must && left <= 0 {
		return leastRenewal
	}
	return left
}

func (c *conn) untilRenewal() (left time.Duration, must bool) {
	at := c.relay.opt.Renew(c.session)
	if at.IsZero() {
		return 0, false
	}
	return at.Sub(c.relay.opt.Now()), true
}
