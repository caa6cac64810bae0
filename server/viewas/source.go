// Package viewas makes requests as somebody else, for sessions that view a cluster like that. It is in front of another source of
// clusters, and has for each view the same cluster with impersonation.
package viewas

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// Bounds of the views that are kept. A view that was dropped comes back with its browser's next request.
const (
	maxViews = 500
	idle     = time.Hour
)

// Options are what views are made from.
type Options struct {
	// Clusters has the clusters of the sessions themselves.
	Clusters cluster.Source
	// Ended is called with the id of a view whose data can be deleted, because its session has ended or it was unused.
	Ended func(id string)
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// Source has the clusters of each session, also while it views one as somebody else. It is safe for concurrent use.
type Source struct {
	opt     Options
	nothing *cluster.Registry // has no clusters

	mu    sync.Mutex
	views map[string]*view // by the id of the view
}

// view is one view of one session.
type view struct {
	identity.View
	viewer string // the id of the session
	used   time.Time
	of, as *cluster.Cluster // the session's own cluster, and the same as somebody else; nil: not needed yet
}

// New makes a Source without views.
func New(o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Ended == nil {
		o.Ended = func(string) {}
	}
	return &Source{opt: o, nothing: cluster.New(cluster.Options{}), views: map[string]*view{}}
}

// Wrap learns from each request that the guard accepted whether its session views a cluster as somebody else.
func (s *Source) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if session, ok := guard.SessionFrom(r.Context()); ok && !session.View.None() {
			s.see(session)
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Source) see(session guard.Session) {
	viewer, ok := identity.ViewerOf(session.ID)
	if !ok {
		return
	}
	s.mu.Lock()
	now := s.opt.Now()
	v := s.views[session.ID]
	var gone []string
	if v == nil {
		gone = s.makeRoom(now)
		v = &view{View: session.View, viewer: viewer}
		s.views[session.ID] = v
	}
	v.used = now
	s.mu.Unlock()
	s.announceEnded(gone)
}

// makeRoom drops the views that were unused for long. If that isn't enough, it drops the one that was unused longest. The caller holds
// the lock.
func (s *Source) makeRoom(now time.Time) (gone []string) {
	oldest := ""
	for id, v := range s.views {
		switch {
		case now.Sub(v.used) >= idle:
			gone = append(gone, id)
			delete(s.views, id)
		case oldest == "" || v.used.Before(s.views[oldest].used):
			oldest = id
		}
	}
	if len(s.views) >= maxViews {
		gone = append(gone, oldest)
		delete(s.views, oldest)
	}
	return gone
}

func (s *Source) announceEnded(gone []string) {
	for _, id := range gone {
		s.opt.Ended(id)
	}
}

// For is the clusters of the context's session. While the session views one as somebody else, requests to this one impersonate. A view
// that isn't known has no clusters: it must never become the session itself, which may have more rights (threat: hostile view).
func (s *Source) For(ctx context.Context) *cluster.Registry {
	id := identity.SessionOf(ctx)
	viewer, viewed := identity.ViewerOf(id)
	if !viewed {
		return s.opt.Clusters.For(ctx)
	}
	own := s.opt.Clusters.For(identity.WithSession(ctx, viewer))
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.views[id]
	if v == nil {
		return s.nothing
	}
	of, ok := own.Get(v.Cluster)
	if !ok {
		return own
	}
	v.used = s.opt.Now()
	if v.of != of { // it is the first time, or the kubeconfig has changed
		v.of, v.as = of, of.As(v.As)
	}
	return own.With(v.as)
}

// EndSession forgets a session's views, or one view if id is that of a view.
func (s *Source) EndSession(id string) {
	s.mu.Lock()
	var gone []string
	for of, v := range s.views {
		if v.viewer == id {
			gone = append(gone, of)
		}
		if v.viewer == id || of == id {
			delete(s.views, of)
		}
	}
	s.mu.Unlock()
	s.announceEnded(gone)
}
