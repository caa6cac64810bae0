package upstream

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// maxInformational bounds the 1xx responses before the final one.
const maxInformational = 16

// encode writes the headers of a GET. Credentials are not entered into the table of headers that the people of a connection share.
func encode(e *hpack.Encoder, r *http.Request) {
	field := func(name, value string, secret bool) {
		_ = e.WriteField(hpack.HeaderField{Name: name, Value: value, Sensitive: secret}) // to memory
	}
	field(":authority", host(r), false)
	field(":method", r.Method, false)
	field(":path", r.URL.RequestURI(), false)
	field(":scheme", r.URL.Scheme, false)
	for name, values := range r.Header {
		lower := strings.ToLower(name)
		if framingField(name) || ofConnection(lower) {
			continue
		}
		for _, value := range values {
			if value != "" || name != "User-Agent" {
				field(lower, value, lower == "authorization" || lower == "cookie")
			}
		}
	}
}

// ofConnection tells whether a header is about an HTTP/1.1 connection, which HTTP/2 forbids.
func ofConnection(lower string) bool {
	switch lower {
	case "keep-alive", "proxy-connection", "te":
		return true
	}
	return false
}

// names are the canonical names of headers that a server sends again and again, so that they are kept once.
type names map[string]string

// maxNames bounds how many are kept.
const maxNames = 64

func (n names) canonical(name string) string {
	known, ok := n[name]
	if !ok {
		known = http.CanonicalHeaderKey(name)
		if len(n) < maxNames {
			n[name] = known
		}
	}
	return known
}

// errBadHead is the error of headers that no response may have.
var errBadHead = errors.New("the headers of the response are invalid")

// head handles the headers of a response, those of a 1xx response, or trailers.
func (t *trunk) head(f *http2.MetaHeadersFrame) {
	s := t.findStream(f.StreamID)
	if s == nil {
		return
	}
	code, err := strconv.Atoi(f.PseudoValue("status"))
	s.mu.Lock()
	first := !s.begun
	switch {
	case !first: // trailers
	case err != nil || code < 100 || f.Truncated || code == http.StatusSwitchingProtocols:
		err = errBadHead
	case code < http.StatusOK:
		if s.informed++; s.informed > maxInformational || f.StreamEnded() {
			err = errBadHead
		}
	default:
		s.resp, s.begun = t.response(s, f, code), true //nolint:bodyclose // for whoever gets it from RoundTrip
	}
	s.wake()
	s.mu.Unlock()
	switch {
	case first && err != nil, !first && !f.StreamEnded():
		t.refuse(f.StreamID, http2.ErrCodeProtocol)
	case f.StreamEnded():
		t.ended(s)
	}
}

func (t *trunk) response(s *flow, f *http2.MetaHeadersFrame, code int) *http.Response {
	fields := f.RegularFields()
	headers := make(http.Header, len(fields))
	values := make([]string, len(fields)) // in one piece
	for i, one := range fields {
		name := t.names.canonical(one.Name)
		if before := headers[name]; before != nil {
			headers[name] = append(before, one.Value)
			continue
		}
		values[i] = one.Value
		headers[name] = values[i : i+1 : i+1]
	}
	resp := &http.Response{
		Status: strconv.Itoa(code) + " " + http.StatusText(code), StatusCode: code, Proto: "HTTP/2.0", ProtoMajor: 2,
		Header: headers, ContentLength: -1, Body: s,
	}
	if length, err := strconv.ParseInt(headers.Get("Content-Length"), 10, 64); err == nil && length >= 0 {
		resp.ContentLength = length
	}
	if f.StreamEnded() {
		resp.Body, resp.ContentLength = http.NoBody, max(resp.ContentLength, 0)
	}
	return resp
}
