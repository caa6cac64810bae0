// Package practice starts the practice cluster as a child process, follows its progress, and stops it.
package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
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
	// KubeconfigPath is the file with the contexts. It exists once APIReady is closed.
	KubeconfigPath string

	options   Options
	cmd       *exec.Cmd
	stdin     io.Closer
	temporary string
	stderr    tail

	apiReady chan struct{}
	done     chan struct{}

	mu       sync.Mutex
	progress Progress
	stopping bool
}

// Start starts the program, and returns long before the cluster is ready. Errors say what to do. The program runs until Stop is called, ctx ends,
// or our process ends: the program's stdin is a pipe from us, and it ends when the pipe is closed.
func Start(ctx context.Context, o Options) (*Practice, error) {
	o = o.filled()
	binary, err := o.binary()
	if err != nil {
		return nil, err
	}
	p := &Practice{options: o, apiReady: make(chan struct{}), done: make(chan struct{})}
	args, err := p.arguments()
	if err != nil {
		return nil, err
	}
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), binary, args...) // when ctx ends, Stop is called; see below
	p.cmd.Env = cluster.Environ(os.Environ())
	p.cmd.Stdout = &newsLines{take: p.news}
	p.cmd.Stderr = &p.stderr
	p.stderr.log = o.Log
	p.cmd.WaitDelay = 2 * time.Second
	apartFromTerminal(p.cmd)
	if err := p.run(binary); err != nil {
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
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the practice cluster's program %s doesn't exist: %w", path, ErrNotBuilt)
	}
	return path, nil
}

// arguments are the program's arguments. It makes the temporary folder if Dir is empty. The folder has all files, also the kubeconfig, so that the
// program can delete everything if our process is killed.
func (p *Practice) arguments() ([]string, error) {
	dir := p.options.Dir
	if dir != "" {
		p.KubeconfigPath = filepath.Join(dir, "kubeconfig")
		return append(p.common(dir), "--progress", "json"), nil
	}
	temporary, err := os.MkdirTemp("", "fieldmark-")
	if err != nil {
		return nil, fmt.Errorf("can't make a temporary folder for the practice cluster: %w; set TMPDIR or use --practice-dir", reason(err))
	}
	p.temporary = temporary
	p.KubeconfigPath = filepath.Join(temporary, "kubeconfig")
	return append(p.common(temporary), "--ephemeral", "--progress", "json"), nil
}

func (p *Practice) common(dir string) []string {
	return []string{"up", "--dir", dir, "--kubeconfig-out", p.KubeconfigPath, "--die-with-stdin"}
}

func (p *Practice) run(binary string) error {
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("can't start the practice cluster's program %s: %w; run make build again, or use --practice=off", binary, reason(err))
	}
	p.stdin = stdin
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("can't start the practice cluster's program %s: %w; run make build again, or use --practice=off", binary, reason(err))
	}
	go func() { p.ended(p.cmd.Wait()) }()
	return nil
}

// APIReady is closed when the API server responds and the kubeconfig is written. It stays open if the cluster fails before that, so wait for Done,
// too.
func (p *Practice) APIReady() <-chan struct{} { return p.apiReady }

// Done is closed when the program has ended. Progress then says why.
func (p *Practice) Done() <-chan struct{} { return p.done }

// Stop asks the program to end, waits up to Grace or until ctx ends, and then kills the program. It returns when the program has ended. The error
// says that the program had to be killed. Later calls wait, too.
func (p *Practice) Stop(ctx context.Context) error {
	p.mu.Lock()
	p.stopping = true
	p.mu.Unlock()
	_ = p.stdin.Close() // the program ends when its stdin is closed
	grace := time.NewTimer(p.options.Grace)
	defer grace.Stop()
	select {
	case <-p.done:
		return nil
	case <-grace.C:
	case <-ctx.Done():
	}
	kill(p.cmd)
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
