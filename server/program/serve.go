package program

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/assistants"
	"github.com/fieldmark/fieldmark/server/census"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/contention"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/kubectl"
	"github.com/fieldmark/fieldmark/server/learner"
	"github.com/fieldmark/fieldmark/server/people"
	"github.com/fieldmark/fieldmark/server/relay"
	"github.com/fieldmark/fieldmark/server/task"
	"github.com/fieldmark/fieldmark/server/viewas"
	watches "github.com/fieldmark/fieldmark/server/watched"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web/frame/subpath"
)

// Bounds of a graceful stop: short requests may end, then streams are cut, then everything.
const (
	quietTime      = time.Second
	quietTimeAlone = 300 * time.Millisecond // in local mode, whose program ends within a second
	stopTime       = 9 * time.Second
)

// app is the program's parts, put together.
type app struct {
	config    Config
	log       *slog.Logger
	clusters  *cluster.Registry // those of local mode
	views     *viewas.Source
	source    cluster.Source                 // has the clusters of each session; in local mode, clusters with views in front
	practices practices                      // the practice clusters; the first is called practice
	trouble   []components.Notice            // with the kubeconfig or the practice cluster as a whole
	people    *people.People                 // nil in local mode
	public    string                         // where browsers reach a shared Fieldmark
	below     subpath.Path                   // the path of that address
	renewAt   func(session string) time.Time // when a session must be renewed; nil in local mode
	share     func(slug, group string) bool  // which watches people share; nil: none
	draining  atomic.Bool                    // a shared Fieldmark is about to stop
	tap       *wiretap.Log                   // nil: nothing is recorded
	relay     *relay.Relay
	scans     *contention.Scans
	censuses  *census.Censuses
	tasks     *task.Tasks
	learner   *learner.Store // nil: only browsers keep the progress in the field guide
	watches   *watches.Watches
	listener  net.Listener
	address   string // host:port at which people and programs on this machine reach Fieldmark
	token     string
	expire    func(context.Context)              // ends sessions whose time is over
	link      func(there string) (string, error) // makes a link that signs one browser in
	trusted   []byte                             // the certificate that kubectl must trust, as PEM

	assistants  *assistants.Assistants
	endPrograms func(session string) // deletes the tokens for programs that a session has made
}

// serve runs the program. It returns nil after ctx has ended and everything was stopped. An error is one line that says what to do.
func serve(ctx context.Context, c Config, stdout, stderr io.Writer) error {
	a := &app{config: c, log: c.logger(stderr), token: c.Token}
	if err := a.listenAndLoad(ctx); err != nil {
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
	return a.live(ctx, server, stdout, stderr)
}

// listenAndLoad takes the address and reads the kubeconfig: what can fail at once fails before anything starts.
func (a *app) listenAndLoad(ctx context.Context) error {
	l, err := listen(a.config.Listen)
	if err != nil {
		return err
	}
	a.address = numeric(l.Addr())
	l = a.ownUsers(ctx, l)
	cert, trusted, err := a.certificate()
	if err != nil {
		return fmt.Errorf("cannot make a certificate: %w", err)
	}
	a.listener, a.trusted = kubectl.Listener(l, cert), trusted
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		a.log.Warn("Fieldmark listens beyond this machine, which is not supported yet. Browsers on other machines can't sign in over plain HTTP. Programs can use TLS with the kubeconfig of --kubeconfig-out", "address", l.Addr().String())
	}
	if a.token == "" {
		if a.token, err = guard.NewToken(rand.Reader); err != nil {
			return fmt.Errorf("cannot make a launch token: %w", err)
		}
	}
	if err := a.loadClusters(); err != nil {
		return err
	}
	a.source = a.clusters
	return nil
}

// live serves until ctx ends. Once it is ready, it prints one line with its address to stdout.
func (a *app) live(ctx context.Context, server *http.Server, stdout, stderr io.Writer) error {
	base, cut := context.WithCancel(context.Background())
	defer cut()
	server.BaseContext = func(net.Listener) context.Context { return base }
	go a.expire(base)
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
	following, unfollow := context.WithCancel(ctx)
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		a.followClusters(following)
	}()
	defer func() { unfollow(); <-followed }()
	if ctx.Err() == nil {
		if err := a.announce(stdout, stderr); err != nil {
			return err
		}
	}
	select {
	case err := <-failed:
		return fmt.Errorf("the server stopped: %w", err)
	case <-ctx.Done():
		a.log.Info("stopping")
		defer a.scans.Close()
		defer a.censuses.Close()
		defer a.tasks.Close()
		defer a.watches.Close()
		return stop(server, a.relay, quietTimeAlone, cut)
	}
}

// announce prints where Fieldmark is. URLs get into histories and logs, so the link holds a code for one visit and not the launch token. The
// code's minutes begin now.
func (a *app) announce(stdout, stderr io.Writer) error {
	link, err := a.link("/")
	if err != nil {
		return err
	}
	a.tellToken(stderr)
	_, _ = fmt.Fprintf(stdout, "Fieldmark is ready at %s\n", link)
	return nil
}

// tellToken prints a random launch token, which programs and further browsers need. It does so only at a terminal: otherwise the token
// would end up in a log.
func (a *app) tellToken(stderr io.Writer) {
	switch file, ok := stderr.(*os.File); {
	case a.config.Token != "":
	case ok && term.IsTerminal(int(file.Fd())):
		_, _ = fmt.Fprintf(stderr, "Launch token, for programs and other browsers: %s\n", a.token)
	case a.config.KubeconfigOut == "":
		a.log.Info("the launch token is random and is not printed. To use programs or to sign in later, start Fieldmark with your own token in FIELDMARK_TOKEN, or with --kubeconfig-out")
	}
}

// stop ends the server gracefully: it accepts no new requests, closes the WebSockets with a reason, waits a moment for short requests,
// and then cuts streams.
func stop(server *http.Server, sockets *relay.Relay, quiet time.Duration, cut func()) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	defer time.AfterFunc(quiet, cut).Stop()
	told := make(chan struct{})
	go func() {
		defer close(told)
		sockets.Close(ctx)
	}()
	err := server.Shutdown(ctx)
	<-told
	if err != nil {
		return errors.Join(fmt.Errorf("some requests did not end: %w", err), server.Close())
	}
	return nil
}

// writeKubeconfig writes the kubeconfig of --kubeconfig-out, if there is one; forget removes the file.
func (a *app) writeKubeconfig() (forget func(), err error) {
	file := a.config.KubeconfigOut
	if file == "" {
		return func() {}, nil
	}
	access := a.access()
	if err := access.Write(file); err != nil {
		return nil, err
	}
	return func() {
		if err := access.Remove(file); err != nil {
			a.log.Warn("a file could not be removed", "err", err)
		}
	}, nil
}

// access is the content of a kubeconfig for Fieldmark.
func (a *app) access() kubectl.Access {
	return kubectl.Access{Address: a.address, Trusted: a.trusted, Token: a.token, Slugs: a.slugs()}
}

// renewKubeconfig writes the kubeconfig again after clusters were added or removed.
func (a *app) renewKubeconfig() error {
	if a.config.KubeconfigOut == "" {
		return nil
	}
	return a.access().Write(a.config.KubeconfigOut)
}
