package page

import (
	"strings"
	"time"
)

// Header is one field of a request's or an answer's head.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Field is the value of a field of a head, whatever case its name is written in; empty: there is none.
func Field(head []Header, name string) string {
	for _, h := range head {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// Call makes any API request through the proxy, and tells of the answer as it comes: Opened, Arrived as often as it takes, Ended.
// It is for pages on which requests are made by hand. A page that is left ends its calls.
type Call struct {
	ID            string // to know the answer by; a call of the same id that is under way is ended first, without a word
	Method        string
	Cluster, Path string   // slug; API path with its query
	Header        []Header // besides what browsers send by themselves
	Body          []byte
	// Coding is the Accept-Encoding that the API server is asked with, such as "gzip" or "identity"; empty: the browser's own, and
	// identity for a watch.
	Coding string
	// Keep is how much of the body is handed over, in bytes; the rest is counted only. 0: all of it.
	Keep int64
}

// Cancel ends a call; its Ended follows, unless it has come.
type Cancel struct{ ID string }

// Opened is the head of an answer to a Call.
type Opened struct {
	ID     string
	Status int
	Header []Header      // names in lower case, in their alphabetical order
	Took   time.Duration // until the head was there
	At     time.Time     // when it was, by the reader's clock
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

func (Opened) msg()  {}
func (Arrived) msg() {}
func (Ended) msg()   {}
