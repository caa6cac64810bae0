package proxy

import (
	"mime"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/server/wiretap"
)

// answerHeaders are the headers of a response that the client gets, each with the reason. All others are dropped. Browsers add new
// headers by which a response acts on its origin. An API server, or a program that pretends to be one, must not act on our origin
// (threat: hostile response). docs/decisions/0033 says what was left out, and why. Content-Type passes if it is one of the API's; see
// contentType.
var answerHeaders = map[string]string{
	"Content-Length":                      "tells a whole answer from half of one",
	"Content-Encoding":                    "says how to read the body",
	"Content-Range":                       "says which part of an OpenAPI document the body is",
	"Accept-Ranges":                       "says that parts of an OpenAPI document can be requested",
	"Date":                                "kubectl's cache counts ages from it",
	"Cache-Control":                       "kubectl's cache keeps discovery by it; browsers get no-store instead",
	"Expires":                             "kubectl's cache keeps OpenAPI documents by it",
	"Etag":                                "names the version of discovery and OpenAPI documents",
	"Last-Modified":                       "names the version of OpenAPI documents",
	"Vary":                                "keeps a cache from mixing media types and codings",
	"Allow":                               "a 405 says which methods there are",
	"Retry-After":                         "says when to try again",
	"Warning":                             "what the API server warns of",
	"Audit-Id":                            "names the request in the API server's audit log",
	"X-Kubernetes-Pf-Flowschema-Uid":      "says by which FlowSchema the request was queued",
	"X-Kubernetes-Pf-Prioritylevel-Uid":   "says by which PriorityLevelConfiguration the request was queued",
	"X-Stream-Protocol-Version":           "the protocol of exec, attach and port-forward that was chosen",
	"X-Accepted-Stream-Protocol-Versions": "the protocols of exec, attach and port-forward that the server has",
	"Sec-Websocket-Accept":                "part of the WebSocket handshake",
	"Sec-Websocket-Protocol":              "part of the WebSocket handshake",
	"Sec-Websocket-Extensions":            "part of the WebSocket handshake",
	"Sec-Websocket-Version":               "a refused WebSocket handshake says which versions there are",
}

// answerTrailers are the headers that may come after a body. A header that says how to read the body would be too late there.
// API servers send no trailers at all.
var answerTrailers = map[string]string{
	"Warning": "what the API server warns of, when it finds out late",
}

var noStore = []string{"no-store"}

// sandbox isolates a response that is opened as a page in a browser: it runs no script, loads nothing, and has an origin of its
// own.
const sandbox = "sandbox; default-src 'none'; frame-ancestors 'none'"

// incoming copies the headers of the API server's response that the client may have to dst.
func incoming(dst http.Header, resp *http.Response, c *call) {
	forward(dst, resp.Header)
	if types, given := resp.Header["Content-Type"]; given || bodied(resp.StatusCode) {
		dst["Content-Type"] = contentType(types)
	}
	if there := c.location(resp); there != "" {
		dst["Location"] = []string{there}
	}
	dst["X-Content-Type-Options"] = nosniff
	dst["Content-Security-Policy"] = sandboxed
	if c.path.IsWorkloadProxy() {
		dst["Content-Disposition"] = attachment
	}
}

// forward puts the headers that may go to the client into dst, without those that belong to one connection.
func forward(dst, src http.Header) {
	named := connectionNames(src)
	for name, values := range src {
		if answerHeaders[name] != "" && !named[name] {
			dst[name] = values
		}
	}
	if length, ok := src["Content-Length"]; ok {
		dst["Content-Length"] = length
	}
}

// number tells the client the number of the request in the wire log. Only a tap knows this number.
func (p *Proxy) number(dst, src http.Header) {
	if p.opt.Tap != nil {
		dst[wiretap.EntryHeader] = src[wiretap.EntryHeader]
	}
}

// bodied tells whether a response with this status code may have a body, and so needs a Content-Type.
func bodied(code int) bool {
	return code != http.StatusNoContent && code != http.StatusNotModified
}

// Shared values, so that a response allocates no slices. They are never appended to.
var (
	nosniff    = []string{"nosniff"}
	sandboxed  = []string{sandbox}
	attachment = []string{"attachment"}
	plainText  = []string{"text/plain; charset=utf-8"}
)

// contentType passes the API's own media types, and replaces all others by text (threat: hostile response). A response without a
// type becomes text, too, so that neither net/http nor a browser guesses one.
func contentType(values []string) []string {
	if len(values) != 1 {
		return plainText
	}
	if values[0] == "application/json" || inert(values[0]) {
		return values
	}
	return plainText
}

// inert tells whether browsers only show or save this media type, and never run it.
func inert(value string) bool {
	if openAPI(value) {
		return true
	}
	media, params, err := mime.ParseMediaType(value)
	if err != nil {
		return false
	}
	switch media {
	case "application/json", "application/yaml", "application/cbor", "application/cbor-seq", "application/octet-stream",
		"application/vnd.kubernetes.protobuf", "application/openmetrics-text", "application/vnd.google.protobuf",
		"application/jwk-set+json", "application/jwt", "text/event-stream":
		return true
	case "text/plain":
		charset, given := params["charset"]
		return !given || strings.EqualFold(charset, "utf-8")
	}
	return false
}

// openAPI matches the media types of OpenAPI without package mime, which correctly rejects the @ in one of them.
func openAPI(value string) bool {
	rest, ok := strings.CutPrefix(value, "application/com.github.proto-openapi.")
	if !ok || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789.@+") != "" {
		return false
	}
	return strings.HasSuffix(rest, "+protobuf")
}
