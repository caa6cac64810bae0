package wiretap

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Redacted stands where a value was taken out.
const Redacted = "[redacted]"

// shownHeaders is an allow-list: a header that nobody has thought about is shown by name only.
var shownHeaders = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Allow": true, "Audit-Id": true, "Cache-Control": true,
	"Connection": true, "Content-Disposition": true, "Content-Encoding": true, "Content-Length": true, "Content-Type": true,
	"Date": true, "Etag": true, "If-Match": true, "If-Modified-Since": true, "If-None-Match": true, "Kubectl-Command": true,
	"Last-Modified": true, "Range": true, "Retry-After": true, "Transfer-Encoding": true, "Upgrade": true, "User-Agent": true,
	"Vary": true, "Warning": true, "X-Content-Type-Options": true, "X-From-Cache": true,
	"X-Kubernetes-Pf-Flowschema-Uid": true, "X-Kubernetes-Pf-Prioritylevel-Uid": true, "X-Stream-Protocol-Version": true,
}

// fields is a header as it is kept: cheap to take, and without the values that must not be kept.
type fields []struct {
	name   string
	values []string
}

var redacted = []string{Redacted}

func redactHeader(h http.Header) fields {
	kept := make(fields, 0, len(h))
	for name, values := range h {
		if !shownHeaders[name] {
			values = redacted
		}
		kept = append(kept, struct {
			name   string
			values []string
		}{name, values})
	}
	return kept
}

func (f fields) header() http.Header {
	h := make(http.Header, len(f))
	for _, one := range f {
		h[one.name] = slices.Clone(one.values)
	}
	return h
}

// redactQuery keeps what the API itself defines harmless and hides anything named like a credential.
func redactQuery(raw string) string {
	if !suspicious(raw) {
		return raw
	}
	query, err := url.ParseQuery(raw)
	if err != nil {
		return Redacted
	}
	for name := range query {
		if suspicious(name) {
			query.Set(name, Redacted)
		}
	}
	return query.Encode()
}

var credentialWords = []string{"token", "secret", "password", "passwd", "credential", "authorization", "api_key", "apikey", "access_key", "signature"}

func suspicious(s string) bool {
	if s == "" {
		return false
	}
	s = strings.ToLower(s)
	if strings.Contains(s, "%") { // a name may be escaped to hide from us
		if plain, err := url.QueryUnescape(s); err == nil {
			s = plain
		}
	}
	for _, word := range credentialWords {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// withhold says why bodies of a request must not be kept; empty means that they may.
func withhold(p apipath.Path, known bool) string {
	switch {
	case !known:
		return "the path is not one of the API's"
	case p.Resource == "secrets":
		return "Secrets are not recorded"
	case p.Subresource == "token" || p.Resource == "tokenreviews" || p.Resource == "tokenrequests":
		return "tokens are not recorded"
	case p.Connects():
		return "what passes through " + p.Subresource + " is not recorded"
	}
	return ""
}
