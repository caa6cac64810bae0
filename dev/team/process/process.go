// Package process runs the programs under test, and leaves none of them behind.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Process is a program that was started.
type Process struct {
	cmd   *exec.Cmd
	ended chan struct{}
	said  output

	killed bool // by Kill
}

// grace is how long a program may take to end by itself.
const grace = 30 * time.Second

// Start starts a program. What it prints is kept. Its standard input stays open until it ends, or until this process does.
func Start(env []string, program string, args ...string) (*Process, error) {
	p := &Process{cmd: exec.CommandContext(context.Background(), program, args...), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	if _, err := p.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("opening the standard input: %w", err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// Said is what the program has printed so far.
func (p *Process) Said() string { return p.said.String() }

// Await waits until the program is ready, which it may never be.
func (p *Process) Await(ctx context.Context, ready func(context.Context) error) error {
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("it ended: %s", p.Said())
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err, errors.New(p.Said()))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Stop lets the program end by itself, and kills it if it doesn't. It fails if the program had to be killed, or ended with another code than 0,
// unless a test has killed it before.
func (p *Process) Stop() error {
	if p.killed {
		return nil
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(grace):
		p.Kill()
		return fmt.Errorf("%s didn't end within %s: %s", p.cmd.Path, grace, p.Said())
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("%s ended with %d: %s", p.cmd.Path, code, p.Said())
	}
	return nil
}

// Kill ends the program at once, like a machine that is gone.
func (p *Process) Kill() {
	p.killed = true
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// output can be read while it is written.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p) // a buffer doesn't fail
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
