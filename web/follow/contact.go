package follow

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/words"
)

// Contact says how current a page is that follows a subscription. The zero value is connecting. Four things can be wrong, each without the others:
//
//	the socket to Fieldmark       state, quiet      from Connect; but only a message makes state Open
//	the API server                waiting           from Waiting until the next message
//	the data                      synced, gap       from Rows or Gap until Synced; gap is told a while longer
//	the subscription              ended, failed     from Failed or Closed; this is final
//
// The page is live only if all four are good (Live). worded names the first problem in the order of its cases. stale is the last sign of life before
// the first problem, and later problems don't move it. heal resets it when all is good again.
//
// Unanswered is special: the API server responds to lists, but not to the watch. Each such message moves stale to the last list. Rows and events don't
// end this state, because they can be those of a list. Synced does.
type Contact struct {
	born    time.Time
	now     time.Time
	state   page.ConnectionState
	retryAt time.Time
	waiting *status.Status // why Fieldmark waits for the API server; nil: it responds
	synced  bool           // a whole state has arrived
	quiet   bool           // nothing arrives over the open socket
	stale   time.Time      // the last sign of life, if the page may be out of date; zero: it is current
	gap     watch.Gap      // why the state was fetched again, until the reader had time to read it
	gapAt   time.Time      // the first tick after that, since when the reader can read it
	failed  *status.Status
	ended   bool   // the subscription has ended
	lived   bool   // the page has been live before
	said    string // announced last
}

// gapShown is how long a page says that its state was fetched again.
const gapShown = 10 * time.Second

// NewContact is a contact that begins to connect now.
func NewContact(now time.Time) Contact { return Contact{born: now, now: now, state: page.Connecting} }

// Hear takes in a message of the subscription.
func (c *Contact) Hear(m wire.Message) {
	switch m.Type {
	case wire.Waiting:
		c.waiting = m.Status
		if c.waiting == nil {
			c.waiting = &status.Status{Message: "The API server doesn’t respond."}
		}
		c.retryAt = c.now.Add(time.Duration(m.RetryMillis) * time.Millisecond)
		if c.waiting.Is(status.Unanswered) {
			c.state, c.stale = page.Open, time.Time{} // the rows are those of the last list
		}
		c.lose(time.Duration(m.SilentMillis) * time.Millisecond)
		return
	case wire.Failed:
		c.failed = m.Status
		c.ended = true
		c.lose(0)
		return
	case wire.Closed:
		c.ended = true
		return
	case wire.Gap:
		c.gap, c.gapAt, c.synced = m.Reason, time.Time{}, false
	case wire.Rows:
		c.synced = false // a new state arrives; the page still shows the former one
	case wire.Synced:
		c.synced, c.lived = true, true
		c.stale = time.Time{}
	}
	if m.Type != wire.Synced && c.waiting != nil && c.waiting.Is(status.Unanswered) {
		return // rows of a list
	}
	c.state, c.waiting, c.retryAt = page.Open, nil, time.Time{}
	c.heal()
}

// heal resets stale once the page is current again.
func (c *Contact) heal() {
	if c.synced && c.waiting == nil && !c.quiet && !c.ended {
		c.stale = time.Time{}
	}
}

// Connect takes in the state of the socket. After an interruption, the page is current only after the subscription's next message, not when
// the socket is open again. A socket that was only silent continues.
func (c *Contact) Connect(to page.Connection) {
	c.quiet = to.State == page.Silent
	switch to.State {
	case page.Silent:
		c.lose(to.Ago)
		return
	case page.Broken, page.SignedOut:
		c.lose(to.Ago)
		c.retryAt = c.now.Add(to.Retry)
	case page.Connecting, page.Open:
		if c.state == page.Open {
			c.heal()
			return
		}
		c.state = page.Connecting
		return
	}
	c.state = to.State
}

// lose notes that the page may be out of date since the last sign of life, which was ago before now. The time when the page was made is the
// earliest possible one.
func (c *Contact) lose(ago time.Duration) {
	if !c.stale.IsZero() {
		return
	}
	if c.stale = c.now.Add(-max(0, ago)); c.stale.Before(c.born) {
		c.stale = c.born
	}
}

// Tick takes in the reader's time.
func (c *Contact) Tick(now time.Time) {
	c.now = now
	switch {
	case c.gap == "" || !c.synced:
	case c.gapAt.IsZero():
		c.gapAt = now
	case now.Sub(c.gapAt) > gapShown:
		c.gap = ""
	}
}

// Live tells whether the page shows the current state.
func (c Contact) Live() bool {
	return c.state == page.Open && c.synced && c.waiting == nil && !c.quiet && !c.ended
}

// Liveness is the contact in words. While the first state arrives, have is the number of objects that have arrived, and left of those that
// have not.
func (c Contact) Liveness(have, left int64) components.Liveness {
	l := c.worded(have, left)
	l.Why = c.why()
	return l
}

func (c Contact) worded(have, left int64) components.Liveness {
	switch {
	case c.ended && !c.lived && c.failed != nil:
		return components.Liveness{Tone: components.Warn, Words: "not updated: " + components.Sentence(c.failed.Message)}
	case c.ended && c.failed != nil:
		return components.Liveness{Tone: components.Bad, Words: "no longer updated: " + components.Sentence(c.failed.Message), Since: c.since()}
	case c.ended:
		return components.Liveness{Tone: components.Warn, Words: "no longer updated", Since: c.since()}
	case c.state == page.SignedOut:
		return components.Liveness{Tone: components.Bad, Words: "signed out, reload to sign in again", Since: c.since()}
	case c.state == page.Broken:
		return components.Liveness{Tone: components.Bad, Words: c.reconnecting(), Since: c.since()}
	case c.quiet:
		return components.Liveness{Tone: components.Bad, Words: "Fieldmark doesn’t respond", Since: c.since()}
	case c.waiting != nil && c.waiting.Is(status.Silent):
		return components.Liveness{Tone: components.Bad, Words: "API server doesn’t respond", Since: c.since()}
	case c.waiting != nil && c.waiting.Is(status.Unanswered):
		return components.Liveness{Tone: components.Warn, Words: "the watch hasn’t answered yet; " + rowsAsOf + c.stale.Format("15:04:05")}
	case c.waiting != nil:
		return components.Liveness{Tone: components.Bad, Words: c.trying(), Since: c.since()}
	case c.state != page.Open && !c.stale.IsZero():
		return components.Liveness{Tone: components.Bad, Words: reconnectingNow, Since: c.since()}
	case c.state != page.Open:
		return components.Liveness{Tone: components.Busy, Words: "connecting"}
	case !c.synced && left > 0:
		return components.Liveness{
			Tone: components.Busy, Words: fmt.Sprintf("catching up, %s of %s", words.Thousands(have), words.Thousands(have+left)),
			Done: have, All: have + left,
		}
	case !c.synced:
		return components.Liveness{Tone: components.Busy, Words: "catching up"}
	default:
		return components.Liveness{Tone: c.tone(), Words: c.live()}
	}
}

// reached says why Fieldmark waits for the API server.
func (c Contact) reached() string {
	if c.waiting.Is(status.EndlessList) {
		return strings.TrimSuffix(components.Sentence(c.waiting.Message), ".")
	}
	switch {
	case c.waiting.Told:
		return fmt.Sprintf("API server responds with status code %d", c.waiting.Code)
	case c.waiting.Code == status.CodeGatewayTimeout:
		return "API server doesn’t respond in time"
	}
	return "API server can’t be reached"
}

func (c Contact) tone() components.Tone {
	if c.gap != "" {
		return components.Warn
	}
	return components.Good
}

// live says that the page is live. For gapShown after a gap, it also says why the state was fetched again.
func (c Contact) live() string {
	switch c.gap {
	case "":
		return "live"
	case watch.Expired:
		return "live again: the server had deleted the versions in between, so Fieldmark fetched everything again"
	case watch.Unanswered:
		return "live again: the watch was answered late, so Fieldmark listed everything meanwhile"
	case watch.Slow:
		return "live again: there were too many events, so Fieldmark fetched everything again"
	default:
		return "live again: Fieldmark fetched everything again"
	}
}

// why is the explanation of the state; nil if the state isn't about the Kubernetes API.
func (c Contact) why() *why.Topic {
	switch {
	case c.ended && c.failed != nil:
		return why.Refusal(c.failed)
	case !c.ended && (c.state == page.SignedOut || c.quiet):
		return nil
	case !c.ended && (c.waiting != nil || c.state != page.Open && !c.stale.IsZero()):
		return &why.Resume
	case !c.ended && c.state == page.Open && !c.synced:
		return &why.StreamingLists
	case c.gap == watch.Expired:
		return &why.Expired
	default:
		return &why.Watch
	}
}

// What a page shows while the watch isn't answered, before the time of the last list.
const (
	rowsAsOf   = "rows as of "
	objectAsOf = "object as of "
)

const reconnectingNow = "connection lost, reconnecting now"

// reconnecting says that the connection to Fieldmark is lost, and when the next attempt is.
func (c Contact) reconnecting() string {
	if s := c.wait(); s > 0 {
		return fmt.Sprintf("connection lost, reconnecting in %d s", s)
	}
	return reconnectingNow
}

// trying says why the API server sends nothing, and when Fieldmark sends the next request.
func (c Contact) trying() string {
	if s := c.wait(); s > 0 {
		return fmt.Sprintf("%s, trying again in %d s", c.reached(), s)
	}
	return fmt.Sprintf("%s, trying again now", c.reached())
}

// wait is the time until the next attempt, in seconds, rounded up. It is not positive if the attempt is due.
func (c Contact) wait() int {
	return int(math.Ceil(c.retryAt.Sub(c.now).Seconds()))
}

func (c Contact) since() string {
	if c.stale.IsZero() {
		return ""
	}
	return "stale since " + c.stale.Format("15:04:05") + ", for " + table.Duration(c.now.Sub(c.stale))
}

// News announces that the contact was lost or is back. It doesn't announce each attempt.
func (c *Contact) News() []page.Cmd {
	words := ""
	switch {
	case c.Live():
		words = "Live"
	case c.ended:
		words = "No longer live"
	case !c.stale.IsZero():
		words = "Connection lost. The page shows the last known state"
	}
	if words == "" || words == c.said {
		return nil
	}
	first := c.said == ""
	c.said = words
	if first && c.Live() {
		return nil // a page that becomes live when it opens is no news
	}
	return []page.Cmd{page.Announce{Words: words}}
}
