// Package reading reads the metadata of all objects for a census: chunk by chunk, several types at a time, as slowly as the API server wants it. It
// sends no request itself: the server and the terminal give it their way to send one.
//
//	types ──▶ at most 4 lists at once ──▶ Get: a chunk ──▶ census.See for each object ──▶ the next chunk
//	              2 while the server is slow or says 429     │
//	                                                         ├ 429, 503, 504 with a time: wait as long as the server says, and ask again
//	                                                         ├ 410: read the type once more from its beginning, then partly
//	                                                         └ 413: too large for us: smaller chunks
package reading

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// Accept is the media type of the lists. A server that can't send metadata alone, such as an aggregated one, sends whole objects.
const Accept = accept.MetadataList + accept.OrJSON

// MostBytes is how large a chunk may be. A sender refuses a larger one with 413.
const MostBytes = 32 << 20

// Patience is how long a chunk may take. A sender ends the request then.
const Patience = time.Minute

const (
	chunkSize   = 500
	smallest    = 20 // objects of a chunk, when they are large
	atOnce      = 4
	atOnceSlow  = 2
	slow        = time.Second
	tries       = 5 // requests for one chunk, if the server wants us to wait
	longestWait = 2 * time.Minute
	mostEmpty   = 10 // chunks without an object, one after the other
)

// Send is how requests are sent.
type Send struct {
	// Get sends a GET and returns the body, or why there is none.
	Get func(ctx context.Context, target, accept string) (body []byte, no *status.Status)
	// Wait returns after a time, or when the context ends; nil: a timer.
	Wait func(ctx context.Context, d time.Duration)
	Now  func() time.Time
	// Panicked is told of a bug in Fieldmark.
	Panicked func(p any)
}

// Plan is what a census reads.
type Plan struct {
	Types      []discovery.Type
	Namespaces []string // empty: all, and what has no namespace
	Served     func(apiVersion string) bool
	Context    string // name of the kubeconfig's context, for the report
	// Take is called with the metadata of each object, one at a time; nil: only the sums are wanted.
	Take func(t discovery.Type, raw []byte)
	// Lost is called if the server loses a list (410): the objects of the type come again. nil: nobody needs to know.
	Lost func(t discovery.Type)
}

// TypesOf are the types of a catalog that a census reads. Types that two groups serve are read once, and without a namespace only if all are read.
func TypesOf(catalog discovery.Catalog, namespaces []string) []discovery.Type {
	all := catalog.Listable()
	newer := slices.ContainsFunc(all, func(t discovery.Type) bool { return t.Group == "events.k8s.io" && t.Resource == "events" })
	return slices.DeleteFunc(slices.Clone(all), func(t discovery.Type) bool {
		return len(namespaces) > 0 && !t.Namespaced || newer && t.Group == "" && t.Resource == "events"
	})
}

// Reading is a census that is being read. It is safe for concurrent use.
type Reading struct {
	send Send
	plan Plan

	mu      sync.Mutex
	census  *census.Census
	began   time.Time
	ended   time.Time
	phase   report.Phase
	lists   int           // that are under way
	slow    bool          // the server was, at the last response
	changed chan struct{} // closed and made anew when lists or slow change
}

// New prepares a census. Run reads it.
func New(p Plan, s Send) *Reading {
	if s.Wait == nil {
		s.Wait = wait
	}
	return &Reading{
		send: s, plan: p, census: census.New(p.Types, p.Served, census.Usual()), began: s.Now(), phase: report.Reading, changed: make(chan struct{}),
	}
}

// Run reads all types, and returns when they are read or the context ends.
func (r *Reading) Run(ctx context.Context) {
	var lists sync.WaitGroup
	next := make(chan int)
	for range atOnce {
		lists.Go(func() {
			for k := range next {
				r.readType(ctx, k)
			}
		})
	}
	for k := range r.plan.Types {
		select {
		case next <- k:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	lists.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = r.send.Now()
	switch {
	case ctx.Err() != nil:
		r.phase = report.Stopped
		r.census.End("The census was stopped.")
	case r.census.Failed():
		r.phase = report.Failed
	default:
		r.phase = report.Done
	}
}

// Report is the census as far as it is known.
func (r *Reading) Report() report.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	shown := r.census.Report(r.send.Now())
	shown.Context, shown.Namespaces, shown.Phase, shown.Began, shown.Ended = r.plan.Context, slices.Clone(r.plan.Namespaces), r.phase, r.began, r.ended
	return shown
}

// Progress is how many types have been read or refused, of how many, and how many objects were read.
func (r *Reading) Progress() (types, of, objects int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.census.Progress()
}

func (r *Reading) state(k int, s report.State, why status.Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.census.State(k, s, why)
}

// readType reads a type, and once again if the server no longer has the rest of the list.
func (r *Reading) readType(ctx context.Context, k int) {
	defer func() {
		if p := recover(); p != nil { // a panic in one type ends neither the process nor the census
			r.send.Panicked(p)
			r.state(k, report.Partly, status.Status{Code: status.CodeInternalError, Message: "A bug in Fieldmark stopped the reading of this type."})
		}
	}()
	no := r.list(ctx, k)
	if no != nil && no.Code == status.CodeGone && ctx.Err() == nil {
		r.lose(k)
		no = r.list(ctx, k)
	}
	switch {
	case ctx.Err() != nil: // End says what ended it
	case no == nil:
		r.state(k, report.Read, status.Status{})
	case r.some(k):
		r.state(k, report.Partly, *no)
	default:
		r.state(k, report.Refused, *no)
	}
}

// lose forgets what was read of a type.
func (r *Reading) lose(k int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.census.Reset(k)
	if r.plan.Lost != nil {
		r.plan.Lost(r.plan.Types[k])
	}
}

// some tells whether objects of a type were read.
func (r *Reading) some(k int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.census.Objects(k) > 0
}

// list reads a type in each namespace. It returns why it ended early. A namespace that refuses doesn't end the others.
func (r *Reading) list(ctx context.Context, k int) (no *status.Status) {
	r.state(k, report.Arrives, status.Status{})
	namespaces := r.plan.Namespaces
	if len(namespaces) == 0 || !r.plan.Types[k].Namespaced {
		namespaces = []string{""}
	}
	for _, n := range namespaces {
		l := lister{Reading: r, k: k, limit: chunkSize, of: collection(r.plan.Types[k], n)}
		if why := l.run(ctx); why != nil {
			no = why
			if why.Code == status.CodeGone || ctx.Err() != nil {
				return no
			}
		}
	}
	return no
}

func collection(t discovery.Type, namespace string) string {
	return apipath.Collection(t.Group, t.Version, namespace, t.Resource).String()
}

// lister reads one list.
type lister struct {
	*Reading
	k, limit int
	of       string
	token    string
	empty    int // chunks without an object
}

// run reads the list to its end, or returns why it can't.
func (l *lister) run(ctx context.Context) *status.Status {
	for {
		body, no := l.chunk(ctx)
		switch {
		case no != nil && no.Code == status.CodeTooLarge && l.limit > smallest:
			l.limit = max(l.limit/5, smallest)
			continue
		case no != nil:
			return no
		}
		var objects [][]byte
		listed, ok := walk.List(body, func(o []byte) { objects = append(objects, o) })
		if !ok {
			return &status.Status{Code: status.CodeBadGateway, Message: "The response is not a list."}
		}
		l.see(objects, listed.Left)
		if l.empty++; len(objects) > 0 {
			l.empty = 0
		}
		switch {
		case listed.Continue == "":
			return nil
		case listed.Continue == l.token || l.empty >= mostEmpty:
			return &status.Status{Reason: status.EndlessList, Message: "The list makes no progress: the API server sends chunk after chunk without anything new."}
		}
		l.token = listed.Continue
	}
}

// see takes in the objects of a chunk.
func (l *lister) see(objects [][]byte, left int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range objects {
		l.census.See(l.k, o)
		if l.plan.Take != nil {
			l.plan.Take(l.plan.Types[l.k], o)
		}
	}
	l.census.Left(l.k, left)
}

// chunk requests the next chunk. If the server wants it to wait, it waits and requests it again.
func (l *lister) chunk(ctx context.Context) (body []byte, no *status.Status) {
	query := url.Values{"limit": {strconv.Itoa(l.limit)}}
	if l.token != "" {
		query.Set("continue", l.token)
	}
	for try := 1; ; try++ {
		if !l.enter(ctx) {
			return nil, &status.Status{Message: "The census was stopped."}
		}
		var later bool
		body, no, later = l.ask(ctx, l.of+"?"+query.Encode())
		if !later || try == tries || ctx.Err() != nil {
			return body, no
		}
		l.send.Wait(ctx, min(max(time.Second, time.Duration(no.RetryAfterSeconds)*time.Second), longestWait))
	}
}

// ask sends one request. later tells whether the server wants it to be sent again later.
func (l *lister) ask(ctx context.Context, target string) (body []byte, no *status.Status, later bool) {
	begun := l.send.Now()
	defer func() { l.leave(later || l.send.Now().Sub(begun) > slow) }()
	body, no = l.send.Get(ctx, target, Accept)
	return body, no, no != nil && isBusy(*no)
}

// isBusy tells whether a server wants a request again later. An API server whose memory is behind its store responds with 504 to all chunks of a list
// but the first one, and says when to ask again. Other 504s don't say that.
func isBusy(no status.Status) bool {
	return no.Code == status.CodeTooManyRequests || no.Code == status.CodeUnavailable || no.Code == status.CodeGatewayTimeout && no.RetryAfterSeconds > 0
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// enter waits until one more list may be read. It returns false if the context ends.
func (r *Reading) enter(ctx context.Context) bool {
	for {
		r.mu.Lock()
		most := atOnce
		if r.slow {
			most = atOnceSlow
		}
		if r.lists < most && ctx.Err() == nil {
			r.lists++
			r.mu.Unlock()
			return true
		}
		changed := r.changed
		r.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

func (r *Reading) leave(slow bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lists--
	r.slow = slow
	close(r.changed)
	r.changed = make(chan struct{})
}
