package compare

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/compare/objects"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/draft"
)

// Result has both responses and their differences. It has no secret values, because the server writes it into the document.
type Result struct {
	Draft   draft.Draft         `json:"draft"` // the request that was sent, without its body
	Sides   [2]Side             `json:"sides"`
	There   string              `json:"there,omitempty"` // the path of the second request, if it isn't that of the first
	Found   *compare.Difference `json:"found,omitempty"` // nil: a server sent no response
	Pair    *objects.Pair       `json:"pair,omitempty"`  // nil: the responses aren't two objects
	Stopped bool                `json:"stopped,omitempty"`
}

// Side is one of the two responses.
type Side struct {
	Name   string             `json:"name"` // of the cluster
	Call   call.Call          `json:"call"` // without the bodies of the request and of the response
	Notice *components.Notice `json:"notice,omitempty"`
	Cut    bool               `json:"cut,omitempty"` // only the beginning of the body is compared
}

// Settle is the result of two calls that have ended. A notice says why a call has no response, if that is known.
func (m Model) Settle(calls [2]call.Call, notices [2]*components.Notice) *Result {
	r := &Result{Draft: m.Draft, There: m.There}
	r.Draft.Body = ""
	var responses [2]compare.Response
	for i, x := range &calls {
		s := Side{Name: m.name(i), Cut: int64(len(x.Kept)) < x.Bytes || x.State != call.Whole, Notice: notices[i]}
		x.Answer = ofServer(x.Answer)
		responses[i] = compare.Response{Status: x.Status, Header: x.Answer, Body: x.Kept, Cut: s.Cut, Secret: m.draft(i).Secret()}
		switch no := x.No(); {
		case s.Notice != nil:
		case no != nil && x.Away():
			x.Status = 0
			s.Notice = &components.Notice{
				Tone: components.Bad, Title: "No response from the API server", Words: "Fieldmark, or a proxy before the API server, responded instead.", Quoted: no.Message,
			}
		case no != nil:
			meaning := call.Meaning(no)
			s.Notice = &meaning
		case x.Status == 0 && x.State != call.Canceled:
			none := call.NoResponse()
			s.Notice = &none
		}
		x.Kept, x.Body = nil, nil
		s.Call = x
		r.Sides[i] = s
	}
	if r.Sides[0].Call.Status > 0 && r.Sides[1].Call.Status > 0 {
		found := compare.Of(responses[0], responses[1])
		r.Found, r.Pair = &found, objects.Of(responses[0], responses[1])
	}
	return r
}

// passed are the headers of API servers that the proxy passes on unchanged. The page shows only these: other headers may be cookies of a load balancer,
// or Fieldmark's own.
var passed = []string{
	"accept-ranges", "allow", "audit-id", "content-encoding", "content-length", "content-range", "content-type", "date", "etag", "expires", "last-modified", "location",
	"retry-after", "vary", "warning", "x-kubernetes-pf-flowschema-uid", "x-kubernetes-pf-prioritylevel-uid",
}

// ofServer are the headers that the API server sent.
func ofServer(all []request.Header) []request.Header {
	var kept []request.Header
	for _, h := range all {
		if slices.Contains(passed, strings.ToLower(h.Name)) {
			kept = append(kept, h)
		}
	}
	return kept
}

// VersionPath is the path at which an API server tells its version.
const VersionPath = "/version"

// VersionOf reads the response at VersionPath: the version in the server's own words, or a sentence that says why it is unknown.
func VersionOf(status int, body []byte) string {
	var v struct{ GitVersion, Platform string }
	if status != 200 || json.Unmarshal(body, &v) != nil || v.GitVersion == "" {
		return unknownVersion
	}
	return strings.TrimSpace(v.GitVersion + " " + v.Platform)
}

const unknownVersion = "The server doesn’t tell its version."
