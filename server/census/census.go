// Package census runs censuses: it reads the metadata of all objects of a cluster, on behalf of the session that started it. Package
// kube/census/reading reads, and kube/census counts. A census is state of this server and changes nothing in a cluster. Its lists are recorded like all
// other requests.
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
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/errand"
	"github.com/fieldmark/fieldmark/server/identity"
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
	set *errand.Set[*reading.Reading]
}

// New makes an empty set of censuses.
func New(o Options) *Censuses {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Censuses{opt: o, set: errand.NewSet[*reading.Reading](errand.Options{
		One: "a census", Many: "censuses",
		Bounds: errand.Bounds{Running: maxRunning, RunningSession: maxRunningSession, KeptSession: maxKeptSession},
		Login:  o.Login, Owner: o.Owner, Now: o.Now,
	})}
}

// Start starts a census. If one of the same session and cluster runs, it does nothing: Show shows that one. It replaces one that has ended. Users may see
// its errors.
func (c *Censuses) Start(session, cluster string, p reading.Plan) error {
	if len(p.Types) == 0 {
		return ErrNothing
	}
	p.Types, p.Namespaces = p.Types[:min(len(p.Types), MaxTypes)], p.Namespaces[:min(len(p.Namespaces), MaxNamespaces)]
	err := c.set.Start(session, cluster,
		func(login <-chan struct{}) *reading.Reading { return reading.New(p, c.send(session, cluster, login)) },
		func(ctx context.Context, r *reading.Reading) { r.Run(ctx) },
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
	r, ok := c.set.Find(session, cluster)
	if !ok {
		return report.Report{}, false
	}
	return r.Report(), true
}

// EndSession ends a session's censuses and deletes them. Call it when the session has ended.
func (c *Censuses) EndSession(id string) { c.set.EndSession(id) }

// Close ends all censuses, and returns when they have ended.
func (c *Censuses) Close() { c.set.Close() }

// send is how requests of a session are sent. Each finds the cluster again, because tokens are renewed.
func (c *Censuses) send(session, cluster string, login <-chan struct{}) reading.Send {
	return reading.Send{
		Now: c.opt.Now,
		Panicked: func(p any) {
			c.opt.Log.Error("a census panicked", "panic", p, "stack", string(debug.Stack()))
		},
		Get: func(ctx context.Context, target, accept string) ([]byte, *status.Status) {
			found, err := c.opt.Resolve(identity.WithSession(ctx, session), cluster)
			if err != nil {
				return nil, refused(err)
			}
			select {
			case <-login:
				return nil, &status.Status{Message: "The credentials or the address in the kubeconfig changed."}
			default:
			}
			who := wiretap.Who{Session: session, Cluster: cluster, Origin: wiretap.Scan}
			client := api.New(upstream.Target{Base: found.Base, Transport: c.opt.Tap.Transport(found.Transport, who)})
			return get(ctx, client, target, accept)
		},
	}
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
