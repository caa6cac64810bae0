// Command fieldmark-practice runs a real Kubernetes control plane with
// simulated nodes on this machine, for learning and for tests.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/fieldmark/fieldmark/practice/access"
	"github.com/fieldmark/fieldmark/practice/cluster"
	"github.com/fieldmark/fieldmark/practice/component"
	"github.com/fieldmark/fieldmark/practice/component/run"
	"github.com/fieldmark/fieldmark/practice/folder"
	"github.com/fieldmark/fieldmark/practice/nodes"
	"github.com/fieldmark/fieldmark/practice/releases"
	"github.com/fieldmark/fieldmark/practice/supervise"
)

func main() {
	start := time.Now()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := do(ctx, start, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", supervise.Name, err)
		os.Exit(1)
	}
}

func do(ctx context.Context, start time.Time, args []string) error {
	command := "--help"
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	switch command {
	case "up":
		return up(ctx, start, args)
	case "-h", "--help", "help":
		fmt.Print(usage)
		return nil
	case "--version", "version":
		fmt.Printf("%s (Kubernetes %s)\n", supervise.Name, releases.Own().Version)
		return nil
	case cluster.JanitorCommand:
		return sweep(args)
	case nodes.Command, component.Etcd, component.APIServer, component.ControllerManager, component.Scheduler:
		return part(ctx, command, args)
	}
	return fmt.Errorf("unknown command %q; try --help", command)
}

func part(ctx context.Context, name string, args []string) error {
	if err := component.Child(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if name == nodes.Command {
		return nodes.Run(ctx, args, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	}
	return run.Component(ctx, name, args)
}

// sweep is the janitor: it waits until the cluster has ended, and removes what
// the cluster could not remove itself.
func sweep(args []string) error {
	if len(args) != 2 {
		return component.ErrNoSupervisor
	}
	dir, kubeconfig := args[0], args[1]
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	return folder.Sweep(dir, func() error { return access.RemoveCopy(kubeconfig, dir) })
}

// watchStdin ends the context when standard input ends.
func watchStdin(ctx context.Context, stdin io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, stdin)
		cancel()
	}()
	return ctx
}
