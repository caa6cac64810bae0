// Package cluster starts, supervises and stops one practice cluster.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/fieldmark/fieldmark/practice/access"
	"github.com/fieldmark/fieldmark/practice/aggregated"
	"github.com/fieldmark/fieldmark/practice/content"
	"github.com/fieldmark/fieldmark/practice/controlplane"
	"github.com/fieldmark/fieldmark/practice/folder"
	"github.com/fieldmark/fieldmark/practice/metrics"
	"github.com/fieldmark/fieldmark/practice/nodes"
	"github.com/fieldmark/fieldmark/practice/pki"
	"github.com/fieldmark/fieldmark/practice/progress"
	"github.com/fieldmark/fieldmark/practice/releases"
	"github.com/fieldmark/fieldmark/practice/scenario"
	"github.com/fieldmark/fieldmark/practice/supervise"
)

// JanitorCommand is the name under which the janitor runs.
const JanitorCommand = "janitor"

// Options is what a user may choose.
type Options struct {
	// Dir is the cluster's folder; empty means a new private one.
	Dir string
	// KubeconfigOut is one more place for the kubeconfig; empty means none.
	KubeconfigOut string
	// Ephemeral removes the folder and KubeconfigOut at the end.
	Ephemeral bool
	// Port is the API server's port; 0 means a free one.
	Port int
	// Kubernetes is the minor version of the control plane, such as 1.33; empty means that of this program.
	Kubernetes string
	// Context is the name of the administrator's context in the kubeconfig; "-viewer" follows in that of the viewer.
	Context string
	// APIServerFlags are further flags of the API server, such as --runtime-config=policy/v1=false.
	APIServerFlags []string
	// AuthenticationConfig is a file with an AuthenticationConfiguration: the issuers whose tokens the API server accepts too. It reads the
	// file again when it changes. Empty means no issuers.
	AuthenticationConfig string
}

// Cluster is a practice cluster that is starting or running.
type Cluster struct {
	options Options
	report  *progress.Reporter
	log     *slog.Logger
	logFile *os.File

	release releases.Choice
	folder  *folder.Folder
	certs   *pki.Set
	port    *reservation
	spawner *supervise.Spawner
	janitor *supervise.Process
	// deaths receives the death of the first component that was given up.
	deaths chan *supervise.Death

	started    time.Time
	etcdPort   *reservation
	etcd       *supervise.Keeper
	apiServer  *supervise.Keeper
	others     []*supervise.Keeper
	keeping    sync.WaitGroup
	scenarios  sync.WaitGroup
	aggregated *aggregated.Server

	mu   sync.Mutex
	done map[progress.Step]bool     // the steps that were done once
	down map[progress.Step][]string // the components that are starting again
}

// Up starts a cluster and keeps it until the context ends, which is no error,
// or until something fails. Nothing of it is left running when Up returns.
func Up(ctx context.Context, options Options, report *progress.Reporter) error {
	c := &Cluster{
		options: options, report: report, deaths: make(chan *supervise.Death, 1), started: time.Now(),
		done: map[progress.Step]bool{}, down: map[progress.Step][]string{},
	}
	err := c.startAndWait(ctx)
	if ctx.Err() != nil {
		err = nil // everything that failed did so because the cluster was stopped
	}
	return errors.Join(err, c.shutDown(err))
}

func (c *Cluster) startAndWait(ctx context.Context) error {
	if err := c.prepare(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer c.scenarios.Wait()
	defer cancel(nil)
	go func() {
		select {
		case death := <-c.deaths:
			cancel(death)
		case <-ctx.Done():
		}
	}()
	if err := c.startAll(ctx); err != nil {
		return blame(ctx, err)
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

// blame returns the death of a component instead of an error that the death
// caused. The error may be noticed a little before the death.
func blame(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
	case <-time.After(300 * time.Millisecond):
		return err
	}
	var during *stepError
	var death *supervise.Death
	if errors.As(err, &during) && errors.As(context.Cause(ctx), &death) {
		return &stepError{step: during.step, err: death}
	}
	return err
}

// step runs do and reports the beginning and the end of the step. The text that do
// returns describes the result.
func (c *Cluster) step(step progress.Step, beginning string, do func() (string, error)) error {
	c.report.Report(step, progress.Started, "%s", beginning)
	message, err := do()
	if err != nil {
		return &stepError{step: step, err: err}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[step] = true
	c.report.Report(step, progress.Done, "%s", message)
	return nil
}

// stepError remembers during which step something failed.
type stepError struct {
	step progress.Step
	err  error
}

func (e *stepError) Error() string { return e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// prepare does what needs no other process.
func (c *Cluster) prepare() error {
	if err := c.step(progress.Folder, "Opening the folder", c.openFolder); err != nil {
		return err
	}
	return c.step(progress.Certificates, "Making certificates", func() (string, error) {
		var err error
		if c.certs, err = pki.Ensure(c.folder); err != nil {
			return "", err
		}
		return "Three private certificate authorities", nil
	})
}

func (c *Cluster) openFolder() (string, error) {
	var err error
	if c.release, err = c.choose(); err != nil {
		return "", err
	}
	if c.folder, err = folder.Open(c.options.Dir, c.options.Ephemeral); err != nil {
		return "", err
	}
	if err := c.folder.TakeOver(c.release.Version); err != nil {
		return "", err
	}
	if c.options.KubeconfigOut != "" {
		if err := access.Writable(c.options.KubeconfigOut); err != nil {
			return "", err
		}
	}
	if c.options.AuthenticationConfig, err = access.Readable(c.options.AuthenticationConfig); err != nil {
		return "", err
	}
	if err := c.openLog(); err != nil {
		return "", err
	}
	if c.port, err = reserve(c.options.Port); err != nil {
		return "", err
	}
	if c.spawner, err = supervise.NewSpawner(c.folder.Lock()); err != nil {
		return "", err
	}
	if c.folder.Ephemeral() {
		if c.janitor, err = c.spawner.Survivor(JanitorCommand, c.folder.Path(), c.options.KubeconfigOut); err != nil {
			return "", err
		}
		return c.folder.Path() + " (removed when the cluster stops)", nil
	}
	return c.folder.Path(), nil
}

// choose finds the control plane that the user has chosen.
func (c *Cluster) choose() (releases.Choice, error) {
	program, err := os.Executable()
	if err != nil {
		return releases.Choice{}, fmt.Errorf("finding the folder of this program: %w", err)
	}
	return releases.Choose(c.options.Kubernetes, filepath.Dir(program), releases.Own())
}

// openLog opens the supervisor's own log. The Kubernetes client also writes
// there: its errors about broken watches are not important enough for a terminal.
func (c *Cluster) openLog() error {
	var err error
	c.logFile, err = os.OpenFile(c.folder.LogPath(supervise.Name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return folder.Explain(err)
	}
	c.log = slog.New(slog.NewTextHandler(c.logFile, nil))
	klog.SetSlogLogger(c.log)
	return nil
}

func (c *Cluster) startAll(ctx context.Context) error {
	if err := c.step(progress.Etcd, "Starting etcd", func() (string, error) { return c.startEtcd(ctx) }); err != nil {
		return err
	}
	if err := c.step(progress.APIServer, "Starting the API server", func() (string, error) {
		return c.startAPIServer(ctx)
	}); err != nil {
		return err
	}
	return c.furnish(ctx)
}

// furnish starts and creates everything that needs an API server, at the same time.
func (c *Cluster) furnish(ctx context.Context) error {
	config := c.config("fieldmark-practice")
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return c.step(progress.Controllers, "Starting controllers and scheduler", func() (string, error) {
			return "Controllers and scheduler are running", controllersAtWork(groupCtx, client)
		})
	})
	group.Go(func() error {
		return c.step(progress.Nodes, "Starting simulated nodes", func() (string, error) {
			return fmt.Sprintf("%d simulated nodes ready", nodes.Count), nodesReady(groupCtx, client, c.started)
		})
	})
	group.Go(func() error {
		return c.step(progress.Content, "Applying the starter content", func() (string, error) {
			if err := scenario.Install(groupCtx, config); err != nil {
				return "", err
			}
			c.scenarios.Go(func() { c.runScenarios(ctx, config) })
			return c.bringContent(groupCtx, config)
		})
	})
	group.Go(func() error {
		return c.step(progress.Aggregated, "Adding aggregated APIs", func() (string, error) {
			return c.aggregate(groupCtx, config, client)
		})
	})
	if err := group.Wait(); err != nil {
		return err
	}
	c.report.Report(progress.Ready, progress.Done, "%s; kubeconfig: %s", controlplane.Endpoint(c.port.port), c.kubeconfigPath())
	return nil
}

// aggregate starts the aggregated APIs, and registers them at the API server.
func (c *Cluster) aggregate(ctx context.Context, config *rest.Config, client kubernetes.Interface) (string, error) {
	compact := rest.CopyConfig(config)
	compact.ContentType = "application/vnd.kubernetes.protobuf" // lists of all pods are read often
	reader, err := kubernetes.NewForConfig(compact)
	if err != nil {
		return "", err
	}
	usage := aggregated.API{
		Group: metrics.Group, Version: metrics.Version, Types: metrics.Types, Service: pki.MetricsService,
		Handler: metrics.NewHandler(reader, time.Now),
	}
	if c.aggregated, err = aggregated.Listen(c.certs, aggregated.MayHold(client), c.log, usage); err != nil {
		return "", err
	}
	return fmt.Sprintf("The API server serves %s and %s", aggregated.Group, metrics.Group), c.aggregated.Register(ctx, config, c.certs.ClusterCA.Cert)
}

func (c *Cluster) bringContent(ctx context.Context, config *rest.Config) (string, error) {
	if c.folder.ContentApplied() {
		return "Starter content of the last run is still there", nil
	}
	if err := content.Apply(ctx, config); err != nil {
		return "", err
	}
	if err := content.Running(ctx, config); err != nil {
		return "", err
	}
	return "Starter content is running", c.folder.MarkContentApplied()
}

func (c *Cluster) runScenarios(ctx context.Context, config *rest.Config) {
	if err := scenario.Run(ctx, config, c, c.log); err != nil && ctx.Err() == nil {
		c.log.Error("scenarios stopped", "error", err)
	}
}

func (c *Cluster) config(agent string) *rest.Config {
	return access.Config(controlplane.Endpoint(c.port.port), c.certs.ClusterCA.Cert, c.certs.Program.Pair, agent)
}

// grace is how long components may take to end when data is kept.
const grace = 4 * time.Second
