package chunk

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/watch"
)

// Phase is the state of a chunked list.
type Phase string

// The phases.
const (
	Ready   Phase = "ready"   // there are more chunks, or none has been requested
	Asking  Phase = "asking"  // a request is running
	Whole   Phase = "whole"   // the last chunk has arrived
	Expired Phase = "expired" // the token is too old: start over, or continue with the token that the server offers
	Refused Phase = "refused" // refused for another reason, or the response can't be read
)

// Step is one chunk that has arrived.
type Step struct {
	Version   string
	Items     int
	Token     string // of the next chunk; empty: there is none
	Remaining *int64
	Apart     bool // its version differs from that of the chunk before: the list has a seam here
}

// Run is a list that is read chunk by chunk. It is a value: methods that change it return the new value.
type Run struct {
	Phase   Phase
	Steps   []Step
	Refusal *Refusal // why it is Expired or Refused

	limit int
	token string // for the next request
	keys  []Item
}

// Begin returns a list for which nothing has been requested.
func Begin(limit int) Run { return Run{Phase: Ready, limit: limit} }

// Limit is the maximum number of objects in a chunk.
func (r Run) Limit() int { return r.limit }

// Query is the collection's own query with the parameters of the next request. It has no resourceVersion, because the token contains one.
func (r Run) Query(more url.Values) url.Values {
	q := url.Values{}
	for name, values := range more {
		q[name] = values
	}
	q.Set("limit", strconv.Itoa(r.limit))
	q.Del("continue")
	if r.token != "" {
		q.Set("continue", r.token)
	}
	return q
}

// Ask is the list while the next request runs; ok is false if there is nothing to request.
func (r Run) Ask() (Run, bool) {
	if r.Phase != Ready {
		return r, false
	}
	r.Phase = Asking
	return r, true
}

// Took adds a chunk.
func (r Run) Took(a Answer) Run {
	if r.Phase != Asking {
		return r
	}
	step := Step{Version: a.Version, Items: len(a.Items), Token: a.Continue, Remaining: a.Remaining}
	if n := len(r.Steps); n > 0 {
		step.Apart = r.Steps[n-1].Version != a.Version
	}
	r.Steps = append(r.Steps[:len(r.Steps):len(r.Steps)], step)
	r.keys = append(r.keys, a.Items...)
	r.token, r.Refusal, r.Phase = a.Continue, nil, Ready
	if a.Continue == "" {
		r.Phase = Whole
	}
	return r
}

// Stuck says why the list makes no progress, judged by the last chunk; empty: it makes progress. Without this check, a client that
// requests chunk after chunk may never stop. watch.Progress has the same rule.
func (r Run) Stuck() string {
	last := len(r.Steps) - 1
	if last < 0 || r.Steps[last].Token == "" {
		return ""
	}
	again := func(s Step) bool { return s.Token == r.Steps[last].Token }
	if slices.ContainsFunc(r.Steps[:last], again) {
		return "The API server sends a continue token that it has sent before, so its list never ends."
	}
	empty := 0
	for empty <= last && r.Steps[last-empty].Items == 0 {
		empty++
	}
	if empty > watch.MaxEmpty {
		return fmt.Sprintf("The API server has sent %d chunks without objects, one after the other, each with a continue token.", empty)
	}
	if at := len(r.keys) - r.Steps[last].Items; r.Steps[last].Items > 0 && slices.Contains(r.keys[:at], r.keys[at]) {
		return "The API server sends a chunk that it has sent before, so its list never ends."
	}
	return ""
}

// Denied notes that the server refused the request. The chunks that have arrived stay.
func (r Run) Denied(no Refusal) Run {
	if r.Phase != Asking {
		return r
	}
	r.Refusal, r.Phase = &no, Refused
	if no.Expired() && r.token != "" {
		r.Phase = Expired
	}
	return r
}

// Lost is the list after a request without a response. The same request can be sent again.
func (r Run) Lost() Run {
	if r.Phase == Asking {
		r.Phase = Ready
	}
	return r
}

// GoOn continues with the token that the server offered instead of the expired one; ok is false if it offered none.
func (r Run) GoOn() (Run, bool) {
	if r.Phase != Expired || r.Refusal.Offered == "" {
		return r, false
	}
	r.token, r.Refusal, r.Phase = r.Refusal.Offered, nil, Ready
	return r, true
}

// Count is the number of objects that have arrived.
func (r Run) Count() int { return len(r.keys) }

// Seams is the number of places where the list continues at another version.
func (r Run) Seams() int {
	n := 0
	for _, s := range r.Steps {
		if s.Apart {
			n++
		}
	}
	return n
}

// Left is the number of remaining objects, from the last response; ok is false if the response doesn't have it.
func (r Run) Left() (int64, bool) {
	n := len(r.Steps)
	if n == 0 || r.Steps[n-1].Remaining == nil {
		return 0, r.Phase == Whole
	}
	return *r.Steps[n-1].Remaining, true
}

// Version is the version of the last chunk. A watch that begins there continues the list. Empty: no chunk has arrived.
func (r Run) Version() string {
	if n := len(r.Steps); n > 0 {
		return r.Steps[n-1].Version
	}
	return ""
}
