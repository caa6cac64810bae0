package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/kubectl"
	"github.com/fieldmark/fieldmark/server/pages"
	"github.com/fieldmark/fieldmark/server/practice"
	"github.com/fieldmark/fieldmark/server/proxy"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/static"
)

// Bounds of a graceful stop: what is short may end by itself, then streams are cut, then everything.
const (
	quietTime = time.Second
	stopTime  = 9 * time.Second
)

// app is the program's parts, put together.
type app struct {
	config   Config
	log      *slog.Logger
	clusters *cluster.Registry
	practice *practice.Practice // nil: there is none
	trouble  *components.Notice // with the kubeconfig or the practice cluster as a whole
	listener net.Listener
	token    string
	trusted  []byte // the certificate by which kubectl knows us, as PEM
}

// serve is the whole of the program's life. It returns nil after ctx has ended and everything was
// stopped; an error is one line that says what to do.
func serve(ctx context.Context, c Config, stdout, stderr io.Writer) error {
	a := &app{config: c, log: c.logger(stderr), token: c.Token}
	if err := a.open(); err != nil {
		return err
	}
	defer a.listener.Close() //nolint:errcheck // the server has closed it before, unless it never ran
	if err := a.startPractice(ctx); err != nil {
		return err
	}
	defer a.stopPractice()
	server, err := a.server()
	if err != nil {
		return err
	}
	return a.live(ctx, server, stdout)
}

// open takes the address and reads the kubeconfig: what can fail at once fails before anything starts.
func (a *app) open() error {
	l, err := net.Listen("tcp", a.config.Listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another address with --listen (port 0 picks a free one)", a.config.Listen, errors.Unwrap(err))
	}
	cert, trusted, err := kubectl.Certificate(rand.Reader, time.Now(), l.Addr().String())
	if err != nil {
		return fmt.Errorf("cannot make a certificate: %w", err)
	}
	a.listener, a.trusted = kubectl.Listener(l, cert), trusted
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		a.log.Warn("listening beyond this machine, without encryption: put a TLS proxy in front, or listen on 127.0.0.1", "address", l.Addr().String())
	}
	if a.token == "" {
		if a.token, err = guard.NewToken(rand.Reader); err != nil {
			return fmt.Errorf("cannot make a launch token: %w", err)
		}
	}
	return a.loadClusters()
}

// loadClusters reads the kubeconfig. One that was named must be right; trouble with any other is told
// on the page, so that the practice cluster can be used all the same.
func (a *app) loadClusters() error {
	options := cluster.Options{Kubeconfig: a.config.Kubeconfig, Env: a.config.env, Log: a.log}
	registry, err := cluster.Load(options)
	if err == nil {
		a.clusters = registry
		if a.config.Kubeconfig != "" && len(registry.List()) == 0 {
			return errors.New(strings.Join(registry.Notes(), " "))
		}
		return nil
	}
	if a.config.Kubeconfig != "" {
		return err //nolint:wrapcheck // it names the file, and is for the user as it is
	}
	a.log.Warn("the kubeconfig was not used", "err", err)
	a.trouble = &components.Notice{Tone: components.Bad, Title: "The kubeconfig cannot be used", Words: err.Error()}
	if broken := (*cluster.ConfigError)(nil); errors.As(err, &broken) {
		a.trouble.Words, a.trouble.Advice = broken.Why, broken.Advice
	}
	a.clusters = cluster.New(options)
	return nil
}

// wantsPractice tells whether the practice cluster is to run.
func (a *app) wantsPractice() bool {
	if a.config.Practice != "auto" {
		return a.config.Practice == "on"
	}
	for _, c := range a.clusters.List() {
		if _, err := c.Target(); err == nil {
			return false
		}
	}
	return true
}

func (a *app) startPractice(ctx context.Context) error {
	if !a.wantsPractice() {
		return nil
	}
	reporter := newReporter(a.log)
	p, err := practice.Start(context.WithoutCancel(ctx), practice.Options{Dir: a.config.PracticeDir, OnProgress: reporter.report, Log: a.log})
	if err != nil && a.config.Practice == "on" {
		return fmt.Errorf("the practice cluster cannot start: %w", err)
	}
	if err != nil {
		a.log.Warn("no practice cluster", "err", err)
		a.trouble = &components.Notice{Tone: components.Warn, Title: "There is no practice cluster", Words: err.Error()}
		return nil
	}
	a.practice = p
	go func() {
		if err := practice.Register(ctx, p, a.clusters); err != nil && ctx.Err() == nil {
			a.log.Error("the practice cluster's contexts are not known", "err", err)
		}
	}()
	return nil
}

func (a *app) stopPractice() {
	if a.practice == nil {
		return
	}
	if err := a.practice.Stop(context.Background()); err != nil {
		a.log.Warn("the practice cluster did not stop by itself", "err", err)
	}
}

// server puts the handlers together, the guard in front of all.
func (a *app) server() (*http.Server, error) {
	assets, err := static.Load()
	if err != nil {
		return nil, fmt.Errorf("static files: %w", err)
	}
	tap := wiretap.New(wiretap.Options{})
	g, err := guard.New(guard.Options{
		Listen: []string{a.listener.Addr().String()}, Token: a.token,
		ReadOnly: a.config.ReadOnly, WorkloadProxy: a.config.WorkloadProxy,
		SessionEnded: tap.Forget, Stylesheet: assets.Stylesheet, Page: pages.Entry(assets), Log: a.log,
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // the guard's words are for the user as they are
	}
	pageOptions := pages.Options{
		Clusters: a.clusters, Assets: assets, Tap: tap, Session: sessionID,
		Trouble: a.trouble, ReadOnly: a.config.ReadOnly, Log: a.log,
	}
	if a.practice != nil {
		pageOptions.Practice = a.practice.Progress
	}
	metrics := newMetrics()
	routes := router(routing{
		pages: pages.New(pageOptions), assets: assets, metrics: metrics, ready: a.ready,
		proxy: proxy.New(proxy.Options{
			Resolve: a.resolve, Clusters: a.slugs, Tap: tap, Log: a.log,
			Session: func(ctx context.Context) string { s, _ := guard.SessionFrom(ctx); return s.ID },
		}),
	})
	return g.Server(metrics.count(g.Wrap(routes))), nil
}

func sessionID(r *http.Request) string {
	s, _ := guard.SessionFrom(r.Context())
	return s.ID
}

// resolve finds the way to a cluster for the proxy.
func (a *app) resolve(_ context.Context, slug string) (*upstream.Target, error) {
	c, ok := a.clusters.Get(slug)
	if !ok {
		return nil, unresolved{http.StatusNotFound, fmt.Sprintf("there is no cluster %q", slug)}
	}
	target, err := c.Target()
	if problem := (*cluster.Problem)(nil); errors.As(err, &problem) {
		return nil, unresolved{http.StatusServiceUnavailable, problem.Text + " " + problem.Advice}
	}
	return &target, err //nolint:wrapcheck // the proxy words what is no Problem
}

// unresolved is why a cluster cannot be asked, fit for showing.
type unresolved struct {
	code  int
	words string
}

func (u unresolved) Error() string { return strings.TrimSpace(u.words) }

// HTTPStatus is the status to answer with.
func (u unresolved) HTTPStatus() int { return u.code }

func (a *app) slugs() []string {
	var names []string
	for _, c := range a.clusters.List() {
		names = append(names, c.Slug())
	}
	return names
}

// ready tells whether what was asked for at the start is there; the words say what is missing.
func (a *app) ready() (ok bool, words string) {
	if a.practice == nil {
		return true, "ready"
	}
	progress := a.practice.Progress()
	return progress.APIReady && !progress.Ended, progress.Summary()
}

// live serves until ctx ends, and says on stdout, in one line, when and where.
func (a *app) live(ctx context.Context, server *http.Server, stdout io.Writer) error {
	base, cut := context.WithCancel(context.Background())
	defer cut()
	server.BaseContext = func(net.Listener) context.Context { return base }
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(guard.Listener(a.listener)) }()
	if err := a.awaitPractice(ctx); err != nil {
		return err
	}
	forget, err := a.writeKubeconfig()
	if err != nil {
		return err
	}
	defer forget()
	if ctx.Err() == nil {
		_, _ = fmt.Fprintf(stdout, "Fieldmark is ready at http://%s/?token=%s\n", a.listener.Addr(), url.QueryEscape(a.token))
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serving ended: %w", err)
	case <-ctx.Done():
		a.log.Info("stopping")
		return stop(server, cut)
	}
}

// writeKubeconfig lets kubectl in, where that was asked for; forget takes the file away again.
func (a *app) writeKubeconfig() (forget func(), err error) {
	file := a.config.KubeconfigOut
	if file == "" {
		return func() {}, nil
	}
	access := kubectl.Access{Address: a.listener.Addr().String(), Trusted: a.trusted, Token: a.token, Slugs: a.slugs()}
	if err := access.Write(file); err != nil {
		return nil, err //nolint:wrapcheck // it says which file, and why
	}
	return func() {
		if err := os.Remove(file); err != nil {
			a.log.Warn("the kubeconfig with the launch token was not removed", "err", err)
		}
	}, nil
}

// awaitPractice waits until the practice cluster answers, where it was asked for. One that fails is an
// error only if it was asked for by name.
func (a *app) awaitPractice(ctx context.Context) error {
	if a.practice == nil {
		return nil
	}
	select {
	case <-ctx.Done():
	case <-a.practice.APIReady():
	case <-a.practice.Done():
		words := a.practice.Progress().Summary()
		if a.config.Practice == "on" && ctx.Err() == nil {
			return errors.New(words)
		}
	}
	return nil
}

// stop ends the server gracefully: no new requests, a moment for short ones, then streams are cut.
func stop(server *http.Server, cut func()) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	defer time.AfterFunc(quietTime, cut).Stop()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("some requests did not end: %w", err), server.Close())
	}
	return nil
}
