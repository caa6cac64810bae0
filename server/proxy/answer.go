package proxy

import (
	"mime"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// notForwarded are answer fields by which an API server, or whoever poses as one, would act on our own origin:
// set cookies, send the browser elsewhere, ask for a password, open our origin to others.
var notForwarded = map[string]bool{
	"Set-Cookie": true, "Set-Cookie2": true, "Location": true, "Refresh": true, "Alt-Svc": true, "Link": true,
	"Strict-Transport-Security": true, "Public-Key-Pins": true, "Clear-Site-Data": true, "Service-Worker-Allowed": true,
	"Www-Authenticate": true, "Proxy-Authenticate": true, "Sourcemap": true, "X-Sourcemap": true, "Nel": true, "Report-To": true,
	"Reporting-Endpoints": true, "Content-Security-Policy": true, "Content-Security-Policy-Report-Only": true,
	"X-Content-Type-Options": true, "X-Frame-Options": true, "Permissions-Policy": true, "Referrer-Policy": true,
	"Timing-Allow-Origin": true, "Origin-Agent-Cluster": true, "Speculation-Rules": true,
}

var notForwardedBelow = []string{"Access-Control-", "Cross-Origin-", ownFields}

var noStore = []string{"no-store"}

// sandbox makes a browser treat an answer that is opened as a page as text from a stranger: it runs nothing, loads
// nothing, and has an origin of its own.
const sandbox = "sandbox; default-src 'none'; frame-ancestors 'none'"

// incoming puts what of the API server's header goes to the client into dst.
func incoming(dst, src http.Header, p apipath.Path, hasBody bool) {
	named := connectionNames(src)
	for name, values := range src {
		if !hopByHop[name] && !named[name] && forwarded(name) {
			dst[name] = values
		}
	}
	if length, ok := src["Content-Length"]; ok {
		dst["Content-Length"] = length
	}
	if types, given := src["Content-Type"]; given || hasBody {
		dst["Content-Type"] = contentType(types)
	}
	dst["X-Content-Type-Options"] = nosniff
	dst["Content-Security-Policy"] = sandboxed
	if p.IsWorkloadProxy() {
		dst["Content-Disposition"] = attachment
	}
}

// forwarded tells whether a field of an answer, at its head or at its end, may go to the client.
func forwarded(name string) bool {
	if strings.IndexByte(name, '_') >= 0 {
		name = spelled(name)
	}
	return !notForwarded[name] && !hasPrefix(name, notForwardedBelow)
}

// number tells the client which entry of the record the answer is. Only a tap can know.
func (p *Proxy) number(dst, src http.Header) {
	if p.opt.Tap != nil {
		dst[wiretap.EntryHeader] = src[wiretap.EntryHeader]
	}
}

// bodied tells whether an answer of this status may have a body, and thus needs a type.
func bodied(code int) bool {
	return code != http.StatusNoContent && code != http.StatusNotModified
}

// Shared values, so that an answer costs no slice each. They are never appended to.
var (
	nosniff    = []string{"nosniff"}
	sandboxed  = []string{sandbox}
	attachment = []string{"attachment"}
	plainText  = []string{"text/plain; charset=utf-8"}
)

func hasPrefix(name string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// contentType lets the API's own media types through and turns all others into text (case 11). An answer without
// a type becomes text too, lest net/http or a browser guesses one.
func contentType(values []string) []string {
	if len(values) != 1 {
		return plainText
	}
	if values[0] == "application/json" || inert(values[0]) {
		return values
	}
	return plainText
}

// inert media types are shown or saved by a browser, never run.
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

// openAPI types are matched by hand: one of them has an @, which package mime rightly finds wrong.
func openAPI(value string) bool {
	rest, ok := strings.CutPrefix(value, "application/com.github.proto-openapi.")
	if !ok || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789.@+") != "" {
		return false
	}
	return strings.HasSuffix(rest, "+protobuf")
}
