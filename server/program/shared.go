package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldmark/fieldmark/server/audit"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/compress"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/kubectl"
	"github.com/fieldmark/fieldmark/server/pages"
	"github.com/fieldmark/fieldmark/server/people"
	"github.com/fieldmark/fieldmark/server/quota"
	"github.com/fieldmark/fieldmark/server/settings"
	under "github.com/fieldmark/fieldmark/server/subpath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/subpath"
)

// serveShared runs the shared mode. It returns nil after ctx has ended and everything was stopped. An error is one line that says what to
// do. All settings are checked before an address is taken.
func serveShared(ctx context.Context, c Config, stdout, stderr io.Writer) error {
	a := &app{config: c, log: c.logger(stderr)}
	s, err := c.Shared.settings()
	if err != nil {
		return err
	}
	handler, err := a.shared(s, stdout)
	if err != nil {
		return err
	}
	secure, err := a.secure(s)
	if err != nil {
		return err
	}
	if a.listener, err = listen(c.Listen); err != nil {
		return err
	}
	defer a.listener.Close() //nolint:errcheck // the server has closed it before, unless it never ran
	if secure != nil {
		a.listener = secure(a.listener)
	}
	return a.liveShared(ctx, handler, stdout)
}

// secure is what serves TLS on a listener; nil: plain HTTP. Trusted proxies with certificates need TLS here, because nobody else sees those.
func (a *app) secure(s *settings.Settings) (func(net.Listener) net.Listener, error) {
	pair, err := newCertificate(a.config.Shared.TLSCert, a.config.Shared.TLSKey, time.Now, a.log)
	if err != nil {
		return nil, err
	}
	authority, err := newProxyAuthority(s.TrustedProxies.CAFile, time.Now, a.log)
	switch {
	case err != nil:
		return nil, err
	case pair == nil && authority != nil:
		return nil, errors.New("--proxy-ca needs --tls-cert and --tls-key: the proxy's certificate can only be seen where TLS ends")
	case pair == nil:
		return nil, nil
	}
	return func(l net.Listener) net.Listener {
		if authority == nil {
			return kubectl.Secure(l, pair.now, nil)
		}
		return kubectl.Secure(l, pair.now, authority.now)
	}, nil
}

// behind is the guard of the shared mode with everything behind it, and what is served at the address for health and metrics.
type behind struct {
	server  *http.Server
	monitor http.Handler
}

// shared puts the handlers of the shared mode together.
func (a *app) shared(s *settings.Settings, lines io.Writer) (*behind, error) {
	public, err := publicURL(s.PublicURL)
	if err != nil {
		return nil, err
	}
	all, err := sites(s, a.config.env)
	if err != nil {
		return nil, err
	}
	accounts, err := a.accounts(s)
	if err != nil {
		return nil, err
	}
	a.people = people.New(people.Options{
		Sites: all, Accounts: accounts, Cluster: cluster.Options{Log: a.log}, MaxSessions: s.Sessions.Max, MaxPerson: s.Sessions.PerPerson,
		Forgotten: func(id string) { a.sessionEnded(id) },
	})
	a.source = a.people
	door, err := a.door(s, public, all)
	if err != nil {
		return nil, err
	}
	a.public, a.below = public.String(), subpath.Path(public.Path)
	a.renewAt, a.share = door.RenewAt, sharing(s)
	p, err := a.parts()
	if err != nil {
		return nil, err
	}
	g, err := guard.New(guard.Options{
		Listen: []string{a.config.Listen}, Public: public, Door: door, ReadOnly: a.config.ReadOnly, WorkloadProxy: a.config.WorkloadProxy,
		SessionEnded: a.sessionEnded, Stylesheet: p.assets.Stylesheet, Inline: p.assets.EarlyHash(), Page: pages.Entry(p.assets), Log: a.log,
	})
	if err != nil {
		return nil, err
	}
	door.Behind(g)
	a.endPrograms = g.EndPrograms
	q := quota.New(quota.Options{
		Person: limits(s.Quotas.Person), Process: limits(s.Quotas.Process), Deny: g.Deny,
		Socket: func(r *http.Request) bool { return r.URL.Path == web.Socket },
	})
	a.expire = func(ctx context.Context) {
		go every(ctx, time.Minute, func() { a.people.Sweep(); q.Sweep() })
		g.Expire(ctx)
	}
	a.registerMetrics(p.metrics)
	inside := a.people.Remember(q.Wrap(audit.New(audit.Options{To: lines}).Wrap(a.routes(p, g, nil))))
	outside := compress.Handler(under.Handler(a.below, p.metrics.countRequests(g.Wrap(inside))), true)
	return &behind{server: g.Server(outside), monitor: a.monitor(p.metrics)}, nil
}

func limits(l settings.Limits) quota.Limits {
	return quota.Limits{
		Requests: l.RequestsPerSecond, Burst: l.Burst, Open: l.Requests, Sockets: l.Sockets, Upgrades: l.Exec, Bytes: l.BytesPerSecond,
	}
}

// registerMetrics adds the metrics of the shared mode. They have no names of people.
func (a *app) registerMetrics(m *metrics) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "fieldmark_sessions", Help: "Sessions that this replica remembers. Other replicas remember others.",
	}, func() float64 { return float64(a.people.Count()) }))
	if a.share != nil {
		a.countSharing(m)
	}
}

// every calls do again and again, until ctx ends.
func every(ctx context.Context, pause time.Duration, do func()) {
	ticks := time.NewTicker(pause)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			do()
		}
	}
}

// monitor is what programs that run Fieldmark need to know: whether it lives, whether it takes requests, and its metrics. No issuer and
// no cluster is asked for it. It tells nothing about people and clusters, and needs no session.
func (a *app) monitor(m *metrics) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+web.Healthz, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET "+web.Readyz, func(w http.ResponseWriter, _ *http.Request) { readiness(w, a.ready) })
	mux.Handle("GET "+web.Metrics, m.handler())
	return mux
}

// liveShared serves until ctx ends. Then it first says that it isn't ready, so that an ingress sends its requests elsewhere.
func (a *app) liveShared(ctx context.Context, b *behind, stdout io.Writer) error {
	base, cut := context.WithCancel(context.Background())
	defer cut()
	b.server.BaseContext = func(net.Listener) context.Context { return base }
	failed := make(chan error, 2)
	monitor, err := a.serveMonitor(b.monitor, failed)
	if err != nil {
		return err
	}
	defer monitor.Close() //nolint:errcheck // nobody waits for its last response
	go a.expire(base)
	go func() { failed <- b.server.Serve(guard.Listener(a.listener)) }()
	_, _ = fmt.Fprintf(stdout, "Fieldmark is ready at %s\n", a.public)
	select {
	case err := <-failed:
		return fmt.Errorf("the server stopped: %w", err)
	case <-ctx.Done():
	}
	a.log.Info("stopping", "drain", a.config.Shared.Drain.String())
	a.draining.Store(true)
	select {
	case err := <-failed:
		return fmt.Errorf("the server stopped: %w", err)
	case <-time.After(a.config.Shared.Drain):
	}
	defer a.scans.Close()
	defer a.censuses.Close()
	defer a.tasks.Close()
	defer a.watches.Close()
	return stop(b.server, a.relay, quietTime, cut)
}

// serveMonitor serves health and metrics at their own address, if there is one.
func (a *app) serveMonitor(handler http.Handler, failed chan<- error) (*http.Server, error) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second}
	if a.config.Shared.Monitor == "" {
		return server, nil
	}
	l, err := net.Listen("tcp", a.config.Shared.Monitor)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; choose another address with --metrics-listen", a.config.Shared.Monitor, errors.Unwrap(err))
	}
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}()
	return server, nil
}
