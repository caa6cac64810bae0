// Package record is a recorded request to an API server, as the wire log shows it. It makes no requests and records nothing itself.
//
//   - Line is a request in one line, and changes while the request runs. Filter selects lines.
//   - Entry is a request with its headers and bodies, as far as they were kept: credentials and secrets are redacted, and long bodies cut.
//   - WriteHAR writes entries as an HTTP archive. Laid lays out a body that is JSON.
package record

import (
	"bytes"
	"net/url"
	"strings"
	"time"
)

// Redacted replaces a value that was removed.
const Redacted = "[redacted]"

// Origins: who a request was made for.
const (
	Page  = "page"  // the server, to render a page
	Relay = "relay" // the server, for a watch that a page follows
	Scan  = "scan"  // the server, for a scan of many types
	Check = "check" // the server, to check that a page may follow a watch that people share
	// Browser and Client are clients of the proxy.
	Browser = "browser" // a page itself, in the browser
	Client  = "client"  // kubectl, curl, and other programs
)

// Origins are the origins that users can choose, in the order in which they meet them. Check isn't one of them: it exists only where people
// share watches.
var Origins = []string{Page, Browser, Relay, Scan, Client}

// Line is a request and its response in one line. While the request runs, the line changes.
type Line struct {
	ID        uint64 `json:"id"`
	At        int64  `json:"at"`              // when it began, in microseconds since 1970
	First     int64  `json:"first,omitempty"` // microseconds until the headers of the response; 0: there is no response yet
	Took      int64  `json:"took,omitempty"`  // microseconds in all; 0 while the request runs
	Done      bool   `json:"done,omitempty"`
	Origin    string `json:"origin"`
	Method    string `json:"method"`
	Verb      string `json:"verb"` // the API verb
	Path      string `json:"path"` // canonical, escaped
	Query     string `json:"query,omitempty"`
	Status    int    `json:"status,omitempty"`    // 0: there is no response, or not yet
	MediaType string `json:"mediaType,omitempty"` // of the response, in one word if there is one (see Word)
	Sent      int64  `json:"sent,omitempty"`      // bytes of the request's body
	Got       int64  `json:"got,omitempty"`       // bytes of the response's body, on the wire
	Coding    string `json:"coding,omitempty"`    // how the response's body was compressed; empty: not at all
	Unpacked  int64  `json:"unpacked,omitempty"`  // bytes of a compressed body, decompressed; 0: unknown
	Events    int64  `json:"events,omitempty"`    // of a watch, until now
	Warnings  int    `json:"warnings,omitempty"`
	Error     string `json:"error,omitempty"` // why there is no response, or only a part of it
}

// Passed tells whether a page or a program sent the request through the proxy. Fieldmark sent the others by itself.
func (l Line) Passed() bool { return l.Origin == Browser || l.Origin == Client }

// Began is when the request was made.
func (l Line) Began() time.Time { return time.UnixMicro(l.At) }

// Lasted is how long the request took, or has taken until now.
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

// Readable is the target. Its query is escaped only where necessary.
func (l Line) Readable() string {
	if l.Query == "" {
		return l.Path
	}
	if plain, err := url.QueryUnescape(l.Query); err == nil {
		return l.Path + "?" + plain
	}
	return l.Target()
}

// Streams tells whether the response has no end of its own.
func (l Line) Streams() bool { return l.Verb == "watch" }

// Decoded is the number of bytes in the response's body after decompression; ok is false if it is unknown.
func (l Line) Decoded() (n int64, ok bool) {
	if l.Coding == "" {
		return l.Got, true
	}
	return l.Unpacked, l.Unpacked > 0
}

// Entry is a request with its headers and bodies, as far as they were kept.
type Entry struct {
	Line

	Server  string   `json:"server"`            // scheme and host of the API server
	Proto   string   `json:"proto,omitempty"`   // HTTP version
	Warned  []string `json:"warned,omitempty"`  // the Warning headers of the response
	Request Side     `json:"request"`           // the sent part
	Answer  Side     `json:"answer"`            // the response
	Cap     int      `json:"cap,omitempty"`     // the maximum number of bytes that are kept of a body
	Cluster string   `json:"cluster,omitempty"` // the slug of the cluster
}

// Side is one direction of a request.
type Side struct {
	MediaType string  `json:"mediaType,omitempty"` // from the header Content-Type
	Header    []Field `json:"header,omitempty"`    // sorted by name; secret values are redacted
	Bytes     int64   `json:"bytes,omitempty"`     // of the body, on the wire
	Body      []byte  `json:"body,omitempty"`      // the part that was kept, decompressed and redacted
	Cut       bool    `json:"cut,omitempty"`       // Body is only the beginning
	Redacted  bool    `json:"redacted,omitempty"`  // values of Body were removed
	Withheld  string  `json:"withheld,omitempty"`  // why Body wasn't kept; empty: it was kept, or there was none
}

// Field is one header.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Get is the value of a header; empty: there is none.
func (s Side) Get(name string) string {
	for _, f := range s.Header {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Binary tells whether the body is binary.
func (s Side) Binary() bool {
	mediaType, _, _ := strings.Cut(s.MediaType, ";")
	switch strings.TrimSpace(mediaType) {
	case "application/vnd.kubernetes.protobuf", "application/cbor", "application/cbor-seq", "application/octet-stream":
		return true
	}
	return bytes.IndexByte(s.Body, 0) >= 0
}

// Word is a short name for a media type: JSON, Protobuf. A media type without one is returned unchanged.
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

// Known is a Word that is more exact, judged by the beginning of the body. API servers send Tables, and metadata only, as
// application/json. Their kind is the first field.
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
