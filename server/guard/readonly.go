package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/guard/judged"
)

// readOnlyNo refuses a request that may change something. why is one or more whole sentences.
func readOnlyNo(why string) Refusal { return refuse(http.StatusForbidden, why) }

// onlyReads says why a session may not write; empty: it may.
func (g *Guard) onlyReads(s Session) string {
	if g.opt.ReadOnly {
		return "Fieldmark was started with --read-only."
	}
	return s.ReadOnly
}

// readOnly allows only reads and dry runs (threat: read-only mode). It judges what the API server will do with the request, which is
// not always what the query says.
func (g *Guard) readOnly(r *http.Request, p apipath.Path, s Session) Refusal {
	reason := g.onlyReads(s)
	if reason == "" {
		return Refusal{}
	}
	no := writes(r, p)
	if no.yes() {
		no.Words = reason + " " + no.Words
	}
	return no
}

// writes refuses a request that isn't a read or a dry run.
func writes(r *http.Request, p apipath.Path) Refusal {
	switch {
	case p.Connects():
		return readOnlyNo(fmt.Sprintf("A request to the subresource %s can change a workload, even a GET.", p.Subresource))
	case r.Header.Get("Upgrade") != "":
		return readOnlyNo("Upgraded connections are not allowed.")
	case reads(r.Method):
		return Refusal{}
	case !p.IsResource() || p.Watch:
		return readOnlyNo(fmt.Sprintf("The method %s is not allowed at this path.", r.Method))
	}
	return dryRun(r, p)
}

// DryRun tells whether the API server only tries a write, and stores nothing. It is for requests that the guard accepted. It reads the
// DeleteOptions of a DELETE, which decide more than the query, and puts them back.
func DryRun(r *http.Request, p apipath.Path) bool {
	if reads(r.Method) {
		return false
	}
	if r.Method != http.MethodDelete || r.Body == nil || r.ContentLength == 0 {
		no := writes(r, p)
		return !no.yes()
	}
	if r.ContentLength < 0 || r.ContentLength > maxDeleteOptions {
		return false
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		r.Body = io.NopCloser(broken{err})
		return false
	}
	r.Body = judged.Body(body)
	no := writes(r, p)
	r.Body = judged.Body(body)
	return !no.yes()
}

// broken is a body that could not be read.
type broken struct{ err error }

// Read implements io.Reader.
func (b broken) Read([]byte) (int, error) { return 0, b.err }

// dryRunnable are the subresources known to honour dryRun. Other subresources may be connections to workloads,
// which have effects whatever the query says.
var dryRunnable = map[string]bool{
	"": true, "status": true, "scale": true, "approval": true, "finalize": true, "binding": true,
	"eviction": true, "resize": true, "ephemeralcontainers": true,
}

func dryRun(r *http.Request, p apipath.Path) Refusal {
	if !dryRunnable[p.Subresource] {
		return readOnlyNo(fmt.Sprintf("Writing to %s/%s is not allowed, not even as a dry run.", p.Resource, p.Subresource))
	}
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		return dryRunQuery(r, true)
	case http.MethodDelete:
		return dryDelete(r)
	}
	return readOnlyNo(fmt.Sprintf("The method %s is not allowed.", r.Method))
}

// dryRunQuery requires dryRun=All exactly once. With two values, Fieldmark would have to guess which one the API server uses.
func dryRunQuery(r *http.Request, needed bool) Refusal {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return refuse(http.StatusBadRequest, "The query is ambiguous.")
	}
	values := query["dryRun"]
	switch {
	case len(values) == 1 && values[0] == "All", len(values) == 0 && !needed:
		return Refusal{}
	case len(values) == 0:
		return readOnlyNo("Only get, list, watch and dry runs (dryRun=All) are allowed.")
	}
	return readOnlyNo("The query must contain dryRun=All exactly once.")
}

// maxDeleteOptions is far above what DeleteOptions ever need.
const maxDeleteOptions = 64 << 10

// dryDelete checks a DELETE. If it has a body, the API server ignores the query, and the DeleteOptions in the body decide. So both must
// say dry run.
func dryDelete(r *http.Request) Refusal {
	if r.Body == nil || r.ContentLength == 0 {
		return dryRunQuery(r, true)
	}
	if no := dryRunQuery(r, false); no.yes() {
		return no
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" || len(r.Header["Content-Type"]) != 1 || r.Header.Get("Content-Encoding") != "" {
		return readOnlyNo("Fieldmark must read the DeleteOptions of a dry run. Send them as application/json.")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxDeleteOptions+1))
	if err != nil || len(body) > maxDeleteOptions {
		return refuse(http.StatusBadRequest, "Fieldmark can't read the DeleteOptions.")
	}
	_ = r.Body.Close()
	r.Body, r.ContentLength = judged.Body(body), int64(len(body))
	if !saysDryRun(body) {
		return readOnlyNo("The body of a DELETE must contain \"dryRun\": [\"All\"] exactly once.")
	}
	return Refusal{}
}

// saysDryRun requires exactly one top-level key dryRun, with the value ["All"]. It reads token by token:
// decoding into a struct would take "DRYRUN" for dryRun, which the API server does not, and would hide duplicates.
func saysDryRun(body []byte) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	found := 0
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false
		}
		if strings.EqualFold(name, "dryRun") {
			found++
			if name != "dryRun" || !isAll(value) {
				return false
			}
		}
	}
	if t, err := d.Token(); err != nil || t != json.Delim('}') {
		return false
	}
	_, err := d.Token()
	return found == 1 && err == io.EOF
}

func isAll(value json.RawMessage) bool {
	var list []string
	return json.Unmarshal(value, &list) == nil && len(list) == 1 && list[0] == "All"
}
