package relay

import (
	"time"

	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// leastRenewal is how long a connection lasts at least. Where a session can't be renewed, pages don't connect again and again.
const leastRenewal = 5 * time.Second

// renew closes the connection when its session must be renewed. Only a request can do that, because browsers keep the session in
// cookies: the page connects again, maybe to another replica, and continues with the versions that it has.
func (c *conn) renew() (next time.Duration) {
	at := c.relay.opt.Renew(c.session)
	if at.IsZero() {
		return 0
	}
	if wait := at.Sub(c.relay.opt.Now()); wait > 0 {
		return wait
	}
	c.end(wire.Renew, "the session must be renewed")
	return 0
}
