// Package shell runs commands in the containers of simulated nodes: a shell and a few programs, over a file system in memory. It starts no process,
// and reads and writes no file of the machine.
//
//	stdin ▸ terminal, if there is one ▸ input ─┬▸ shell: a line, a statement
//	                                           └▸ pipe ▸ the statement that runs; what it leaves goes back to the input
//
// The language is that of a POSIX shell, interpreted by mvdan.cc/sh. The interpreter asks its handlers for files and programs. guard.go keeps it
// from its few other ways to the machine, and bounds what a command can take of it.
package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/fieldmark/fieldmark/practice/filesystem"
)

// Container is where a command runs.
type Container struct {
	Files    *filesystem.FS
	Hostname string
	// Env has elements of the form NAME=value.
	Env []string
	// Dir is where commands start.
	Dir string
	// Main is the command line of process 1.
	Main []string
	Now  func() time.Time
	// Fetch returns the body and the status code of an HTTP resource in the cluster.
	Fetch func(ctx context.Context, url string) (code int, body string, err error)
}

// Size is that of a terminal, in characters.
type Size struct{ Columns, Rows uint16 }

// Streams connect a command with its client. Each may be nil.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// TTY says that In and Out are a terminal's.
	TTY    bool
	Resize <-chan Size
}

// NotFoundError is returned if a container doesn't have the command.
type NotFoundError struct {
	Command string
	// Path says that Command is a path, so that it isn't looked for elsewhere.
	Path bool
}

func (e *NotFoundError) Error() string {
	if e.Path {
		return fmt.Sprintf("exec: %q: stat %s: no such file or directory", e.Command, e.Command)
	}
	return fmt.Sprintf("exec: %q: executable file not found in $PATH", e.Command)
}

// exit codes of shells.
const (
	misuse      = 2
	notRunnable = 126
	notFound    = 127
	killed      = 137
	crashed     = 139
	brokenPipe  = 141
	interrupted = 130
)

// job is one command of a client, with everything that it runs.
type job struct {
	c        *Container
	host     *Host
	in       *input
	out, err io.Writer
	tty      bool
	size     atomic.Pointer[Size]
	// stop ends the statement that runs, as Ctrl-C does.
	stop atomic.Pointer[context.CancelCauseFunc]
}

// Run runs a command until it ends or the context does, and returns its exit code.
func (h *Host) Run(ctx context.Context, c *Container, args []string, streams Streams) (int, error) {
	if len(args) == 0 {
		return 0, errors.New("no command was given")
	}
	file, err := c.lookup(args[0], c.Dir, c.env("PATH"))
	if err != nil {
		return 0, err
	}
	ctx, leave := h.enter(ctx)
	defer leave()
	s := &job{c: c, host: h, in: newInput(), tty: streams.TTY, out: writer(streams.Out, streams.TTY), err: writer(streams.Err, streams.TTY)}
	if streams.TTY && streams.Err == nil {
		s.err = s.out
	}
	s.size.Store(&Size{Columns: 80, Rows: 24})
	defer s.in.markEnded()
	s.connect(ctx, streams)
	runner, err := s.runner(c.Dir, environ(c.Env))
	if err != nil {
		return 0, err
	}
	if isShell(path.Base(file)) && len(args) == 1 {
		return s.runInput(ctx, runner), nil
	}
	code, _ := s.runStatement(ctx, runner, call(args))
	return code, nil
}

// connect starts what brings input to the job.
func (s *job) connect(ctx context.Context, streams Streams) {
	go func() {
		for {
			select {
			case size, more := <-streams.Resize:
				if !more {
					return
				}
				s.size.Store(&size)
			case <-ctx.Done():
				return
			}
		}
	}()
	if streams.In == nil {
		s.in.markEnded()
		return
	}
	go func() {
		defer s.in.markEnded()
		if s.tty {
			newTerminal(s.in, s.out, s.interrupt).feed(streams.In)
			return
		}
		_, _ = io.Copy(s.in, streams.In) // the client has gone, or has no more input
	}()
}

// errInterrupt is the end of a statement by Ctrl-C.
var errInterrupt = errors.New("interrupted")

// interrupt is Ctrl-C: it ends the statement that runs, or the line that is being read.
func (s *job) interrupt() {
	if stop := s.stop.Load(); stop != nil {
		(*stop)(errInterrupt)
		return
	}
	s.in.interrupt()
}

// writer returns where a command's output goes.
func writer(w io.Writer, tty bool) io.Writer {
	switch {
	case w == nil:
		return io.Discard
	case tty:
		return &cooked{out: w}
	}
	return w
}

// call is the statement that calls a program with exactly these arguments.
func call(args []string) *syntax.Stmt {
	words := make([]*syntax.Word, len(args))
	for i, arg := range args {
		words[i] = &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: arg}}}
	}
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Args: words}}
}

// env returns the value of a variable that the container has.
func (c *Container) env(name string) string {
	for _, pair := range c.Env {
		if key, value, _ := strings.Cut(pair, "="); key == name {
			return value
		}
	}
	if name == "PATH" {
		return usualPath
	}
	return ""
}

const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// lookup finds the file of a program.
func (c *Container) lookup(name, dir, searched string) (string, error) {
	if strings.Contains(name, "/") {
		file := absolute(dir, name)
		if info, err := c.Files.Stat(file); err != nil || !executable(info) {
			return "", &NotFoundError{Command: name, Path: true}
		}
		return file, nil
	}
	for _, place := range strings.Split(searched, ":") {
		file := absolute(dir, path.Join(place, name))
		if info, err := c.Files.Stat(file); err == nil && executable(info) && name != "" {
			return file, nil
		}
	}
	return "", &NotFoundError{Command: name}
}

func executable(info fs.FileInfo) bool { return !info.IsDir() && info.Mode()&0o111 != 0 }

func absolute(dir, name string) string {
	if path.IsAbs(name) {
		return name
	}
	return dir + "/" + name // not cleaned: a link in dir decides what ".." is
}

func isShell(name string) bool { return name == "sh" || name == "ash" || name == "bash" }

// exitCode returns the exit code that a run of the interpreter ended with, and says what else went wrong.
func (s *job) exitCode(ctx context.Context, err error) int {
	var status interp.ExitStatus
	switch cause := context.Cause(ctx); {
	case err == nil:
		return 0
	case errors.Is(cause, errInterrupt):
		return interrupted
	case errors.Is(cause, errMemory):
		_, _ = fmt.Fprintln(s.err, "Killed") // its output may be gone, too
		return killed
	case errors.As(err, &status):
		return int(status)
	case cause != nil:
		return killed
	}
	_, _ = fmt.Fprintf(s.err, "sh: %v\n", err) // the same
	return misuse
}
