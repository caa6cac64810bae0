package relay

import "time"

// Limits of what one browser can have (threat: exhaustion).
const (
	// maxConnections is per session: a tab has one.
	maxConnections = 16
	// maxSubscriptions is per connection, maxSessionSubscriptions per session.
	maxSubscriptions        = 32
	maxSessionSubscriptions = 256
	// subscriptionsPerSecond and subscriptionsBurst bound how many of them begin: each may be a list and a watch at the API server.
	subscriptionsPerSecond = 50
	subscriptionsBurst     = 512
	// incomingPerSecond and incomingBurst bound what a session's pages send, in bytes. Later bytes are read later.
	incomingPerSecond = 256 << 10
	incomingBurst     = 512 << 10
	// maxSessionQueued bounds what waits for the credit of a session's pages, in bytes.
	maxSessionQueued = 64 << 20
	// maxSessionHeld bounds the states that are kept for a session's pages, in bytes: half a million rows or so.
	maxSessionHeld = 256 << 20
	// maxCredit bounds the credit of a page, in messages. It is more than a page ever processes at once.
	maxCredit = 1 << 16
)

// Sizes of messages.
const (
	maxReason    = 120       // bytes; a close frame holds 123
	perMessage   = 250       // rows, objects or events
	perRecord    = 250       // lines of the record
	perStretch   = 16        // versions of objects: a page reads each of them whole
	messageBytes = 256 << 10 // of rows, objects or events, unless one alone is larger
)

// Bounds of what waits for a page's credit, per subscription.
const (
	maxWaiting      = 10_000
	maxWaitingBytes = 8 << 20
)

// Bounds of what is remembered of the past, for each thing that is followed.
const (
	ringEntries = 512
	ringBytes   = 1 << 20
)

// chunkSize is how many objects are listed at once.
const chunkSize = 500

// pace says how long things may take.
type pace struct {
	// ping is how often a page is asked whether it is still there, and pong how long it has to say so.
	ping, pong time.Duration
	// write is how long a page has to take a message.
	write time.Duration
	// beat is after how long without a message a sign of life is sent.
	beat time.Duration
	// batch is how long events are gathered.
	batch time.Duration
	// count is how long a state may take to arrive before the number of its objects is requested.
	count time.Duration
	// lines is how long lines of the record are gathered, and progress how often the state of open requests is read.
	lines, progress time.Duration
	// prove is how often a permission is proved, and proof how long a proof is good. check is how long the API server has for a proof. A
	// proof is good for longer than prove and check together.
	prove, proof, check time.Duration
}

func usualPace() pace {
	return pace{
		ping: 20 * time.Second, pong: 10 * time.Second, beat: 4 * time.Second, write: 10 * time.Second,
		batch: 12 * time.Millisecond, count: 200 * time.Millisecond,
		lines: 100 * time.Millisecond, progress: 250 * time.Millisecond,
		prove: 20 * time.Second, proof: 28 * time.Second, check: 5 * time.Second,
	}
}
