// Package record is a recorded request to an API server, as the wire log shows it. It also has the filters of the wire log, and writes
// all requests as an HTTP archive.
package record

import (
	"bytes"
	"net/url"
	"strings"
	"time"
)

// Redacted stands where a value was taken out.
const Redacted = "[redacted]"

// Origins: on whose behalf a request was made.
const (
	Page   = "page"   // the server, to render a page
	Relay  = "relay"  // the server, for what a page follows
	Scan   = "scan"   // the server, for a scan of many types
	Client = "client" // a client of the proxy: a page's own program, kubectl, curl
)

// Origins are all of them, in the order in which one meets them.
var Origins = []string{Page, Relay, Scan, Client}

// Line is a request and its answer in a line, as far as they have come. While it is under way, what it says changes.
type Line struct {
	ID        uint64 `json:"id"`
	At        int64  `json:"at"`              // when it began, in microseconds since 1970
	First     int64  `json:"first,omitempty"` // microseconds until the head of the answer; 0: there is none yet
	Took      int64  `json:"took,omitempty"`  // microseconds in all; 0 while it is under way
	Done      bool   `json:"done,omitempty"`
	Origin    string `json:"origin"`
	Method    string `json:"method"`
	Verb      string `json:"verb"` // the API verb
	Path      string `json:"path"` // canonical, escaped
	Query     string `json:"query,omitempty"`
	Status    int    `json:"status,omitempty"`    // 0: there is no answer, or none yet
	MediaType string `json:"mediaType,omitempty"` // of the answer, in a word where there is one
	Sent      int64  `json:"sent,omitempty"`      // bytes of the request's body
	Got       int64  `json:"got,omitempty"`       // bytes of the answer's body, on the wire
	Coding    string `json:"coding,omitempty"`    // how the answer's body was compressed; empty: it was not
	Unpacked  int64  `json:"unpacked,omitempty"`  // bytes of a compressed body, decompressed; 0: unknown
	Events    int64  `json:"events,omitempty"`    // of a watch, so far
	Warnings  int    `json:"warnings,omitempty"`
	Error     string `json:"error,omitempty"` // why there is no answer, or not all of it
}

// Began is when the request was made.
func (l Line) Began() time.Time { return time.UnixMicro(l.At) }

// Lasted is how long it took, or has taken by now.
func (l Line) Lasted(now time.Time) time.Duration {
	if l.Done {
		return time.Duration(l.Took) * time.Microsecond
	}
	return max(0, now.Sub(l.Began()))
}

// Target is the path with its query.
func (l Line) Target() string {
	if l.Query == "" {
		return l.Path
	}
	return l.Path + "?" + l.Query
}

// Readable is the target with nothing escaped in its query that can be read as it is.
func (l Line) Readable() string {
	if l.Query == "" {
		return l.Path
	}
	if plain, err := url.QueryUnescape(l.Query); err == nil {
		return l.Path + "?" + plain
	}
	return l.Target()
}

// Streams tells whether the answer is one that goes on for as long as it is read.
func (l Line) Streams() bool { return l.Verb == "watch" }

// Decoded is how many bytes the answer's body has, decompressed; ok is false where that is unknown.
func (l Line) Decoded() (n int64, ok bool) {
	if l.Coding == "" {
		return l.Got, true
	}
	return l.Unpacked, l.Unpacked > 0
}

// Entry is a request with all that is kept of it.
type Entry struct {
	Line

	Server  string   `json:"server"`            // scheme and host of the API server
	Proto   string   `json:"proto,omitempty"`   // HTTP version
	Warned  []string `json:"warned,omitempty"`  // the Warning fields of the answer
	Request Side     `json:"request"`           // what was sent
	Answer  Side     `json:"answer"`            // what came back
	Cap     int      `json:"cap,omitempty"`     // bytes kept of a body, at most
	Cluster string   `json:"cluster,omitempty"` // its slug
}

// Side is one direction of a request.
type Side struct {
	MediaType string  `json:"mediaType,omitempty"` // as the field Content-Type has it
	Header    []Field `json:"header,omitempty"`    // by name; values that must not be shown are redacted
	Bytes     int64   `json:"bytes,omitempty"`     // of the body, on the wire
	Body      []byte  `json:"body,omitempty"`      // what is kept of it, decompressed and redacted
	Cut       bool    `json:"cut,omitempty"`       // Body is not all of it
	Redacted  bool    `json:"redacted,omitempty"`  // something was taken out of Body
	Withheld  string  `json:"withheld,omitempty"`  // why there is no Body; empty: there is one, or there was none
}

// Field is one field of a head.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Get is the value of a field; empty: there is none.
func (s Side) Get(name string) string {
	for _, f := range s.Header {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Binary tells whether the body is no text.
func (s Side) Binary() bool {
	mediaType, _, _ := strings.Cut(s.MediaType, ";")
	switch strings.TrimSpace(mediaType) {
	case "application/vnd.kubernetes.protobuf", "application/cbor", "application/cbor-seq", "application/octet-stream":
		return true
	}
	return bytes.IndexByte(s.Body, 0) >= 0
}

// Word names a media type in a word where it has one.
func Word(contentType string) string {
	mediaType, parameters, _ := strings.Cut(contentType, ";")
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	for parameter := range strings.SplitSeq(parameters, ";") {
		if as, is := strings.CutPrefix(strings.TrimSpace(parameter), "as="); is {
			return as
		}
	}
	switch mediaType {
	case "application/json":
		return "JSON"
	case "application/vnd.kubernetes.protobuf":
		return "Protobuf"
	case "application/cbor", "application/cbor-seq":
		return "CBOR"
	case "application/yaml":
		return "YAML"
	case "text/plain":
		return "text"
	}
	return mediaType
}

// Known is a Word that is refined by how the body begins. API servers answer Tables and metadata alone as application/json, with
// the kind as the first field.
func Known(word string, start []byte) string {
	if word != "JSON" {
		return word
	}
	start = start[:min(len(start), 96)]
	for kind, known := range map[string]string{`"kind":"Table"`: "Table", `"kind":"PartialObjectMetadata`: "metadata only"} {
		if bytes.Contains(start, []byte(kind)) {
			return known
		}
	}
	return word
}
