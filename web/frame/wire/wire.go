// Package wire is the protocol of the WebSocket between a page and the server: the messages, and how they are written and read.
//
// A page subscribes to collections and objects of a cluster. The messages that it gets depend on the state that it has:
//
//   - nothing: the initial state in parts (rows…), then synced;
//   - a whole state, named by resourceVersion: synced at once;
//   - the first chunk of a state, named by resourceVersion and continue: the other chunks (rows…), then synced.
//
// If another page of the session follows the same collection, the server may know a whole state, but not the events since the page's version. Then the
// page gets that whole state instead, as the next generation. Nothing was lost, so there is no gap.
//
// After synced, the server sends:
//
//   - events: in order, as they happen
//   - bookmark: nothing else happened up to this version
//   - waiting: the API server can't be reached, or is silent, and since when. The server keeps trying. The next synced says that the page is current again
//   - gap: events were lost. A new initial state follows, as the next generation. When its synced arrives, the page deletes all older generations
//   - failed, with the API server's Status, or closed: the subscription has ended
//
// Objects can change while an initial state is sent. Then rows has the object again, and the later row is valid. A deletion is sent as an event
// without a version. remaining is the number of objects that are still missing, if it is known.
//
// The server sends messages of a subscription only while it has credit. A subscription begins with a credit of Window messages, and the page gives credit
// back when it has handled messages. waiting, failed and closed need no credit. Without credit, the server keeps changes up to a limit: of rows the newest
// state of each, of objects every version. Above the limit, there is a gap.
//
// A session has limits for connections, subscriptions and waiting bytes:
//
//   - too many connections: the new one is closed with code 1013
//   - too many subscriptions: the new one fails with a Status of code 429
//   - a state that is too large: the subscription fails with code 413
//   - the session must be renewed: the connection is closed with code 4402, and the page connects again at once
//   - invalid messages (wrong JSON, numbers out of range, an id in use): the connection is closed with code 1008 and the reason
//
// credit and unsubscribe for an unknown id are ignored, because the subscription may just have ended.
//
// If there is nothing to send, the server sends a beat every few seconds. A page that gets no message for longer knows that its state may be old. A
// beat belongs to no subscription and needs no credit.
//
// A page can also follow the session's record of requests to a cluster. It first gets the newest lines (requests, with anew in the first message), and then
// new and changed lines, collected for a moment. A changed line replaces the one with the same number. These messages need credit, too. Without
// credit, lines wait, and are sent later in their latest state.
//
// The types of events and the reasons of gaps are those of package kube/watch. A row is always written as the line that table.Row writes: alone in an
// event, with others in rows.
//
// Versions are kept, sent back, and compared for equality. Their order is only asked for by pages, about versions of one object: object.Older.
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

// Renew is the close code of a connection whose session must be renewed by a request, such as that of the next connection.
const Renew = 4402

// MaxRequest is the most bytes of a message from a page.
const MaxRequest = 64 << 10

// RequestType is the type of a page's message.
type RequestType string

// The types of a page's messages, with their fields.
const (
	Subscribe   RequestType = "subscribe"   // id, cluster, path, as, resourceVersion?, continue?, gen?; of requests: id, cluster, as, n?
	Credit      RequestType = "credit"      // id, n: so many more messages may be sent
	Unsubscribe RequestType = "unsubscribe" // id
)

// As is the form in which a page wants objects.
type As string

// The forms.
const (
	Table  As = "table"  // rows of the server's Table
	Object As = "object" // whole objects, secrets masked
	// Requests is the record of requests to the cluster, instead of objects. There is no path. n is how many of the earlier requests the page wants; 0:
	// all.
	Requests As = "requests"
)

// Request is a message from the page. The page chooses ids. They are valid only in their connection.
type Request struct {
	Type    RequestType `json:"type"`
	ID      uint32      `json:"id"`
	Cluster string      `json:"cluster,omitempty"` // slug
	Path    string      `json:"path,omitempty"`    // API path of a collection or an object, with its selectors as query
	As      As          `json:"as,omitempty"`
	// ResourceVersion is the version of the page's state; empty requests the initial state.
	ResourceVersion string `json:"resourceVersion,omitempty"`
	// Continue is the token of the first chunk that the page doesn't have.
	Continue string `json:"continue,omitempty"`
	// Gen is the generation of the page's state; 0 counts as 1. Each new initial state has the next generation.
	Gen uint32 `json:"gen,omitempty"`
	N   uint32 `json:"n,omitempty"`
}

// MessageType is the type of the server's message.
type MessageType string

// The types of the server's messages, with their fields.
const (
	Hello    MessageType = "hello"    // build: which build of the pages this server serves; reader: whose connection it is; once, first
	Rows     MessageType = "rows"     // gen, columns (with the first), rows or objects, remaining?: a part of the initial state
	Synced   MessageType = "synced"   // gen, resourceVersion: the state is complete up to this version, and events follow
	Events   MessageType = "events"   // what happened, in order; resourceVersion is the last event's
	Bookmark MessageType = "bookmark" // nothing happened up to resourceVersion
	Gap      MessageType = "gap"      // reason: events were lost; a new initial state follows
	Waiting  MessageType = "waiting"  // retryMillis, silentMillis, status: the API server doesn't respond, or responds with an error; the server tries again
	Failed   MessageType = "failed"   // status; the subscription has ended
	Closed   MessageType = "closed"   // the page ended the subscription
	Beat     MessageType = "beat"     // the connection works, and there was nothing to send for some seconds
	Recorded MessageType = "requests" // lines, anew?: requests, oldest first; with anew, the page deletes all earlier lines
)

// Message is a message to the page.
type Message struct {
	Type MessageType `json:"type"`
	ID   uint32      `json:"id,omitempty"`
	Gen  uint32      `json:"gen,omitempty"`

	Build string `json:"build,omitempty"`
	// Reader is the key of the person whose session it is, as in shell.Model; empty in local mode.
	Reader string `json:"reader,omitempty"`

	Columns   []table.Column    `json:"columns,omitempty"` // with the first rows of a generation
	Rows      table.Rows        `json:"rows,omitempty"`
	Objects   []json.RawMessage `json:"objects,omitempty"` // instead of rows, as objects
	Remaining *int64            `json:"remaining,omitempty"`

	ResourceVersion string         `json:"resourceVersion,omitempty"`
	Events          []Event        `json:"events,omitempty"`
	Reason          watch.Gap      `json:"reason,omitempty"`
	RetryMillis     int64          `json:"retryMillis,omitempty"`
	SilentMillis    int64          `json:"silentMillis,omitempty"` // time since the API server's last message
	Status          *status.Status `json:"status,omitempty"`

	Lines []record.Line `json:"lines,omitempty"`
	Anew  bool          `json:"anew,omitempty"`
}

// ParseMessage reads a message to a page. Rows are the largest part, and one string. It is cut out before the rest is decoded as JSON, because the decoder
// would read each of its bytes several times.
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

// cutRows finds the string of the rows. Quotes inside a string are escaped, so text that looks like the field is the field. Only whole objects can have a
// field with the same name, and they come after it.
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

// ErrRequest marks an invalid message from a page. The server closes the connection.
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
