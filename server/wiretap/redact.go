package wiretap

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/server/redact"
)

// Redacted is the text in the place of a removed value.
const Redacted = record.Redacted

// shownHeaders is an allow-list. Of all other headers only the names are shown.
var shownHeaders = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Accept-Ranges": true, "Allow": true, "Audit-Id": true, "Cache-Control": true,
	"Connection": true, "Content-Disposition": true, "Content-Encoding": true, "Content-Length": true, "Content-Type": true,
	"Date": true, "Etag": true, "If-Match": true, "If-Modified-Since": true, "If-None-Match": true, "Kubectl-Command": true,
	"Last-Modified": true, "Range": true, "Retry-After": true, "Transfer-Encoding": true, "Upgrade": true, "User-Agent": true,
	"Vary": true, "Warning": true, "X-Content-Type-Options": true, "X-From-Cache": true,
	"X-Kubernetes-Pf-Flowschema-Uid": true, "X-Kubernetes-Pf-Prioritylevel-Uid": true, "X-Stream-Protocol-Version": true,
}

// fields are the headers that are kept, without the values that must not be kept.
type fields []struct {
	name   string
	values []string
}

// first is the first value of a header; empty: there is none.
func (f fields) first(name string) string {
	for _, one := range f {
		if one.name == name && len(one.values) > 0 {
			return one.values[0]
		}
	}
	return ""
}

var redacted = []string{Redacted}

// Bounds of what is kept of a head.
const (
	maxValue  = 1 << 10  // bytes of a value
	maxHead   = 8 << 10  // bytes of all values of a head
	maxFields = 64       // fields of a head
	maxTarget = 16 << 10 // bytes of a path, and of a query
)

const clipped = "… (cut)"

// clip bounds a text. The result must not keep the rest in memory.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + clipped
}

// bounded are the values of a field, no longer than may be kept.
func bounded(values []string) []string {
	total := 0
	for i, v := range values {
		total += min(len(v), maxValue)
		if len(v) > maxValue || total > maxHead {
			return clippedAll(values[:i+1])
		}
	}
	return values
}

func clippedAll(values []string) []string {
	kept := make([]string, len(values))
	for i, v := range values {
		kept[i] = clip(v, maxValue)
	}
	return kept
}

// redactHeader keeps the headers on the list. Warnings may quote a body, so they go where bodies are withheld.
func redactHeader(h http.Header, withheld bool) fields {
	kept := make(fields, 0, min(len(h), maxFields))
	left := maxHead
	for name, values := range h {
		if len(kept) == maxFields {
			break
		}
		if !shownHeaders[name] || withheld && name == "Warning" {
			values = redacted
		}
		values = bounded(values)
		for _, v := range values {
			left -= len(v)
		}
		if left < 0 {
			values = []string{clipped}
		}
		kept = append(kept, struct {
			name   string
			values []string
		}{clip(name, maxValue), values})
	}
	return kept
}

// weight is roughly what the fields take.
func (f fields) weight() (bytes int) {
	const each = 64
	for _, one := range f {
		bytes += each + len(one.name)
		for _, v := range one.values {
			if v != Redacted {
				bytes += len(v)
			}
		}
	}
	return bytes
}

func (f fields) header() http.Header {
	h := make(http.Header, len(f))
	for _, one := range f {
		values := make([]string, len(one.values))
		for i, v := range one.values {
			values[i] = redact.Text(v)
		}
		h[redact.Text(one.name)] = values
	}
	return h
}

// plainParameters are the parameters of a connection to a workload that contain none of its data.
var plainParameters = []string{"container", "stdin", "stdout", "stderr", "tty", "ports"}

// redactQuery hides anything named like a credential or shaped like one, and the parameters for a workload: a command may have
// passwords in its arguments.
func redactQuery(raw string, p apipath.Path) string {
	if raw == "" {
		return ""
	}
	if !p.Connects() {
		return redact.Query(raw, request.NamesCredential)
	}
	return redact.Query(raw, func(name string) bool { return !slices.Contains(plainParameters, name) })
}

// Path hides credentials in a path. The part after a proxy belongs to the workload, and a path outside of the API may contain anything: it isn't known.
func Path(escaped string, p apipath.Path, known bool) string {
	foreign := -1
	if !known || unknown(p) {
		foreign = 1
	}
	if p.Subresource == "proxy" {
		if at := strings.Index(escaped, "/proxy/"); at >= 0 {
			foreign = strings.Count(escaped[:at], "/") + 2
		}
	}
	return redact.Path(escaped, foreign)
}

// plainPaths are the first parts of paths that are no resources, and whose responses contain no secrets.
var plainPaths = []string{"version", "openapi", "healthz", "livez", "readyz", "metrics"}

// unknown tells whether a path is no resource, and its response could contain anything.
func unknown(p apipath.Path) bool {
	return p.Kind == apipath.KindNonResource && !slices.Contains(plainPaths, strings.SplitN(p.String()+"/", "/", 3)[1])
}

// withhold says why bodies of a request must not be kept; empty means that they may.
func withhold(p apipath.Path, known bool) string {
	switch {
	case !known:
		return "the path is not part of the API"
	case unknown(p):
		return "the response of this path could contain anything"
	case strings.HasSuffix(p.Resource, "secrets"):
		return "Secrets are not recorded"
	case p.OfTokens() || strings.HasSuffix(p.Resource, "tokens"):
		return "tokens are not recorded"
	case p.Connects():
		return fmt.Sprintf("the data of %s is not recorded", p.Subresource)
	}
	return ""
}
