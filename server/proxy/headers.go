package proxy

import (
	"net/http"
	"net/textproto"
	"strings"
)

// hopByHop fields belong to one connection; RFC 9110, section 7.6.1, and what older agents still send.
var hopByHop = map[string]bool{
	"Connection": true, "Proxy-Connection": true, "Keep-Alive": true, "Te": true, "Trailer": true,
	"Transfer-Encoding": true, "Upgrade": true, "Http2-Settings": true, "Expect": true,
	// The length travels as the request's own field, so that body and head can't disagree.
	"Content-Length": true,
}

// ours are fields that speak about who is asking, or that are about Fieldmark and not about the API server.
// A client that could set one would act as somebody else (case 5), or hand our cookie to the cluster.
var ours = map[string]bool{
	"Authorization": true, "Cookie": true, "Cookie2": true, "Forwarded": true, "X-Real-Ip": true, "Via": true,
	"Origin": true, "Referer": true, "Host": true,
	"X-Http-Method": true, "X-Http-Method-Override": true, "X-Method-Override": true,
}

var oursBelow = []string{"Impersonate-", "X-Remote-", "X-Forwarded-", "Proxy-", "Sec-Fetch-", "Sec-Ch-", ownFields}

// ownFields are those by which Fieldmark and its pages talk to each other. They go no further in either direction.
const ownFields = "Fieldmark-"

// websocketBearer is how a browser would hand a bearer token to the API server during a WebSocket handshake:
// one more way to act as somebody else.
const websocketBearer = "base64url.bearer."

// outgoing is what of the client's header goes upstream. It is a new map that shares values with h.
func outgoing(h http.Header) http.Header {
	out := make(http.Header, len(h)+2)
	for name, values := range h {
		if passes(name) {
			out[name] = values
		}
	}
	if coding, asked := h[codingHeader]; asked {
		out["Accept-Encoding"] = coding
	}
	stripWebSocketBearer(out)
	return out
}

// codingHeader stands for Accept-Encoding in requests of our own pages: browsers set that field themselves, and a page that compares
// answers with and without compression could not ask for either.
const codingHeader = "Fieldmark-Accept-Encoding"

// impersonates tells whether the client asks to act as somebody else. Dropping that silently would answer it with the
// rights of the context's own user, who is often the more powerful one (case 5).
func impersonates(h http.Header) bool {
	for name := range h {
		if strings.HasPrefix(spelled(name), "Impersonate-") {
			return true
		}
	}
	return false
}

// spelled is a field's name as servers read it: X_Remote_User is X-Remote-User to some.
func spelled(name string) string {
	if strings.IndexByte(name, '_') >= 0 {
		name = strings.ReplaceAll(name, "_", "-")
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

func passes(name string) bool {
	plain := spelled(name)
	if hopByHop[plain] || ours[plain] {
		return false
	}
	for _, prefix := range oursBelow {
		if strings.HasPrefix(plain, prefix) {
			return false
		}
	}
	return true
}

// connectionNames are the headers that an answer declares hop-by-hop.
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
