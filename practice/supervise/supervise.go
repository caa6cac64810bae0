// Package supervise runs the components of a practice cluster as child
// processes that cannot outlive their supervisor.
//
// Every child inherits the reading end of a pipe whose writing end only the
// supervisor holds. When the supervisor ends, for any reason, the pipe
// ends and the children exit. On Linux the kernel also kills them.
package supervise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/fieldmark/fieldmark/practice/folder"
)

// Name is the name of the processes of a cluster.
const Name = "fieldmark-practice"

// Spawner starts child processes. All of them are started from one operating
// system thread that lives as long as the spawner: the kernel's signal for a
// parent's death is sent when the *thread* that started the child ends.
type Spawner struct {
	lock     *os.File
	lifeline struct{ read, write *os.File }
	requests chan func()
	closed   chan struct{}
}

// NewSpawner returns a spawner whose children keep the lock file locked.
func NewSpawner(lock *os.File) (*Spawner, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("opening a pipe: %w", err)
	}
	s := &Spawner{lock: lock, requests: make(chan func()), closed: make(chan struct{})}
	s.lifeline.read, s.lifeline.write = read, write
	go s.spawn()
	return s, nil
}

func (s *Spawner) spawn() {
	runtime.LockOSThread()
	for {
		select {
		case request := <-s.requests:
			request()
		case <-s.closed:
			return
		}
	}
}

// Close ends the lifeline: children that are still there exit.
func (s *Spawner) Close() error {
	close(s.closed)
	return errors.Join(s.lifeline.write.Close(), s.lifeline.read.Close())
}

// Component starts a program as the named component, with its output in the log file. The empty program is this one again.
func (s *Spawner) Component(program, name, logPath string, args ...string) (*Process, error) {
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, folder.Explain(err)
	}
	defer func() { _ = log.Close() }()
	if program == "" {
		program = executable()
	}
	cmd := command(program, append([]string{name}, args...))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{s.lifeline.read, s.lock}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's Ctrl-C is for the supervisor alone
	dieWithParent(cmd.SysProcAttr)
	return s.start(name, logPath, cmd)
}

// Survivor starts this program again as something that outlives the supervisor.
func (s *Spawner) Survivor(name string, args ...string) (*Process, error) {
	cmd := command(executable(), append([]string{name}, args...))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return s.start(name, "", cmd)
}

func command(program string, args []string) *exec.Cmd {
	// A child ends by Stop, by Kill or with the supervisor, never with the context of a single call.
	cmd := exec.CommandContext(context.Background(), program)
	cmd.Args = append([]string{Name}, args...)
	return cmd
}

func (s *Spawner) start(name, logPath string, cmd *exec.Cmd) (*Process, error) {
	started := make(chan error, 1)
	select {
	case s.requests <- func() { started <- cmd.Start() }:
	case <-s.closed:
		return nil, errors.New("the spawner is closed")
	}
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &Process{Name: name, LogPath: logPath, cmd: cmd, done: make(chan struct{})}
	go p.wait()
	return p, nil
}

// Process is a child process.
type Process struct {
	Name    string
	LogPath string

	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

func (p *Process) wait() {
	p.err = p.cmd.Wait()
	close(p.done)
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Kill ends the process at once and waits until it is gone.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // an error means that it has ended already
	<-p.done
}

// Stop asks the process to end, gives it time, and then kills it.
func (p *Process) Stop(grace time.Duration) {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(grace):
		p.Kill()
	}
}

// Death returns the error of a process that has ended: how, what it logged
// last, and where the whole log is.
func (p *Process) Death() *Death {
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	return &Death{Component: p.Name, How: how, LogPath: p.LogPath, LastLines: lastLines(p.LogPath, 8)}
}
