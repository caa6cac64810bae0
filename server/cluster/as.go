package cluster

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// As is the same cluster, as somebody else: the context's credentials are sent as always, and ask the API server to impersonate. It uses
// the connections of c, and ends with the login of c. Its caches are its own, because they have responses to somebody else.
//
// Target returns a *Problem if the context's own credentials impersonate already: an API server takes one impersonation in a request.
func (c *Cluster) As(as identity.Impersonation) *Cluster {
	if c.of != nil {
		c = c.of
	}
	return &Cluster{slug: c.slug, name: c.name, origin: c.origin, settings: c.settings, login: c.login, over: c.over, wait: c.wait, of: c, as: as}
}

// asTarget is how to reach the API server as somebody else.
func (c *Cluster) asTarget() (upstream.Target, error) {
	if already := c.of.Info().Impersonates; already != "" {
		return upstream.Target{}, impersonatesAlready(already)
	}
	target, err := c.of.Target()
	if err != nil {
		return upstream.Target{}, err
	}
	return upstream.Target{Base: target.Base, Transport: impersonating{c.as, target.Transport}}, nil
}

// impersonatesAlready is why there is no view: the credentials act as this user.
func impersonatesAlready(user string) *Problem {
	return &Problem{
		Text:   fmt.Sprintf("your requests to this cluster already impersonate %q, and a request can impersonate one user only", user),
		Advice: "Stop the view. To view the cluster as somebody else, use credentials that don't impersonate.",
	}
}

// impersonating tells ownOnly, or personal, which is below it, whom to impersonate. Headers can't, because both remove the client's.
type impersonating struct {
	as   identity.Impersonation
	next http.RoundTripper
}

type asKey struct{}

// RoundTrip sends the request as somebody else.
func (i impersonating) RoundTrip(req *http.Request) (*http.Response, error) {
	return i.next.RoundTrip(req.WithContext(context.WithValue(req.Context(), asKey{}, i.as)))
}

// impersonate adds the headers of the impersonation that the server has chosen for a request, if there is one. Nobody else can: the key
// of the context is known in this package only (threat: smuggled identity).
func impersonate(ctx context.Context, h http.Header) {
	as, ok := asOf(ctx)
	if !ok {
		return
	}
	h["Impersonate-User"] = []string{as.User}
	if len(as.Groups) > 0 {
		h["Impersonate-Group"] = slices.Clone(as.Groups)
	}
}

func asOf(ctx context.Context) (identity.Impersonation, bool) {
	as, ok := ctx.Value(asKey{}).(identity.Impersonation)
	return as, ok
}

// waiting is how many requests wait for the credentials plugin.
func (c *Cluster) waiting() int32 {
	if c.of != nil {
		return c.of.waiting()
	}
	return c.authenticating.Load()
}

// Last is the newest known state. It sends no request, and is false if there is none yet.
func (c *Cluster) Last() (State, bool) {
	s, known, _, _ := c.state.past()
	return s, known
}

// With is a copy of the registry's present clusters, with c in the place of the cluster of the same slug. If there is none, the copy has no such
// cluster either.
func (r *Registry) With(c *Cluster) *Registry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	copied := &Registry{settings: r.settings, kubeconfig: r.kubeconfig, clusters: slices.Clone(r.clusters), later: maps.Clone(r.later), notes: r.notes, troubles: r.troubles, revision: r.revision}
	for i, one := range copied.clusters {
		if one.slug == c.slug {
			copied.clusters[i] = c
		}
	}
	return copied
}
