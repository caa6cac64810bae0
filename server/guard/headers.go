package guard

import (
	"net/http"
	"strings"
)

// contentPolicy allows a page to load only from this server, and to run no inline scripts but one, by the hash of its text (threat: page policy).
func contentPolicy(inline string) string {
	scripts := strings.TrimSpace("script-src 'self' 'wasm-unsafe-eval' " + inline)
	return "default-src 'self'; " + scripts + "; style-src 'self'; img-src 'self' data:; " +
		"font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// Shared values: they are set on every response and never appended to.
var (
	hNosniff     = []string{"nosniff"}
	hNoReferrer  = []string{"no-referrer"}
	hSameOrigin  = []string{"same-origin"}
	hNoStore     = []string{"no-store"}
	hPermissions = []string{"camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=(), browsing-topics=()"}
)

// secureHeaders sets the headers of every response, with any status code. A handler may replace them.
func (g *Guard) secureHeaders(h http.Header, path string) {
	h["Content-Security-Policy"] = g.hPolicy
	h["X-Content-Type-Options"] = hNosniff
	h["Referrer-Policy"] = hNoReferrer
	h["Cross-Origin-Opener-Policy"] = hSameOrigin
	h["Cross-Origin-Resource-Policy"] = hSameOrigin
	h["Permissions-Policy"] = hPermissions
	if !strings.HasPrefix(path, "/static/") {
		h["Cache-Control"] = hNoStore
	}
}
