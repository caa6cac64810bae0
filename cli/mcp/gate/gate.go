// Package gate lets only reads and dry runs through to an API server.
//
//	tools of an assistant,
//	language server ─────────▶ any client ──▶ Gate ──┬─▶ GET, HEAD ────────────────────────────┐
//	                                                 ├─▶ POST, PUT, PATCH, DELETE: dryRun=All ─┼─▶ API server
//	                                                 └─▶ all else: an error, not a byte is sent
//
// A Gate is a transport, so it judges a request in the form in which the request would leave the program. Whoever holds only a Gate can't write to a
// cluster. Reviews of permissions are dry runs, too: Fieldmark sends them with dryRun=All.
package gate

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// MaxBody is how much of a response is read, in bytes. Watches are read without a bound, because their callers read them line by line.
const MaxBody = 64 << 20

// Gate is a transport that sends only reads and dry runs to one API server.
type Gate struct {
	base *url.URL
	next http.RoundTripper
}

// New makes a Gate in front of a transport. base is the address of the API server. It may have a path.
func New(base *url.URL, next http.RoundTripper) *Gate { return &Gate{base, next} }

// RefusedError is a request that a Gate didn't send.
type RefusedError struct{ Why string }

// Error says why.
func (e *RefusedError) Error() string {
	return "Fieldmark sends only reads and dry runs here: " + e.Why
}

// RoundTrip sends a request, or refuses it.
func (g *Gate) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.judge(r); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // a transport must close it
		}
		return nil, err
	}
	response, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if !r.URL.Query().Has("watch") {
		response.Body = bounded{io.LimitReader(response.Body, MaxBody), response.Body}
	}
	return response, nil
}

type bounded struct {
	io.Reader
	io.Closer
}

// judge is the reason for which a request isn't sent; nil: the request is a read or a dry run.
func (g *Gate) judge(r *http.Request) error {
	if r.URL.Host != g.base.Host || r.URL.Scheme != g.base.Scheme || r.Host != "" && r.Host != g.base.Host {
		return &RefusedError{"the request is for another server"}
	}
	rest, under := strings.CutPrefix(r.URL.EscapedPath(), strings.TrimSuffix(g.base.EscapedPath(), "/"))
	if !under || !strings.HasPrefix(rest, "/") {
		return &RefusedError{"the path isn't one of the API"}
	}
	p, err := apipath.Parse(rest)
	switch {
	case err != nil:
		return &RefusedError{err.Error()}
	case p.Connects(), p.IsWorkloadProxy():
		return &RefusedError{"a request to the subresource " + p.Subresource + " reaches a workload"}
	case p.Watch:
		return &RefusedError{"the path is deprecated"}
	case r.Header.Get("Upgrade") != "" || r.Header.Get("Connection") != "":
		return &RefusedError{"connections aren't upgraded"}
	case r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == "":
		return nil
	}
	return triesOnly(r, p)
}

// tried are the subresources that honor dryRun.
var tried = map[string]bool{"": true, "status": true, "scale": true}

// triesOnly requires that a request which isn't a read is a dry run.
func triesOnly(r *http.Request, p apipath.Path) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	dry := query["dryRun"]
	switch {
	case err != nil:
		return &RefusedError{"the query is ambiguous"}
	case !p.IsResource() || !tried[p.Subresource] || p.OfTokens():
		return &RefusedError{"the path has no dry runs"}
	case len(dry) != 1 || dry[0] != "All":
		return &RefusedError{fmt.Sprintf("a %.16q without dryRun=All writes", r.Method)}
	case r.Method == http.MethodDelete:
		if r.Body != nil && r.Body != http.NoBody || r.ContentLength != 0 {
			return &RefusedError{"the body of a DELETE overrides dryRun"}
		}
		return nil
	case r.Method == http.MethodPost, r.Method == http.MethodPut, r.Method == http.MethodPatch:
		return nil
	}
	return &RefusedError{fmt.Sprintf("the method %.16q isn't one of the API", r.Method)}
}
