package guard

import (
	"net/http"
	"strings"
)

// contentPolicy lets a page load from us and from nowhere else, and run no script that stands in it (threat: page policy).
const contentPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// Shared values: they are set on every answer and never appended to.
var (
	hPolicy      = []string{contentPolicy}
	hNosniff     = []string{"nosniff"}
	hNoReferrer  = []string{"no-referrer"}
	hSameOrigin  = []string{"same-origin"}
	hNoStore     = []string{"no-store"}
	hPermissions = []string{"camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=(), browsing-topics=()"}
)

// secureHeaders go on every answer, whatever its status. A handler may replace them.
func secureHeaders(h http.Header, path string) {
	h["Content-Security-Policy"] = hPolicy
	h["X-Content-Type-Options"] = hNosniff
	h["Referrer-Policy"] = hNoReferrer
	h["Cross-Origin-Opener-Policy"] = hSameOrigin
	h["Cross-Origin-Resource-Policy"] = hSameOrigin
	h["Permissions-Policy"] = hPermissions
	if !strings.HasPrefix(path, "/static/") {
		h["Cache-Control"] = hNoStore
	}
}
