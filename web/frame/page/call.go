package page

import (
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Call sends an API request through the proxy. Without Parts, the page gets one Response. With Parts, it gets the response as it arrives: Opened, any
// number of Arrived, and Ended.
//
// When the reader leaves the page, calls with Parts end. Calls without Parts continue, because they may be writes, but nobody gets their responses. A call
// is never repeated: without a response, the server may still have carried it out.
type Call struct {
	ID            string // identifies the response; a call with Parts ends an earlier one with the same ID, without a message
	Method        string
	Cluster, Path string           // slug; API path with its query
	Header        []request.Header // besides those that browsers add
	Body          []byte

	Parts bool
	// Coding is the Accept-Encoding that the API server gets, such as "gzip" or "identity"; empty: the browser's own, or identity for a watch. It
	// needs Parts.
	Coding string
	// Keep is how many bytes of the body the page gets; the others are only counted. 0: all of them. It needs Parts.
	Keep int64
	// Reread says that the page will read the response again from the wire log, which then keeps more of it. It needs Parts.
	Reread bool
}

// Get is a call with GET, without Parts.
func Get(id, cluster, path, accept string) Call {
	return Call{ID: id, Method: request.Get, Cluster: cluster, Path: path, Header: []request.Header{{Name: "Accept", Value: accept}}}
}

// Response is the response to a Call without Parts, or to an Ask.
type Response struct {
	ID     string
	Status int // HTTP status code; 0: there was no response, or it was incomplete
	Header []request.Header
	Body   []byte
	Took   time.Duration // until the response was complete
}

// OK tells whether the status code is between 200 and 299.
func (r Response) OK() bool { return r.Status >= 200 && r.Status <= 299 }

// Warnings are the warnings in the headers of a response.
func Warnings(headers []request.Header) []status.Warning {
	var lines []string
	for _, h := range headers {
		if strings.EqualFold(h.Name, "warning") {
			lines = append(lines, h.Value)
		}
	}
	return status.ParseWarnings(lines)
}

// Cancel ends a call with Parts. Ended follows, unless it came before.
type Cancel struct{ ID string }

// Opened is the status and the headers of the response to a Call with Parts.
type Opened struct {
	ID     string
	Status int
	Header []request.Header // names in lower case, in their alphabetical order
	Took   time.Duration    // until the headers arrived
	At     time.Time        // when they arrived, by the reader's clock
	// Entry is the request's number in the session's record; empty: the request is not recorded.
	Entry string
}

// Arrived is a part of the body.
type Arrived struct {
	ID    string
	Part  []byte // nil: after Keep bytes
	Bytes int64  // of the body until now, including this part, after decompression
	After time.Duration
}

// Ending is how a call ended.
type Ending string

// The endings.
const (
	Whole    Ending = "whole"
	Canceled Ending = "canceled"
	CutOff   Ending = "cut off" // there was no response, or it was incomplete, and nobody canceled the call
)

// Ended is the end of a Call.
type Ended struct {
	ID    string
	How   Ending
	Bytes int64 // of the body, after decompression
	Wire  int64 // of the body on the wire, before decompression; 0: unknown
	Took  time.Duration
}

func (Call) cmd()   {}
func (Cancel) cmd() {}

func (Response) msg() {}
func (Opened) msg()   {}
func (Arrived) msg()  {}
func (Ended) msg()    {}
