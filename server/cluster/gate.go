package cluster

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ownOnly removes the credentials and the impersonation of the client's request. client-go would send them instead of the
// context's.
type ownOnly struct {
	// written is true if next writes into the request, as client-go's plugin transport does. The caller still has that
	// request, and must not find a token in it.
	written bool
	next    http.RoundTripper
}

// RoundTrip sends the request without foreign credentials, as a copy where it has to change.
func (o ownOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, as := asOf(req.Context()); !as && !o.written && !anyForeign(req.Header) {
		return o.next.RoundTrip(req)
	}
	clean := *req
	clean.Header = make(http.Header, len(req.Header)+3)
	for name, values := range req.Header {
		if !foreign(name) {
			clean.Header[name] = values
		}
	}
	impersonate(req.Context(), clean.Header)
	return o.next.RoundTrip(&clean)
}

func anyForeign(h http.Header) bool {
	for name := range h {
		if foreign(name) {
			return true
		}
	}
	return false
}

func foreign(name string) bool {
	return strings.EqualFold(name, "Authorization") || len(name) >= len("Impersonate-") && strings.EqualFold(name[:len("Impersonate-")], "Impersonate-")
}

// failureLife is how long further requests fail with the same error of a plugin, so that a page with many requests does not run a
// broken plugin for each.
const failureLife = 2 * time.Second

// gate controls the access to the credentials plugin (or auth provider) of a context. client-go runs the plugin inside RoundTrip for
// one request after the other, and ignores the request's context. With the gate, a caller returns when its context ends, and all
// waiting requests share one failure.
type gate struct {
	cluster *Cluster
	source  source
	next    http.RoundTripper
	// turn is held by the request that is getting credentials.
	turn chan struct{}

	mu       sync.Mutex
	failure  error
	failedAt time.Time
}

// newGate returns next itself if the kubeconfig has the context's credentials.
func newGate(c *Cluster, s source, next http.RoundTripper) http.RoundTripper {
	if s == (source{}) {
		return next
	}
	return &gate{cluster: c, source: s, next: next, turn: make(chan struct{}, 1)}
}

type result struct {
	resp *http.Response
	err  error
}

// RoundTrip waits for credentials, and then for the response.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	j, err := g.enter(ctx)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	answered := make(chan result, 1)
	go func() {
		defer j.leaveGate()
		//nolint:bodyclose // the receiver of the result closes it: our caller, or discard
		resp, err := g.next.RoundTrip(req.WithContext(context.WithValue(ctx, journeyKey{}, j)))
		answered <- result{resp, g.recordFailure(err, j.passed.Load())}
	}()
	select {
	case r := <-answered:
		return r.resp, r.err
	case <-ctx.Done():
		go discard(answered)
		return nil, ctx.Err()
	}
}

// enter waits for the turn to get credentials.
func (g *gate) enter(ctx context.Context) (*journey, error) {
	g.cluster.authenticating.Add(1)
	select {
	case g.turn <- struct{}{}:
	case <-ctx.Done():
		g.cluster.authenticating.Add(-1)
		return nil, ctx.Err()
	}
	j := &journey{leave: sync.OnceFunc(func() {
		g.cluster.authenticating.Add(-1)
		<-g.turn
	}), waiting: &g.cluster.authenticating}
	if err := g.recentFailure(); err != nil {
		j.leaveGate()
		return nil, err
	}
	return j, nil
}

// discard closes a response that no caller waits for.
func discard(answered <-chan result) {
	if r := <-answered; r.resp != nil {
		r.resp.Body.Close()
	}
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// recordFailure turns a plugin's error into one with our own words, and keeps it for the waiting requests. passed says whether the request was
// sent to the API server.
func (g *gate) recordFailure(err error, passed bool) error {
	if err == nil || passed && !g.source.failed(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	words := g.source.credentialsError(err, g.cluster)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failure, g.failedAt = words, g.cluster.settings.now()
	return words
}

func (g *gate) recentFailure() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failure != nil && g.cluster.settings.now().Sub(g.failedAt) < failureLife {
		return g.failure
	}
	return nil
}

// journey is the state of one request: it waits for credentials, is sent, and may wait for credentials again, because client-go runs
// the plugin again after a 401.
type journey struct {
	leave           func()
	waiting         *atomic.Int32
	passed, refused atomic.Bool
}

// pass notes that the request has its credentials, and lets the next request continue.
func (j *journey) pass() {
	j.passed.Store(true)
	j.leave()
}

// refuse notes a 401, after which the request waits for the plugin again.
func (j *journey) refuse() {
	if !j.refused.Swap(true) {
		j.waiting.Add(1)
	}
}

func (j *journey) leaveGate() {
	j.leave()
	if j.refused.Swap(false) {
		j.waiting.Add(-1)
	}
}

type journeyKey struct{}

// passage is the transport below client-go's. A request that reaches it has its credentials.
type passage struct{ next http.RoundTripper }

// RoundTrip updates the journey, and sends the request.
func (p passage) RoundTrip(req *http.Request) (*http.Response, error) {
	j, ok := req.Context().Value(journeyKey{}).(*journey)
	if !ok {
		return p.next.RoundTrip(req)
	}
	j.pass()
	resp, err := p.next.RoundTrip(req)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		j.refuse()
	}
	return resp, err
}
