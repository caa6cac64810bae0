package lesson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/request"
)

// Recorded is the response of a server of one version to a request of the lesson. Learners whose server has another version compare their
// response with it. The checker compares it with a server of its own version, so it stays true.
type Recorded struct {
	Of      string          `json:"of"` // the request
	Version release.Version `json:"version"`
	Status  int             `json:"status"`
	Header  []Header        `json:"header,omitempty"`
	Body    string          `json:"body,omitempty"` // may have variables, as bodies of requests
}

// recordedHeaders are the headers that a recording has, in lower case. Others depend on the cluster, and not on the version.
var recordedHeaders = []string{"content-type", "retry-after", "warning"}

// IsRecorded tells whether a recording has a header.
func IsRecorded(name string) bool { return slices.Contains(recordedHeaders, strings.ToLower(name)) }

// Beside compares the recording, on the left, with a response. It fails if the recording needs a variable that has no value.
func (r Recorded) Beside(a Answer, vars Vars) (compare.Difference, error) {
	body, err := vars.Expand(r.Body)
	if err != nil {
		return compare.Difference{}, err
	}
	left := compare.Response{Status: r.Status, Header: ofVersion(r.Header), Body: []byte(body)}
	right := compare.Response{Status: a.Status, Header: ofVersion(a.Header), Body: a.Body, Cut: a.Open || a.Size > int64(len(a.Body))}
	return compare.Of(left, right), nil
}

func ofVersion(all []Header) []request.Header {
	var kept []request.Header
	for _, h := range all {
		if IsRecorded(h.Name) {
			kept = append(kept, request.Header(h))
		}
	}
	return kept
}

// Record writes a response as the text of a recording. The learner's namespace and letters become variables again.
func Record(a Answer, vars Vars) string {
	var b strings.Builder
	fmt.Fprintln(&b, a.Status)
	for _, h := range a.Header {
		if IsRecorded(h.Name) {
			fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
		}
	}
	body := bytes.TrimSpace(a.Body)
	var laid bytes.Buffer
	if json.Indent(&laid, body, "", "  ") == nil {
		body = laid.Bytes()
	}
	fmt.Fprintf(&b, "\n%s\n", body)
	text := b.String()
	for _, name := range Given { // the name of the namespace has the letters in it, so it is first
		if vars[name] != "" {
			text = strings.ReplaceAll(text, vars[name], "{{"+name+"}}")
		}
	}
	return text
}
