package page

import (
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Call makes an API request through the proxy. Its response comes whole, as a Response; with Parts it is told of as it comes: Opened,
// Arrived as often as it takes, Ended.
//
// A page that is left ends its calls with Parts. A whole one is made to its end, because it may be a write that the reader asked for with a
// button; nobody is told of its response then. A call is made once: that no response came does not mean that nothing was done.
type Call struct {
	ID            string // to know the response by; a call with Parts ends a former one of its ID, without a word
	Method        string
	Cluster, Path string           // slug; API path with its query
	Header        []request.Header // besides what browsers send by themselves
	Body          []byte

	Parts bool
	// Coding is the Accept-Encoding that the API server is asked with, such as "gzip" or "identity"; empty: the browser's own, and
	// identity for a watch. It needs Parts.
	Coding string
	// Keep is how much of the body is handed over, in bytes; the rest is counted only. 0: all of it. It needs Parts.
	Keep int64
}

// Get is a call that reads, with a whole response.
func Get(id, cluster, path, accept string) Call {
	return Call{ID: id, Method: request.Get, Cluster: cluster, Path: path, Header: []request.Header{{Name: "Accept", Value: accept}}}
}

// Response is the whole response to a Call without Parts, or to an Ask.
type Response struct {
	ID     string
	Status int // HTTP status code; 0: there was no response, or it was cut off
	Header []request.Header
	Body   []byte
	Took   time.Duration // until all of it was there
}

// OK tells whether there was a response, and no refusal.
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

// Cancel ends a call with Parts; its Ended follows, unless it has come.
type Cancel struct{ ID string }

// Opened is the status and the headers of the response to a Call with Parts.
type Opened struct {
	ID     string
	Status int
	Header []request.Header // names in lower case, in their alphabetical order
	Took   time.Duration    // until the head was there
	At     time.Time        // when it was, by the reader's clock
	// Entry is the request's number in the session's record; empty: it is not recorded.
	Entry string
}

// Arrived is a part of the body.
type Arrived struct {
	ID    string
	Part  []byte // nil: past what is kept
	Bytes int64  // so far, with this part, after decompression
	After time.Duration
}

// Ending is how a call ended.
type Ending string

// The endings.
const (
	Whole    Ending = "whole"
	Canceled Ending = "canceled"
	CutOff   Ending = "cut off" // no answer, or not all of it, and nobody asked for that
)

// Ended is the end of a Call.
type Ended struct {
	ID    string
	How   Ending
	Bytes int64 // of the body, after decompression
	Wire  int64 // of the body as it came over the wire; 0: nobody knows
	Took  time.Duration
}

func (Call) cmd()   {}
func (Cancel) cmd() {}

func (Response) msg() {}
func (Opened) msg()   {}
func (Arrived) msg()  {}
func (Ended) msg()    {}
