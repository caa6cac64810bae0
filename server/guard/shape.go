package guard

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Refusal is the response to a refused request. The zero value means that the request is not refused.
type Refusal struct {
	Code  int    // of the response
	Words string // whole sentences, which the sender reads
	// HangUp closes the connection, because the bytes that follow can't be trusted or are not wanted.
	HangUp bool
	// Wait is after how long the client may try again; zero: the response doesn't say.
	Wait time.Duration
}

func (r Refusal) yes() bool { return r.Code != 0 }

func refuse(code int, words string) Refusal { return Refusal{Code: code, Words: words} }

func hangUp(code int, words string) Refusal { return Refusal{Code: code, Words: words, HangUp: true} }

// shape checks the form of the request, before its sender is identified.
func (g *Guard) shape(r *http.Request) Refusal {
	if why := smuggles(r); why != "" {
		return hangUp(http.StatusBadRequest, why)
	}
	switch {
	case doubled(r):
		return refuse(http.StatusBadRequest, "The request has two hosts or two lengths, so it is ambiguous.")
	case afterUpgrade(r):
		return hangUp(http.StatusBadRequest, "This connection waits for an upgrade, so it accepts no other request.")
	case r.Method == http.MethodConnect || r.Method == http.MethodTrace:
		return hangUp(http.StatusMethodNotAllowed, fmt.Sprintf("Fieldmark is not a forward proxy, so it refuses %s.", r.Method))
	case !strings.HasPrefix(r.RequestURI, "/"):
		return hangUp(http.StatusBadRequest, "The request target must be a path, not a whole URL.")
	case !g.hostAllowed(r.Host):
		return hangUp(http.StatusForbidden, "Fieldmark doesn't accept this Host header. "+g.openInstead())
	}
	if no := connectionShape(r); no.yes() {
		return no
	}
	if no := upgradeShape(r); no.yes() {
		return no
	}
	return pathShape(r)
}

// openInstead says at which address Fieldmark can be used.
func (g *Guard) openInstead() string {
	if g.opt.Public != nil {
		return "Open " + g.opt.Public.String() + ", or change --public-url."
	}
	return "Open the address that Fieldmark printed when it started."
}

// hopByHop are the names that a Connection header may have: its own options, and the headers that belong to one connection
// (RFC 9110, section 7.6.1, and what older programs still send).
var hopByHop = map[string]bool{
	"close": true, "keep-alive": true, "proxy-connection": true, "upgrade": true, "te": true, "trailer": true, "trailers": true,
	"transfer-encoding": true, "http2-settings": true, "proxy-authenticate": true, "proxy-authorization": true,
}

// connectionShape refuses a Connection header that names any other header. A proxy drops the headers that are named there. So
// the request that is sent would lack headers that were checked, such as Content-Type (threat: hop-by-hop smuggling).
func connectionShape(r *http.Request) Refusal {
	for _, value := range r.Header["Connection"] {
		for name := range strings.SplitSeq(value, ",") {
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" && !hopByHop[name] {
				return hangUp(http.StatusBadRequest, "The Connection header names a header that is not hop-by-hop. "+
					"Proxies would drop the named header. Remove its name from Connection.")
			}
		}
	}
	return Refusal{}
}

// doubled finds two errors in HTTP/2 requests that net/http refuses only in HTTP/1.1: a header Host that differs from :authority, and
// more than one Content-Length.
func doubled(r *http.Request) bool {
	return r.ProtoMajor > 1 && (len(r.Header["Host"]) > 0 && (len(r.Header["Host"]) > 1 || r.Header["Host"][0] != r.Host) || len(r.Header["Content-Length"]) > 1)
}

// upgradeShape allows only the upgrades that the API uses. With h2c, a client could send HTTP/2 requests inside the connection, and
// nobody would check them (threat: request smuggling).
func upgradeShape(r *http.Request) Refusal {
	values, given := r.Header["Upgrade"]
	if !given {
		return Refusal{}
	}
	const known = "Fieldmark upgrades connections only to websocket and, for API requests, to SPDY/3.1."
	if len(values) != 1 || r.ProtoMajor != 1 || !hasToken(r.Header["Connection"], "upgrade") {
		return hangUp(http.StatusBadRequest, known)
	}
	websocket := strings.EqualFold(values[0], "websocket")
	spdy := strings.EqualFold(values[0], "SPDY/3.1") && strings.HasPrefix(r.URL.Path, clusters)
	if !websocket && !spdy {
		return hangUp(http.StatusBadRequest, known)
	}
	if r.ContentLength != 0 {
		return hangUp(http.StatusBadRequest, "A request that upgrades its connection must not have a body.")
	}
	return Refusal{}
}

func hasToken(values []string, token string) bool {
	for _, value := range values {
		for _, one := range strings.Split(value, ",") {
			if strings.EqualFold(strings.TrimSpace(one), token) {
				return true
			}
		}
	}
	return false
}

const clusters = "/clusters/"

// pathShape refuses ambiguous paths, of pages too (threat: ambiguous path). For an API request it checks the API path inside the
// path. The API path of a page is checked where the page is made.
func pathShape(r *http.Request) Refusal {
	escaped := r.URL.EscapedPath()
	if len(escaped) > apipath.MaxPath {
		return refuse(http.StatusRequestURITooLong, fmt.Sprintf("The path of this URL is too long. Fieldmark accepts at most %d bytes.", apipath.MaxPath))
	}
	if err := unambiguous(escaped); err != nil {
		return refuse(http.StatusBadRequest, "This URL is ambiguous: "+err.Error()+".")
	}
	if !strings.HasPrefix(escaped, clusters) {
		return onePlainPath(r.URL, escaped)
	}
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
		return refuse(http.StatusBadRequest, "The query is ambiguous: "+err.Error()+".")
	}
	return Refusal{}
}

// unambiguous checks a path as a whole. What is in it after the name of a cluster is checked as an API path, because the names of objects may
// have characters that no other part of a path may have.
func unambiguous(escaped string) error {
	own, api := escaped, ""
	for _, prefix := range []string{clusters, pages} {
		if after, ok := apiPart(escaped, prefix); ok && !strings.HasPrefix(escaped, prefix+"/") {
			own, api = strings.TrimSuffix(escaped, after), after
		}
	}
	if _, err := apipath.Parse(own); err != nil || api == "" {
		return err
	}
	_, err := apipath.Parse(api)
	return err
}

// pages is the prefix of pages. Their paths contain API paths, whose names may need unusual escapes.
const pages = "/c/"

// onePlainPath refuses unusual escapes in all other paths. The guard reads the decoded path, and the router the escaped one:
// /%73tatic/x would be a public file for the guard, and a page for the router.
func onePlainPath(u *url.URL, escaped string) Refusal {
	if u.RawPath == "" || strings.HasPrefix(escaped, pages) {
		return Refusal{}
	}
	plain := (&url.URL{Path: u.Path}).EscapedPath()
	return refuse(http.StatusBadRequest, "This URL is ambiguous, because its path escapes characters that need no escape. Write "+plain+" instead.")
}

// apiPart is the API path inside /clusters/{cluster}/….
func apiPart(escaped, prefix string) (string, bool) {
	after, ok := strings.CutPrefix(escaped, prefix)
	if !ok {
		return "", false
	}
	if at := strings.IndexByte(after, '/'); at >= 0 {
		return after[at:], true
	}
	return "/", true
}
