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

	"k8s.io/component-base/version"

	"github.com/fieldmark/fieldmark/practice/access"
	"github.com/fieldmark/fieldmark/practice/cluster"
	"github.com/fieldmark/fieldmark/practice/controlplane"
	"github.com/fieldmark/fieldmark/practice/folder"
	"github.com/fieldmark/fieldmark/practice/nodes"
	"github.com/fieldmark/fieldmark/practice/supervise"
)

func main() {
	start := time.Now()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, start, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", supervise.Name, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, start time.Time, args []string) error {
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
		fmt.Printf("%s (Kubernetes %s)\n", supervise.Name, version.Get().GitVersion)
		return nil
	case cluster.JanitorCommand:
		return sweep(args)
	case nodes.Command, controlplane.Etcd, controlplane.APIServer, controlplane.ControllerManager, controlplane.Scheduler:
		return component(ctx, command, args)
	}
	return fmt.Errorf("unknown command %q; try --help", command)
}

func component(ctx context.Context, name string, args []string) error {
	if err := supervise.Child(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if name == nodes.Command {
		return nodes.Run(ctx, args, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	}
	return controlplane.Run(ctx, name, args)
}

// sweep is the janitor: it waits until the cluster has ended, and removes what
// the cluster could not remove itself.
func sweep(args []string) error {
	if len(args) != 2 {
		return supervise.ErrNoSupervisor
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
