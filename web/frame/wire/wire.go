// Package wire is what crosses the WebSocket between a page and the server: the messages, and how
// they are written and read.
//
// A page subscribes to collections and objects of a cluster. What it gets depends on what it has already:
//
//   - nothing: the initial state in parts (rows…), then synced;
//   - a whole state, named by resourceVersion: synced at once;
//   - the first chunk of a state, named by resourceVersion and continue: the other chunks (rows…), then synced.
//
// Where another page of the session follows the same, the server may know a whole state, and not what came after the
// version that the page has: then what follows is that state instead, of the next generation. Nothing was lost, so there
// is no gap.
//
// After synced come events as they happen, in order, and bookmarks that say how far the server has come while
// nothing happened. When the API server is out of reach, or silent although it is connected, the server says so (waiting), and since
// when; it goes on trying. synced says that it has caught up again. When continuity is lost the server says so too (gap), and what follows is a
// fresh initial state, of the next generation: whatever the page has of an older generation is void once that
// generation's synced has arrived. A subscription ends with failed (the API server's own Status) or closed.
//
// An initial state takes a while, and what changes meanwhile is in it: rows may repeat an object, and the later counts;
// an object that went is told as an event, which has no version then. How many are still to come (remaining) is told where it is known.
//
// The server sends a subscription's messages only as long as it has credit: Window messages to begin with, and what the
// page gives back as it takes messages in. waiting, failed and closed need none. What happens meanwhile is kept up
// to a bound: of rows the newest state of each, of objects every version. Past the bound there is a gap.
//
// A session has a bounded number of connections, of subscriptions and of bytes that wait for its pages. A connection too
// many is closed with the code 1013, a subscription too many fails with a Status of code 429, and so does one whose state is
// too large to be kept with 413. What makes no sense closes the connection with 1008 and the reason: JSON that is none,
// numbers out of range, an id that is in use. Credit and unsubscribe for an id that is not in use are ignored: the
// subscription may have ended while they were on their way.
//
// A connection on which there is nothing to tell says so every few seconds (beat): a page that hears nothing for longer knows that
// what it shows may be old. A beat belongs to no subscription and needs no credit.
//
// A page can also follow the session's record of requests to a cluster. It gets the newest lines of it (requests, the first of them
// anew), then each line that is new or says something new, gathered for a moment. A line that comes again takes the place of
// the one with its number. These messages are counted against the credit like others; what can't be told yet is told as it is by then.
//
// What happens to objects, and why there is a gap, is said in the words of package kube/watch. A row is written in one way wherever it
// crosses: as the line that table.Row writes, alone in an event and with others in rows.
//
// Versions are opaque: they may be kept, given back and compared for equality, nothing else.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
)

// Window is the credit, in messages, that every subscription begins with.
const Window = 32

// MaxRequest bounds a message from a page, in bytes.
const MaxRequest = 64 << 10

// RequestType says what a page asks.
type RequestType string

// What a page may ask.
const (
	Subscribe   RequestType = "subscribe"   // id, cluster, path, as, resourceVersion?, continue?, gen?; of requests: id, cluster, as, n?
	Credit      RequestType = "credit"      // id, n: so many more messages may be sent
	Unsubscribe RequestType = "unsubscribe" // id
)

// As says in which form objects are wanted.
type As string

// The forms.
const (
	Table  As = "table"  // rows of the server's Table
	Object As = "object" // whole objects, secrets masked
	// Requests are no objects but the record of requests to the cluster; there is no path then, and n is how many of them the page
	// wants of those that were before; 0: all.
	Requests As = "requests"
)

// Request is a message from the page. Its ids are the page's own and mean nothing outside the
// connection.
type Request struct {
	Type    RequestType `json:"type"`
	ID      uint32      `json:"id"`
	Cluster string      `json:"cluster,omitempty"` // slug
	Path    string      `json:"path,omitempty"`    // API path of a collection or an object, with its selectors as query
	As      As          `json:"as,omitempty"`
	// ResourceVersion is that of the state which the page has; empty asks for the initial state.
	ResourceVersion string `json:"resourceVersion,omitempty"`
	// Continue is the token of the chunk after those that the page has.
	Continue string `json:"continue,omitempty"`
	// Gen is the generation of what the page has; 0 counts as 1. A fresh state begins the next one.
	Gen uint32 `json:"gen,omitempty"`
	N   uint32 `json:"n,omitempty"`
}

// MessageType says what the server tells.
type MessageType string

// What the server tells.
const (
	Hello    MessageType = "hello"    // build: which build of the pages this server serves; once, first
	Rows     MessageType = "rows"     // gen, columns (with the first), rows or objects, remaining?: a part of the initial state
	Synced   MessageType = "synced"   // gen, resourceVersion: nothing is missing up to here, and what comes is followed
	Events   MessageType = "events"   // what happened, in order; resourceVersion is the last event's
	Bookmark MessageType = "bookmark" // nothing happened up to resourceVersion
	Gap      MessageType = "gap"      // continuity was lost, for reason; a fresh initial state follows
	Waiting  MessageType = "waiting"  // retryMillis, silentMillis, status: the API server gives no answer, or none of use; it is asked again
	Failed   MessageType = "failed"   // status; the subscription has ended
	Closed   MessageType = "closed"   // the subscription has ended as asked
	Beat     MessageType = "beat"     // nothing: the connection lives, and there was nothing to tell for some seconds
	Recorded MessageType = "requests" // lines, anew?: requests, oldest first; anew: whatever the page has of before is void
)

// Message is a message to the page.
type Message struct {
	Type MessageType `json:"type"`
	ID   uint32      `json:"id,omitempty"`
	Gen  uint32      `json:"gen,omitempty"`

	Build string `json:"build,omitempty"`

	Columns   []table.Column    `json:"columns,omitempty"` // with the first rows of a generation
	Rows      table.Rows        `json:"rows,omitempty"`
	Objects   []json.RawMessage `json:"objects,omitempty"` // instead of rows, as objects
	Remaining *int64            `json:"remaining,omitempty"`

	ResourceVersion string         `json:"resourceVersion,omitempty"`
	Events          []Event        `json:"events,omitempty"`
	Reason          watch.Gap      `json:"reason,omitempty"`
	RetryMillis     int64          `json:"retryMillis,omitempty"`
	SilentMillis    int64          `json:"silentMillis,omitempty"` // how long ago the API server gave its last sign of life
	Status          *status.Status `json:"status,omitempty"`

	Lines []record.Line `json:"lines,omitempty"`
	Anew  bool          `json:"anew,omitempty"`
}

// ParseMessage reads a message to a page. Rows are most of what crosses, and they are one string: it is taken out before the
// rest is read as JSON, which would look at each of its bytes several times.
func ParseMessage(data []byte) (Message, error) {
	var m Message
	before, packed, after, found := cutRows(data)
	if found {
		data = slices.Concat(before, []byte("null"), after)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("reading a message: %w", err)
	}
	if !found {
		return m, nil
	}
	return m, m.Rows.UnmarshalJSON(packed)
}

// cutRows finds the string of the rows. Within a string quotes are escaped, so what looks like a field is one; only whole
// objects, which come after it, may have one of that name, too.
func cutRows(data []byte) (before, packed, after []byte, found bool) {
	const begins, field = `{"type":"rows",`, `"rows":`
	at := bytes.Index(data, []byte(field+`"`))
	if at < 0 || !bytes.HasPrefix(data, []byte(begins)) || bytes.Contains(data[:at], []byte(`"objects":`)) {
		return nil, nil, nil, false
	}
	start := at + len(field)
	for end := start + 1; ; end++ {
		i := bytes.IndexByte(data[end:], '"')
		if i < 0 {
			return nil, nil, nil, false
		}
		end += i
		if backslashes := len(data[:end]) - len(bytes.TrimRight(data[:end], `\`)); backslashes%2 == 0 {
			return data[:start], data[start : end+1], data[end+1:], true
		}
	}
}

// Event is one change of one object.
type Event struct {
	Type   watch.Type      `json:"type"` // Added, Modified or Deleted
	Row    *table.Row      `json:"row,omitempty"`
	Object json.RawMessage `json:"object,omitempty"`
}

// ErrRequest marks a message from a page that makes no sense. The connection it came on has ended.
var ErrRequest = errors.New("malformed message")

// ParseRequest reads a message from a page. Every error is an ErrRequest.
func ParseRequest(data []byte) (Request, error) {
	var r Request
	if len(data) > MaxRequest {
		return r, fmt.Errorf("%w: longer than %d bytes", ErrRequest, MaxRequest)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%w: %v", ErrRequest, err) //nolint:errorlint // only ErrRequest is promised
	}
	return r, r.check()
}

func (r Request) check() error {
	switch {
	case r.Type == Subscribe && r.As == Requests && r.Cluster != "" && r.Path == "":
		return nil
	case r.Type == Subscribe && (r.Cluster == "" || r.Path == ""):
		return fmt.Errorf("%w: subscribe needs a cluster and a path", ErrRequest)
	case r.Type == Subscribe && r.As != Table && r.As != Object:
		return fmt.Errorf("%w: subscribe as %q", ErrRequest, r.As)
	case r.Type != Subscribe && r.Type != Credit && r.Type != Unsubscribe:
		return fmt.Errorf("%w: type %q", ErrRequest, r.Type)
	default:
		return nil
	}
}
