package chunk

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/watch"
)

// Phase is how far a chunked list is.
type Phase string

// The phases.
const (
	Ready   Phase = "ready"   // there is more, or nothing has been asked for yet
	Asking  Phase = "asking"  // a request is under way
	Whole   Phase = "whole"   // the last chunk has come
	Expired Phase = "expired" // the token is too old: begin anew, or go on with what the server offers
	Refused Phase = "refused" // for another reason, or not understood
)

// Step is one chunk as it came.
type Step struct {
	Version   string
	Items     int
	Token     string // the next one; empty: there is none
	Remaining *int64
	Apart     bool // it is not of the version of the chunk before: the list has a seam here
}

// Run is a list that is made chunk by chunk. It is a value: each of its methods that changes it gives the next one.
type Run struct {
	Phase   Phase
	Steps   []Step
	Refusal *Refusal // why it is Expired or Refused

	limit int
	token string // for the next request
	keys  []Item
}

// Begin is a list of which nothing has been asked for.
func Begin(limit int) Run { return Run{Phase: Ready, limit: limit} }

// Limit is how many objects a chunk may have.
func (r Run) Limit() int { return r.limit }

// Query is what the next request adds to the collection's own query: no resourceVersion, for the token knows it.
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

// Ask is the list while the next request is under way; false: there is nothing to ask for.
func (r Run) Ask() (Run, bool) {
	if r.Phase != Ready {
		return r, false
	}
	r.Phase = Asking
	return r, true
}

// Took takes in a chunk.
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

// Stuck says why the list doesn't get on, as the last chunk shows; empty: it does. To ask for chunk after chunk without a look
// would be to ask without end. The rule is that of watch.Progress.
func (r Run) Stuck() string {
	last := len(r.Steps) - 1
	if last < 0 || r.Steps[last].Token == "" {
		return ""
	}
	again := func(s Step) bool { return s.Token == r.Steps[last].Token }
	if slices.ContainsFunc(r.Steps[:last], again) {
		return "The API server has sent this page token (continue) before: the list never ends."
	}
	empty := 0
	for empty <= last && r.Steps[last-empty].Items == 0 {
		empty++
	}
	if empty > watch.MaxEmpty {
		return fmt.Sprintf("%d chunks without objects came one after the other, each with a page token (continue).", empty)
	}
	if at := len(r.keys) - r.Steps[last].Items; r.Steps[last].Items > 0 && slices.Contains(r.keys[:at], r.keys[at]) {
		return "This chunk begins with an object that came before: the list never ends."
	}
	return ""
}

// Denied takes in a refusal. What came before stays.
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

// Lost is the list when a request had no answer: the same can be asked again.
func (r Run) Lost() Run {
	if r.Phase == Asking {
		r.Phase = Ready
	}
	return r
}

// GoOn goes on with the token that the server offered in the place of the one that expired; false: it offered none.
func (r Run) GoOn() (Run, bool) {
	if r.Phase != Expired || r.Refusal.Offered == "" {
		return r, false
	}
	r.token, r.Refusal, r.Phase = r.Refusal.Offered, nil, Ready
	return r, true
}

// Count is how many objects have come.
func (r Run) Count() int { return len(r.keys) }

// Seams is at how many places the list goes on at another version than before.
func (r Run) Seams() int {
	n := 0
	for _, s := range r.Steps {
		if s.Apart {
			n++
		}
	}
	return n
}

// Left is how many objects are still to come, as the last answer says; false: it doesn't say.
func (r Run) Left() (int64, bool) {
	n := len(r.Steps)
	if n == 0 || r.Steps[n-1].Remaining == nil {
		return 0, r.Phase == Whole
	}
	return *r.Steps[n-1].Remaining, true
}

// Version is that of the last chunk: from there a watch follows what a list of one version left off at. Empty: none has come.
func (r Run) Version() string {
	if n := len(r.Steps); n > 0 {
		return r.Steps[n-1].Version
	}
	return ""
}
