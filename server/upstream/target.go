// Package upstream connects to one API server. It knows the server's address, adds the credentials of the context, and chooses the HTTP
// version that is faster for each request.
package upstream

import (
	"net/http"
	"net/url"
)

// Target is one API server as the rest of the server sees it.
type Target struct {
	// Base is the API server's URL: scheme, host, and a path prefix where the context has one.
	// It never ends in a slash.
	Base *url.URL
	// Transport sends a request that carries an absolute URL below Base. It adds the context's
	// credentials, follows no redirect and decompresses nothing.
	Transport http.RoundTripper

	closeIdle, cut func()
}

// Through is a target over another one's connections: via sends its requests. Cut calls end, and leaves the connections to their other
// users.
func Through(base *url.URL, via http.RoundTripper, end func()) *Target {
	return &Target{Base: base, Transport: via, cut: end}
}

// Close drops the connections that are idle now. It doesn't affect requests that are in progress.
func (t *Target) Close() {
	if t.closeIdle != nil {
		t.closeIdle()
	}
}

// Cut ends all streams and upgraded connections, and drops the connections that are idle. No stream begins after it. Requests with a
// single response may still finish.
func (t *Target) Cut() {
	t.Close()
	if t.cut != nil {
		t.cut()
	}
}
