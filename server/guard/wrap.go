package guard

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/guard/judged"
	"github.com/fieldmark/fieldmark/server/identity"
)

// Wrap puts the guard in front of next.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.secureHeaders(w.Header(), r.URL.Path)
		t := &tracked{ResponseWriter: w}
		r, answered := g.arrival(t, r)
		defer answered()
		defer g.recover(t, r)
		if next, r := g.admit(t, r, next); next != nil {
			next.ServeHTTP(t, r)
		}
	})
}

// admit makes one check after the other. If one fails, it responds to the request itself, and returns no handler.
func (g *Guard) admit(w http.ResponseWriter, r *http.Request, next http.Handler) (http.Handler, *http.Request) {
	if no := g.shape(r); no.yes() {
		g.deny(w, r, no)
		return nil, nil
	}
	if public(r.URL.Path) {
		g.hangUpIfUnread(w, r) // nobody reads it
		return next, r
	}
	if handler := g.door.Own(r); handler != nil {
		return handler, r
	}
	who := g.door.Who
	if r.URL.Path == ProgramPath {
		who = func(_ http.ResponseWriter, r *http.Request) (Session, Refusal) { return g.program(r) }
	}
	session, no := who(w, r)
	if no.yes() {
		g.deny(w, r, no)
		return nil, nil
	}
	greet(r)
	if no := g.sameOrigin(r, session); no.yes() {
		g.deny(w, r, no)
		return nil, nil
	}
	session = g.viewing(r, session)
	ctx, no := g.policy(r, session)
	if no.yes() {
		g.deny(w, r, no)
		return nil, nil
	}
	if r.URL.Path == ProgramsPath {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.tokens(w, r, session) }), r
	}
	ctx = context.WithValue(ctx, sessionKey{}, session)
	return next, r.WithContext(identity.WithSession(ctx, session.ID))
}

// public paths tell nothing about a cluster and need no session.
func public(path string) bool {
	switch path {
	case "/healthz", "/readyz", "/metrics":
		return true
	}
	return strings.HasPrefix(path, "/static/")
}

// policy checks an API request. The context, which is the request's own, also carries what was checked; see package judged.
func (g *Guard) policy(r *http.Request, s Session) (context.Context, Refusal) {
	ctx := r.Context()
	api, ok := apiPart(r.URL.EscapedPath(), clusters)
	if !ok {
		return ctx, g.boundBody(r)
	}
	p, err := apipath.Parse(api)
	if err != nil {
		return ctx, refuse(http.StatusBadRequest, err.Error())
	}
	if no := g.workloads(p, s); no.yes() {
		return ctx, no
	}
	if no := g.boundBody(r); no.yes() {
		return ctx, no
	}
	if no := g.readOnly(r, p, s); no.yes() {
		return ctx, no
	}
	return judged.Of(r, p).Into(ctx), Refusal{}
}

// workloads refuses connections to workloads of people who may not have any, and …/proxy unless a flag allows it. Any program in the cluster
// may respond there, and its response would have Fieldmark's origin (threat: workload proxy).
func (g *Guard) workloads(p apipath.Path, s Session) Refusal {
	if p.Connects() && s.NoWorkloads != "" {
		return refuse(http.StatusForbidden, s.NoWorkloads)
	}
	if p.IsWorkloadProxy() && !g.opt.WorkloadProxy {
		return refuse(http.StatusForbidden, fmt.Sprintf("Requests to %s/proxy are switched off. "+
			"Use kubectl port-forward, or start Fieldmark with --allow-workload-proxy.", p.Resource))
	}
	return Refusal{}
}

// recover lets a panic end one request and not the process, and shows nobody the stack (threat: panic).
func (g *Guard) recover(w *tracked, r *http.Request) {
	trouble := recover()
	if trouble == nil {
		return
	}
	if trouble == http.ErrAbortHandler { //nolint:errorlint // panics carry this very value
		panic(trouble)
	}
	g.opt.Log.Error("a handler panicked", "method", r.Method, "path", r.URL.Path, "panic", trouble, "stack", string(debug.Stack()))
	if w.wrote {
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
	clear(w.Header())
	g.secureHeaders(w.Header(), r.URL.Path)
	g.deny(w, r, refuse(http.StatusInternalServerError, "Fieldmark had an internal error. The log of Fieldmark has the details."))
}
