package guard

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/guard/judged"
)

// Wrap puts the guard in front of next.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secureHeaders(w.Header(), r.URL.Path)
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
	if handler := g.own(r); handler != nil {
		return handler, r
	}
	session, no := g.identify(r)
	if no.yes() {
		g.deny(w, r, no)
		return nil, nil
	}
	greet(r)
	if no := g.sameOrigin(r, session); no.yes() {
		g.deny(w, r, no)
		return nil, nil
	}
	if r, no = g.policy(r); no.yes() {
		g.deny(w, r, no)
		return nil, nil
	}
	return next, r.WithContext(context.WithValue(r.Context(), sessionKey{}, session))
}

// public paths tell nothing about a cluster and need no session.
func public(path string) bool {
	switch path {
	case "/healthz", "/readyz", "/metrics":
		return true
	}
	return strings.HasPrefix(path, "/static/")
}

// own are the guard's own handlers.
func (g *Guard) own(r *http.Request) http.Handler {
	switch {
	case r.URL.Path == SignInPath:
		return http.HandlerFunc(g.signIn)
	case r.URL.Path == SignOutPath:
		return http.HandlerFunc(g.signOut)
	case r.URL.Path == LinkPath:
		return http.HandlerFunc(g.makeLink)
	case g.isVisit(r):
		return http.HandlerFunc(g.visit)
	case holdsToken(r):
		return http.HandlerFunc(g.dropToken)
	}
	return nil
}

// policy checks an API request. The returned request carries what was checked; see package judged.
func (g *Guard) policy(r *http.Request) (*http.Request, refusal) {
	api, ok := apiPart(r.URL.EscapedPath(), clusters)
	if ok {
		p, err := apipath.Parse(api)
		if err != nil {
			return r, refuse(http.StatusBadRequest, err.Error())
		}
		if no := g.workloads(p); no.yes() {
			return r, no
		}
		if no := g.boundBody(r); no.yes() {
			return r, no
		}
		if no := g.readOnly(r, p); no.yes() {
			return r, no
		}
		return r.WithContext(judged.Of(r, p).Into(r.Context())), refusal{}
	}
	return r, g.boundBody(r)
}

// workloads refuses …/proxy unless a flag allows it. Any program in the cluster may respond there, and its response would have
// Fieldmark's origin (threat: workload proxy).
func (g *Guard) workloads(p apipath.Path) refusal {
	if p.IsWorkloadProxy() && !g.opt.WorkloadProxy {
		return refuse(http.StatusForbidden, fmt.Sprintf("Requests to %s/proxy are switched off. "+
			"Use kubectl port-forward, or start Fieldmark with --allow-workload-proxy.", p.Resource))
	}
	return refusal{}
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
	secureHeaders(w.Header(), r.URL.Path)
	g.deny(w, r, refuse(http.StatusInternalServerError, "Fieldmark had an internal error. The log of Fieldmark has the details."))
}
