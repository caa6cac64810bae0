package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// PluginCommand is the hidden first argument with which our own binary runs a credentials plugin:
//
//	fieldmark credential-plugin --timeout 30s --says file --parent 4711 -- command args…
const PluginCommand = "credential-plugin"

// Exit codes of PluginMain, in addition to the plugin's own.
const (
	exitUsage     = 200 // also a plugin's own code of 200 and more
	exitTimeout   = 201
	exitNotFound  = 202
	exitNotRun    = 203 // the command exists, but can't be started
	exitNoJSON    = 204 // its output is no ExecCredential
	exitTooMuch   = 205
	exitCancelled = 206
)

// maxCredential bounds what a plugin may print.
const maxCredential = 1 << 20

// PluginMain runs a credentials plugin for client-go and returns the exit code: 0 when the plugin printed
// an ExecCredential, which then goes to stdout whole. The plugin has no stdin. What it writes to stderr is
// dropped, except for its last line (see saying). At the deadline, and when the parent has ended, its whole process group is killed. args follow
// PluginCommand.
func PluginMain(args []string) int {
	flags := flag.NewFlagSet(PluginCommand, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	timeout := flags.Duration("timeout", 30*time.Second, "")
	says := flags.String("says", "", "")
	parent := flags.Int("parent", os.Getppid(), "")
	if err := flags.Parse(args); err != nil || flags.NArg() == 0 {
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	go endAfter(ctx, *parent, cancel)
	told := newSaying(*says)
	defer told.close()
	credential, code := runPlugin(ctx, told, flags.Arg(0), flags.Args()[1:])
	if code != 0 {
		return code
	}
	if _, err := os.Stdout.Write(credential); err != nil {
		return exitCancelled
	}
	return 0
}

// orphanCheck is how often a plugin's parent is looked for.
const orphanCheck = 50 * time.Millisecond

// endAfter calls end when this process has another parent. Nobody waits for the credential then. No signal tells it, and a killed parent sends none.
func endAfter(ctx context.Context, parent int, end func()) {
	for ctx.Err() == nil {
		if os.Getppid() != parent {
			end()
		}
		select {
		case <-ctx.Done():
		case <-time.After(orphanCheck):
		}
	}
}

func runPlugin(ctx context.Context, told io.Writer, command string, args []string) (credential []byte, code int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &capture{full: cancel}
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Env = Environ(os.Environ())
	cmd.Stdout, cmd.Stderr = out, told
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	err := cmd.Run()
	if code := exitOf(ctx, out, err); code != 0 {
		return nil, code
	}
	if !isCredential(out.kept) {
		return nil, exitNoJSON
	}
	return out.kept, 0
}

// exitOf is the exit code that says how the plugin ended; 0: without an error.
func exitOf(ctx context.Context, out *capture, err error) int {
	exited, isExit := errors.AsType[*exec.ExitError](err)
	switch {
	case out.overflowed:
		return exitTooMuch
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // the latter: the plugin has ended, but a child process still has its stdout
		return 0
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return exitTimeout
	case ctx.Err() != nil:
		return exitCancelled
	case isExit && exited.ExitCode() > 0:
		return min(exited.ExitCode(), exitUsage)
	case isExit:
		return exitUsage // killed by a signal
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return exitNotFound
	}
	return exitNotRun
}

// isCredential checks only apiVersion and kind; client-go reads the rest.
func isCredential(data []byte) bool {
	var envelope struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	return json.Unmarshal(data, &envelope) == nil && envelope.Kind == "ExecCredential" &&
		strings.HasPrefix(envelope.APIVersion, "client.authentication.k8s.io/")
}

// capture keeps up to maxCredential bytes, and calls full when more come. It doesn't embed its buffer,
// because io.Copy would then write past the bound.
type capture struct {
	kept       []byte
	full       func()
	overflowed bool
}

// Write keeps what there is room for.
func (c *capture) Write(p []byte) (int, error) {
	if len(c.kept)+len(p) > maxCredential {
		c.overflowed = true
		c.full()
		return len(p), nil
	}
	c.kept = append(c.kept, p...)
	return len(p), nil
}
