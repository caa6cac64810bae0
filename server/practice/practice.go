// Package practice starts the practice cluster as a child process, follows its progress, and stops it. If the command line names a
// build, that is the first child process: it compiles the practice cluster's program.
package practice

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// BinaryName is the program of the practice cluster. make build puts it beside our own program.
const BinaryName = "fieldmark-practice"

// Options say which program to run and where.
type Options struct {
	// Binary is the program's path; if empty, BinaryName beside our own program.
	Binary string
	// Build is a program that builds Binary (practice/build.sh); if empty, Binary must exist. Its arguments are Binary's folder and --beside.
	Build string
	// Kubernetes is the minor version of the control plane, such as 1.33; if empty, that of the program.
	Kubernetes string
	// Context is the name of the administrator's context, and of the cluster in URLs; if empty, cluster.Practice.
	Context string
	// Dir keeps the cluster's data; if empty, a private temporary folder that is deleted afterwards.
	Dir string
	// Grace is how long Stop waits before it kills the program; if 0, 10 seconds.
	Grace time.Duration
	// OnProgress is called after each change, one call at a time. It may be nil.
	OnProgress func(Progress)
	// Log gets the program's stderr at level debug; if nil, stderr is discarded.
	Log *slog.Logger
	// Now is the clock; if nil, time.Now.
	Now func() time.Time
}

// Practice is a practice cluster that was started. It is safe for concurrent use.
type Practice struct {
	// KubeconfigPath is the file with the contexts. It exists once APIReady is closed, and isn't known before the program runs.
	KubeconfigPath string

	options   Options
	binary    string
	temporary string
	stderr    tail

	compiling func() // closes the channel of Compiling, once
	compiles  chan struct{}
	apiReady  chan struct{}
	done      chan struct{}

	mu       sync.Mutex
	child    *child // the build, then the program
	progress Progress
	stopping bool
}

// Start starts the build, or the program if there is no build, and returns long before the cluster is ready. Errors say what to do. Both run
// until Stop is called, ctx ends, or our process ends: their stdin is a pipe from us, and they end when the pipe is closed.
func Start(ctx context.Context, o Options) (*Practice, error) {
	o = o.filled()
	binary, err := o.binary()
	if err != nil {
		return nil, err
	}
	p := &Practice{options: o, binary: binary, compiles: make(chan struct{}), apiReady: make(chan struct{}), done: make(chan struct{})}
	p.compiling = sync.OnceFunc(func() { close(p.compiles) })
	p.stderr.log = o.Log
	begin := p.startProgram
	if o.Build != "" {
		begin = p.build
	}
	if err := begin(); err != nil {
		p.removeTemporary()
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = p.Stop(context.WithoutCancel(ctx)) })
	return p, nil
}

func (o Options) filled() Options {
	if o.Grace <= 0 {
		o.Grace = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Context == "" {
		o.Context = cluster.Practice
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// ErrNotBuilt says that the practice cluster's program doesn't exist.
var ErrNotBuilt = errors.New("run `make build` first, which builds it (ten minutes the first time), or use --practice=off")

func (o Options) binary() (string, error) {
	path := o.Binary
	if path == "" {
		own, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("the folder of this program is unknown: %w; use --practice=off", err)
		}
		path = filepath.Join(filepath.Dir(own), BinaryName)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && o.Build == "" {
		return "", fmt.Errorf("the practice cluster's program %s doesn't exist: %w", path, ErrNotBuilt)
	}
	return path, nil
}

// arguments are the program's arguments. It makes the temporary folder if Dir is empty. The folder has all files, also the kubeconfig, so that the
// program can delete everything if our process is killed.
func (p *Practice) arguments() ([]string, error) {
	dir := p.options.Dir
	if dir == "" {
		temporary, err := os.MkdirTemp("", "fieldmark-")
		if err != nil {
			return nil, fmt.Errorf("can't make a temporary folder for the practice cluster: %w; set TMPDIR or use --practice-dir", reason(err))
		}
		p.temporary, dir = temporary, temporary
	}
	p.KubeconfigPath = filepath.Join(dir, "kubeconfig")
	args := []string{"up", "--dir", dir, "--kubeconfig-out", p.KubeconfigPath, "--die-with-stdin", "--progress", "json"}
	if p.options.Context != cluster.Practice {
		args = append(args, "--context", p.options.Context)
	}
	if p.options.Kubernetes != "" {
		args = append(args, "--kubernetes", p.options.Kubernetes)
	}
	if p.temporary != "" {
		args = append(args, "--ephemeral")
	}
	return args, nil
}

// startProgram starts the program. The caller holds the lock, unless nobody else knows p yet.
func (p *Practice) startProgram() error {
	args, err := p.arguments()
	if err != nil {
		return err
	}
	c, err := startChild(p.binary, args, &newsLines{take: p.news}, &p.stderr)
	if err != nil {
		return cannotStart(p.binary, err)
	}
	p.child = c
	go func() { p.ended(c.wait()) }()
	return nil
}

// notStarted begins the error of a program that can't be started.
const notStarted = "can't start the practice cluster's program "

func cannotStart(program string, err error) error {
	return fmt.Errorf(notStarted+"%s: %w; run make build again, or use --practice=off", program, reason(err))
}

// Contexts are the names of the administrator's context and of the viewer's.
func (p *Practice) Contexts() []string {
	return []string{p.options.Context, cluster.ViewerOf(p.options.Context)}
}

// APIReady is closed when the API server responds and the kubeconfig is written. It stays open if the cluster fails before that, so wait for Done,
// too.
func (p *Practice) APIReady() <-chan struct{} { return p.apiReady }

// Done is closed when the program has ended. Progress then says why.
func (p *Practice) Done() <-chan struct{} { return p.done }

// Compiling is closed when the build has something to download or to compile, which takes minutes, or when it has failed.
func (p *Practice) Compiling() <-chan struct{} { return p.compiles }

// Stop asks the program to end, waits up to Grace or until ctx ends, and then kills the program. It returns when the program has ended. The error
// says that the program had to be killed. Later calls wait, too.
func (p *Practice) Stop(ctx context.Context) error {
	p.mu.Lock()
	p.stopping = true
	running := p.child
	p.mu.Unlock()
	running.askToEnd() // closes its stdin
	grace := time.NewTimer(p.options.Grace)
	defer grace.Stop()
	select {
	case <-p.done:
		return nil
	case <-grace.C:
	case <-ctx.Done():
	}
	kill(running.cmd)
	<-p.done
	return fmt.Errorf("the practice cluster did not end within %s and was killed", p.options.Grace)
}

func (p *Practice) removeTemporary() {
	if p.temporary != "" {
		_ = os.RemoveAll(p.temporary)
	}
}

// reason is an error of the file system without its path, which the message already has.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
