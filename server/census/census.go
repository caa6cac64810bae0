// Package census runs censuses: it reads the metadata of all objects of a cluster, on behalf of the session that started it. A census is state of this
// server and changes nothing in a cluster. Its requests are recorded like all others. One pass answers several pages:
//
//	              ┌─▶ kube/census/reading, kube/census ─▶ Show:    who runs the cluster
//	Start ─▶ pass ┼─▶ kube/upgrade/gather ──────────────▶ Facts:   what an upgrade breaks
//	              │                                      Blocked: which objects can't be applied
//	              └─▶ kube/migrate/planning ────────────▶ Owned:   which tools own objects, for the move to server-side apply
package census

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/fieldmark/fieldmark/kube/census"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/migrate/planning"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/upgrade"
	"github.com/fieldmark/fieldmark/kube/upgrade/gather"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/errand"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// Bounds of how many censuses run, and of how many are kept. One takes up to about 50 MB.
const (
	maxRunning        = 4
	maxRunningSession = 2
	maxKeptSession    = 4
	// MaxTypes and MaxNamespaces bound the lists of a census.
	MaxTypes      = 1000
	MaxNamespaces = 500
)

// ErrNothing is why a census of no types does not start. Users see the text. The other reasons are those of package errand.
var ErrNothing = errors.New("no resource type can be listed here, so there is nothing to count")

// Options are what Censuses are made from.
type Options struct {
	// Resolve finds the way to a cluster by its slug, for the context's session.
	Resolve func(ctx context.Context, slug string) (*upstream.Target, error)
	// Login returns a channel that is closed when a session's login to a cluster ends; nil: they never change. Censuses then end, and are deleted.
	Login func(session, slug string) <-chan struct{}
	// Owner returns whose session it is: the bounds of a session also apply to all sessions of one owner. nil: each session has its own owner.
	Owner func(session string) string
	// Tap records the requests of censuses.
	Tap *wiretap.Log
	Now func() time.Time
	Log *slog.Logger
}

// Censuses are all censuses of the server: at most one of a session in a cluster. It is safe for concurrent use.
type Censuses struct {
	opt Options
	set *errand.Set[*pass]
}

// New makes an empty set of censuses.
func New(o Options) *Censuses {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Censuses{opt: o, set: errand.NewSet[*pass](errand.Options{
		One: "a census", Many: "censuses",
		Bounds: errand.Bounds{Running: maxRunning, RunningSession: maxRunningSession, KeptSession: maxKeptSession},
		Login:  o.Login, Owner: o.Owner, Now: o.Now,
	})}
}

// Plan is what a census reads.
type Plan struct {
	Catalog    discovery.Catalog
	Namespaces []string // empty: all, and what has no namespace
	Context    string   // name of the kubeconfig's context, for the report
}

// Start starts a census. If one of the same session and cluster runs, it does nothing: Show shows that one. It replaces one that has ended. Users may see
// its errors.
func (c *Censuses) Start(session, cluster string, p Plan) error {
	p.Namespaces = p.Namespaces[:min(len(p.Namespaces), MaxNamespaces)]
	types := reading.TypesOf(p.Catalog, p.Namespaces)
	if len(types) == 0 {
		return ErrNothing
	}
	s := &sender{Censuses: c, session: session, cluster: cluster}
	all, err := gather.New(p.Catalog, gather.Send{Get: s.get, Lines: s.lines})
	if err != nil {
		return err
	}
	owners := &owners{}
	plan := owners.beside(all.Plan(types[:min(len(types), MaxTypes)], p.Namespaces))
	plan.Context = p.Context
	err = c.set.Start(session, cluster,
		func(login <-chan struct{}) *pass {
			s.login = login
			return &pass{Gathering: all, owners: owners, reading: reading.New(plan, reading.Send{Now: c.opt.Now, Panicked: c.panicked, Get: s.get}), panicked: c.panicked}
		},
		func(ctx context.Context, w *pass) { w.run(ctx) },
	)
	if errors.Is(err, errand.ErrRuns) {
		return nil
	}
	return err
}

// Stop ends a session's census of a cluster, and keeps what it has read.
func (c *Censuses) Stop(session, cluster string) { c.set.Stop(session, cluster) }

// Show returns a session's census of a cluster, as far as it is known; ok is false if there is none.
func (c *Censuses) Show(session, cluster string) (shown report.Report, ok bool) {
	w, ok := c.set.Find(session, cluster)
	if !ok {
		return report.Report{}, false
	}
	return w.report(), true
}

// Facts are what the session's census knows for an upgrade to a target, as far as it is known. ok is false if there is none.
func (c *Censuses) Facts(session, cluster string, target release.Version) (facts upgrade.Facts, ok bool) {
	w, ok := c.set.Find(session, cluster)
	if !ok {
		return upgrade.Facts{}, false
	}
	return w.Facts(target, w.report()), true
}

// Blocked is what the session's census knows about objects that can't be applied, as far as it is known. ok is false if there is none.
func (c *Censuses) Blocked(session, cluster string) (b Blocked, ok bool) {
	w, ok := c.set.Find(session, cluster)
	if !ok {
		return Blocked{}, false
	}
	b.Report = w.report()
	b.Objects, b.More = w.Gathering.Blocked()
	b.Findings = w.AboutApplies(b.Report)
	return b, true
}

// Blocked are the objects that can't be applied.
type Blocked struct {
	Report   report.Report
	Objects  []upgrade.Record
	More     int // how many more objects there are than Objects has
	Findings []upgrade.Finding
}

// Owned is what the session's census knows about tools that own objects, and about the objects of one owner (planning.OwnerKey), as far as it is known. ok is
// false if there is none.
func (c *Censuses) Owned(session, cluster, owner string) (o Owned, ok bool) {
	w, ok := c.set.Find(session, cluster)
	if !ok {
		return Owned{}, false
	}
	o.Report = w.report()
	o.Owners, o.Objects = w.owners.of(owner)
	return o, true
}

// Release is the path of the Secret with a release (migrate.ReleaseOf); empty: the census saw none.
func (c *Censuses) Release(session, cluster, release string) string {
	if w, ok := c.set.Find(session, cluster); ok {
		return w.owners.release(release)
	}
	return ""
}

// Owned are tools that own objects.
type Owned struct {
	Report  report.Report
	Owners  []planning.Owned
	Objects []planning.Listed // of the owner in question
}

// EndSession ends a session's censuses and deletes them. Call it when the session has ended.
func (c *Censuses) EndSession(id string) { c.set.EndSession(id) }

// Close ends all censuses, and returns when they have ended.
func (c *Censuses) Close() { c.set.Close() }

func (c *Censuses) panicked(p any) {
	c.opt.Log.Error("a census panicked", "panic", p, "stack", string(debug.Stack()))
}

// get sends one bounded request.
func get(ctx context.Context, client *api.Client, target, accept string) ([]byte, *status.Status) {
	ctx, cancel := context.WithTimeout(ctx, reading.Patience)
	defer cancel()
	answer, err := client.Do(ctx, api.Request{Path: target, Accept: accept, MaxBytes: reading.MostBytes})
	if err != nil {
		return nil, refused(err)
	}
	return answer.Body, nil
}

func refused(err error) *status.Status {
	s := api.StatusOf(err)
	return &s
}

// Objects are the objects of a type of which a manager has entries, at most reading.MostHeld; more tells whether there may be others. It reads the metadata
// of the type with the client of a page. If a request fails, the status says why, and held has what was found before.
func Objects(ctx context.Context, client *api.Client, t discovery.Type, namespaces []string, manager string) (held []census.Held, more bool, no *status.Status) {
	return reading.Objects(ctx, reading.Send{Get: func(ctx context.Context, target, accept string) ([]byte, *status.Status) {
		return get(ctx, client, target, accept)
	}}, t, namespaces, manager)
}
