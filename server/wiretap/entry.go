// Package wiretap records every request to an API server: for each session, bounded and redacted.
//
// With this record, a page can show its API requests. So the record must not leak secrets. Headers with credentials, and bodies of
// Secrets and tokens, never enter it. Everything else leaves it through package redact only, which removes credentials and withholds
// what it can't read.
package wiretap

import (
	"net/http"
	"time"
)

// Origin says on whose behalf a request was made.
type Origin string

// The origins.
const (
	Page  Origin = "page"  // the server, to render a page
	Relay Origin = "relay" // the server, for a subscription
	Scan  Origin = "scan"  // the server, for a scan of many types
	Check Origin = "check" // the server, to check that the session may follow a watch of somebody else
	// Browser and Client are clients of the proxy.
	Browser Origin = "browser" // a page itself, in the browser
	Client  Origin = "client"  // kubectl, curl, and other programs
)

// Who is responsible for a request.
type Who struct {
	Session string
	Cluster string
	Origin  Origin
	// Reread tells that the client will read the response again from the record. So more of its bodies is kept.
	Reread bool
}

// Entry is one request and its response, as far as they have arrived. It is a copy, and doesn't change. Everything that looks like a
// credential has been removed from it.
type Entry struct {
	ID      uint64 // numbers grow with time, and are never reused
	Who     Who
	Start   time.Time
	First   time.Duration // from the start to the headers of the response; 0 before
	Total   time.Duration // so far, or in all once Done
	Done    bool
	Method  string
	Server  string // scheme and host
	Path    string // canonical, escaped
	Query   string // redacted
	Verb    string // the API verb
	Status  int    // 0 while there is none
	Proto   string // HTTP version upstream
	Request Side
	Answer  Side
	// Events counts the watch events so far, in JSON or Protobuf.
	Events int64
	// Form is the format of the response, in a word: Table, JSON, Protobuf.
	Form string
	// Coding is how the response was compressed, and Unpacked its decompressed size in bytes; 0: unknown, or not known yet.
	Coding   string
	Unpacked int64
	Warnings []string
	Error    string
}

// Side is one direction of an exchange.
type Side struct {
	MediaType string
	Header    http.Header // redacted
	Bytes     int64       // of the body, as on the wire
	Body      []byte      // what is kept of it, decompressed
	Cut       bool        // Body is not all of it
	Redacted  bool        // something was taken out of Body
	Withheld  string      // why there is no Body; empty when there is
}
