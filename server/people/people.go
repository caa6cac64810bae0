// Package people has the clusters of the shared mode, as each person sees them. It keeps a registry of clusters for each session. All that
// a registry caches was read with the credentials of the session's person.
//
//	guard ── accepted request ──▶ Remember ──▶ session ── newest grant of each cluster
//	                                             │
//	pages, proxy ── For(context) ────────────────┤
//	relay, scans ── For(context with the id) ────┘──▶ cluster.Registry ──▶ cluster.Site, which all people share
//
// The sessions are those that this replica has seen. Another replica knows others, and none knows whether a session still exists: a
// session that nobody uses is forgotten, and remembered again at its next request.
package people

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/lasting"
)

// Options are the parameters of People. Zero values mean the defaults.
type Options struct {
	// Sites are the clusters.
	Sites []*cluster.Site
	// Accounts are Fieldmark's own accounts, by the slug of the cluster. Only a grant that impersonates uses them.
	Accounts map[string]*Account
	// Cluster has the settings of the clusters.
	Cluster cluster.Options
	// MaxSessions bounds the sessions that are remembered; default 5,000. MaxPerson bounds those of one person; default 20. The session
	// that was unused longest is forgotten.
	MaxSessions, MaxPerson int
	// Idle is how long an unused session is remembered; default 30 minutes.
	Idle time.Duration
	// Forgotten is called with the id of a session that is forgotten, so that its data can be deleted.
	Forgotten func(id string)
	Now       func() time.Time
}

// People are the sessions that were seen. It is a cluster.Source, and safe for concurrent use.
type People struct {
	opt    Options
	nobody *cluster.Registry

	mu       sync.Mutex
	sessions map[string]*memory
}

// New makes People without any session.
func New(o Options) *People {
	if o.MaxSessions == 0 {
		o.MaxSessions = 5000
	}
	if o.MaxPerson == 0 {
		o.MaxPerson = 20
	}
	if o.Idle == 0 {
		o.Idle = 30 * time.Minute
	}
	if o.Forgotten == nil {
		o.Forgotten = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &People{opt: o, nobody: cluster.New(o.Cluster), sessions: map[string]*memory{}}
}

// Remember notes who sends each request, and then lets next handle it. It belongs behind the guard. While a request lasts, such as a watch or a
// connection to a workload, its session is in use.
func (p *People) Remember(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s, ok := guard.SessionFrom(r.Context()); ok {
			p.Seen(s)
			defer lasting.Done(r.Context(), p.busy(s.ID))
		}
		next.ServeHTTP(w, r)
	})
}

// busy notes that a request of a session begins; done that it has ended.
func (p *People) busy(id string) (done func()) {
	if viewer, viewed := identity.ViewerOf(id); viewed {
		id = viewer
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sessions[id]
	if s == nil {
		return func() {}
	}
	s.open++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		s.open--
		s.used = p.opt.Now()
	}
}

// Seen notes a session with its newest grants. If the session has another person than before, everything that was read for the earlier
// person is dropped first (threat: two sessions).
func (p *People) Seen(s guard.Session) {
	if s.ID == "" || s.Person == nil {
		return
	}
	if viewer, viewed := identity.ViewerOf(s.ID); viewed { // the person is the same while they view a cluster as somebody else
		s.ID = viewer
	}
	for _, gone := range p.seen(s) {
		p.endSession(gone)
	}
}

func (p *People) seen(s guard.Session) (gone []*memory) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.sessions[s.ID]
	if one != nil && one.person != s.Person.Key {
		gone = append(gone, p.drop(one))
		one = nil
	}
	if one == nil {
		gone = append(gone, p.room(s.Person.Account())...)
		one = newMemory(p, s.ID, s.Person.Key)
		one.account = s.Person.Account()
		p.sessions[s.ID] = one
	}
	one.keepGrants(s.Person.Grants, s.Person.Way)
	one.used = p.opt.Now()
	return gone
}

// room drops sessions until there is room for one more of this account. The caller holds the lock.
func (p *People) room(account string) (gone []*memory) {
	for {
		var oldest, own *memory
		number := 0
		for _, s := range p.sessions {
			oldest = older(oldest, s)
			if s.account == account {
				number++
				own = older(own, s)
			}
		}
		switch {
		case number >= p.opt.MaxPerson:
			gone = append(gone, p.drop(own))
		case len(p.sessions) >= p.opt.MaxSessions:
			gone = append(gone, p.drop(oldest))
		default:
			return gone
		}
	}
}

func older(a, b *memory) *memory {
	if a == nil || b.used.Before(a.used) {
		return b
	}
	return a
}

func (p *People) drop(s *memory) *memory {
	delete(p.sessions, s.id)
	return s
}

// endSession ends the streams of a session that was dropped, and lets others delete its data.
func (p *People) endSession(s *memory) {
	s.registry.End()
	p.opt.Forgotten(s.id)
}

// For has the clusters of the context's session. A context without a session that was seen gets no clusters.
func (p *People) For(ctx context.Context) *cluster.Registry {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sessions[identity.SessionOf(ctx)]
	if s == nil {
		return p.nobody
	}
	s.used = p.opt.Now()
	return s.registry
}

// Owner is the account of a session, or of a view of a session, for which its quotas count; empty: the session wasn't seen.
func (p *People) Owner(id string) string {
	if viewer, viewed := identity.ViewerOf(id); viewed {
		id = viewer
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.sessions[id]; s != nil {
		return s.account
	}
	return ""
}

// EndSession forgets a session, and ends its streams. Call it when the session has ended.
func (p *People) EndSession(id string) {
	p.mu.Lock()
	s := p.sessions[id]
	delete(p.sessions, id)
	p.mu.Unlock()
	if s != nil {
		s.registry.End()
	}
}

// Sweep forgets the sessions that were not used for long. Call it every minute.
func (p *People) Sweep() {
	before := p.opt.Now().Add(-p.opt.Idle)
	var gone []*memory
	p.mu.Lock()
	for _, s := range p.sessions {
		if s.open == 0 && s.used.Before(before) {
			gone = append(gone, p.drop(s))
		}
	}
	p.mu.Unlock()
	for _, s := range gone {
		p.endSession(s)
	}
}

// Count is how many sessions are remembered.
func (p *People) Count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sessions)
}

// MaxSessions bounds the sessions that are remembered.
func (p *People) MaxSessions() int { return p.opt.MaxSessions }

// Slugs are the names of all clusters in URLs.
func (p *People) Slugs() []string {
	var all []string
	for _, s := range p.opt.Sites {
		all = append(all, s.Slug())
	}
	return all
}
