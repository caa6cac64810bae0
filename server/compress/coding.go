package compress

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/static"
)

// Coding is the content coding of a document for a request; empty: none.
func Coding(r *http.Request, shared bool) string {
	if !shared && onThisMachine(r) || !unled(r.Header) || directs(r.Header, "no-transform") {
		return ""
	}
	return static.Coding(strings.Join(r.Header.Values("Accept-Encoding"), ","), codingZstd, codingGzip)
}

// forwarding are headers of proxies.
var forwarding = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"}

// onThisMachine tells whether the client is on this machine. Between programs of one machine, compressing takes longer than sending. If a proxy on
// this machine passes a request on, its client can be anywhere. A client that lies about that only gets its document in another coding.
func onThisMachine(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback() && !slices.ContainsFunc(forwarding, func(name string) bool { return len(r.Header[name]) > 0 })
}

// unled tells whether no page of another site can have led the browser to this address (threat: compressed length). The browser itself says so: a page
// of Fieldmark or its reader sent the request. A page that another site opens, and that opens itself again, has the same origin, but then nobody has
// clicked. Programs and old browsers don't say anything, and get documents as they are.
func unled(h http.Header) bool {
	switch h.Get("Sec-Fetch-Site") {
	case "none":
		return true
	case "same-origin":
		return h.Get("Sec-Fetch-Mode") != "navigate" || h.Get("Sec-Fetch-User") == "?1"
	}
	return false
}

// compressible tells whether a response can be compressed on its way: it has a body, which is whole and has no coding yet.
func compressible(status int, h http.Header) bool {
	switch status {
	case http.StatusSwitchingProtocols, http.StatusNoContent, http.StatusResetContent, http.StatusPartialContent, http.StatusNotModified:
		return false
	}
	return h.Get("Content-Encoding") == "" && h.Get("Content-Range") == "" && h.Get("Etag") == "" && !directs(h, "no-transform")
}

// directs tells whether Cache-Control has a directive.
func directs(h http.Header, directive string) bool {
	for part := range strings.SplitSeq(strings.Join(h.Values("Cache-Control"), ","), ",") {
		if strings.EqualFold(strings.TrimSpace(part), directive) {
			return true
		}
	}
	return false
}
