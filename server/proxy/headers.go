package proxy

import (
	"net/http"
	"net/textproto"
	"strings"
)

// requestHeaders are the headers of a client's request that go to the API server, each with the reason. All other headers are
// dropped: nobody can list every header in which some server reads the name of a user, or another path (threat: smuggled
// identity). docs/decisions/0033 says which headers were left out, and why.
var requestHeaders = map[string]string{
	"Accept":                    "the API server chooses the media type by it",
	"Accept-Encoding":           "the API server compresses by it",
	"Content-Type":              "says what the body is",
	"Content-Encoding":          "says what the body is",
	"User-Agent":                "field managers and audit logs are named after it",
	"If-Match":                  "OpenAPI documents are served by http.ServeContent, which reads it",
	"If-None-Match":             "discovery and OpenAPI documents answer 304 by it",
	"If-Modified-Since":         "OpenAPI documents answer 304 by it",
	"If-Unmodified-Since":       "OpenAPI documents are served by http.ServeContent, which reads it",
	"If-Range":                  "OpenAPI documents are served by http.ServeContent, which reads it",
	"Range":                     "OpenAPI documents are served by http.ServeContent, which reads it",
	"Kubectl-Command":           "kubectl says which command sends the request",
	"Kubectl-Session":           "kubectl says which requests belong to one command",
	"Traceparent":               "the API server continues the trace of a controller",
	"Tracestate":                "the API server continues the trace of a controller",
	"X-Stream-Protocol-Version": "exec, attach and port-forward choose their protocol by it",
	"Sec-Websocket-Key":         "part of the WebSocket handshake",
	"Sec-Websocket-Version":     "part of the WebSocket handshake",
	"Sec-Websocket-Protocol":    "part of the WebSocket handshake; without the bearer token that it may hold",
	"Sec-Websocket-Extensions":  "part of the WebSocket handshake",
}

// ownHeaders are headers that the proxy itself puts on a request. A client can't set them.
var ownHeaders = map[string]bool{"Connection": true, "Upgrade": true, "Origin": true}

// ownFields is the prefix of the headers between Fieldmark and its own pages. The proxy passes them on in neither direction.
const ownFields = "Fieldmark-"

// codingHeader stands for Accept-Encoding in requests of our own pages: browsers set that header themselves, so a page
// can't choose between responses with and without compression.
const codingHeader = ownFields + "Accept-Encoding"

// rereadHeader says that a page of ours will read the response again from the wire log, so the wire log keeps more of it. A client that
// sends the header reaches nothing else: the record of a session stays within its bounds.
const rereadHeader = ownFields + "Reread"

// websocketBearer is the prefix of a bearer token in Sec-WebSocket-Protocol. The API server accepts tokens there, so the proxy
// removes them: a client must not act as another user.
const websocketBearer = "base64url.bearer."

// outgoing returns those of the client's headers that go to the API server. The map is new; it shares its values with h.
func outgoing(h http.Header) http.Header {
	out := make(http.Header, len(h)+2)
	for name, values := range h {
		if requestHeaders[name] != "" {
			out[name] = values
		}
	}
	if coding, asked := h[codingHeader]; asked {
		out["Accept-Encoding"] = coding
	}
	if _, given := out["User-Agent"]; !given {
		out["User-Agent"] = []string{""} // so that the transport adds no name: the API server names field managers after it
	}
	stripWebSocketBearer(out)
	return out
}

// unlisted is a header that must not be sent; empty if there is none.
func unlisted(h http.Header) string {
	for name := range h {
		if requestHeaders[name] == "" && !ownHeaders[name] {
			return name
		}
	}
	return ""
}

// impersonates tells whether the client wants to act as another user. If the proxy only dropped these headers, the request would
// have the rights of the context's own user, who often has more rights (threat: smuggled identity).
func impersonates(h http.Header) bool {
	for name := range h {
		if strings.HasPrefix(spelled(name), "Impersonate-") {
			return true
		}
	}
	return false
}

// spelled is a header's name as servers may read it: some read X_Remote_User as X-Remote-User.
func spelled(name string) string {
	if strings.IndexByte(name, '_') >= 0 {
		name = strings.ReplaceAll(name, "_", "-")
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

// connectionNames are the headers that a response declares hop-by-hop.
func connectionNames(h http.Header) map[string]bool {
	var named map[string]bool
	for _, value := range h["Connection"] {
		for _, token := range strings.Split(value, ",") {
			if name := textproto.TrimString(token); name != "" && !strings.EqualFold(name, "close") && !strings.EqualFold(name, "keep-alive") {
				if named == nil {
					named = map[string]bool{}
				}
				named[textproto.CanonicalMIMEHeaderKey(name)] = true
			}
		}
	}
	return named
}

func stripWebSocketBearer(h http.Header) {
	values, ok := h["Sec-Websocket-Protocol"]
	if !ok {
		return
	}
	var kept []string
	for _, value := range values {
		for _, token := range strings.Split(value, ",") {
			token = textproto.TrimString(token)
			if token != "" && !strings.HasPrefix(strings.ToLower(token), websocketBearer) {
				kept = append(kept, token)
			}
		}
	}
	delete(h, "Sec-Websocket-Protocol")
	if len(kept) > 0 {
		h["Sec-Websocket-Protocol"] = []string{strings.Join(kept, ", ")}
	}
}
