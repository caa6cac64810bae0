package relay

import "time"

// Limits of what one browser can have (case 20).
const (
	// maxConnections is per session: a tab has one.
	maxConnections = 16
	// maxSubscriptions is per connection.
	maxSubscriptions = 32
	// maxCredit bounds what a page can give; more than it will ever take in.
	maxCredit = 1 << 16
)

// Deadlines of a connection.
const (
	pingEvery    = 20 * time.Second
	pongWithin   = 10 * time.Second
	writeWithin  = 10 * time.Second
	maxReason    = 120 // bytes; a close frame holds 123
	batchedOver  = 12 * time.Millisecond
	perMessage   = 250     // rows, objects or events
	messageBytes = 1 << 20 // of rows, objects or events, unless one alone is larger
)

// Bounds of what waits for a page's credit, per subscription.
const (
	maxWaiting      = 10_000
	maxWaitingBytes = 8 << 20
)

// Bounds of what is asked upstream.
const (
	chunkSize   = 500
	chunkWithin = 2 * time.Minute
	headWithin  = 30 * time.Second
	maxLine     = 16 << 20
	// A watch lasts between the one and the other: so long a withdrawn permission goes unnoticed (case 18).
	minWatch = 5 * time.Minute
	maxWatch = 10 * time.Minute
	// watchGrace is what a server that does not end a watch in time is given.
	watchGrace = 30 * time.Second
)
