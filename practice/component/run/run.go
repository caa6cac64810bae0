// Package run runs the components of a control plane, each in a process of its own.
package run

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"

	"github.com/fieldmark/fieldmark/practice/component"
)

// Main is the program of a control plane of one release: its first argument names the component.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := start(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", component.Program, err)
		os.Exit(1)
	}
}

func start(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return component.ErrNoSupervisor
	}
	if args[0] == "--version" {
		fmt.Println(version.Get().GitVersion)
		return nil
	}
	if err := component.Child(); err != nil {
		return err
	}
	return Component(ctx, args[0], args[1:])
}

// Component runs one component in this process. It returns when the component has ended.
func Component(ctx context.Context, name string, args []string) error {
	if name == component.APIServer {
		args = knownGates(args)
	}
	// The name of the program becomes the User-Agent, and the API server names field
	// managers after it. So each component needs its usual name.
	os.Args = append([]string{name}, args...)
	switch name {
	case component.Etcd:
		return etcd(ctx, args)
	case component.APIServer:
		return kube(apiserver.NewAPIServerCommand(), args)
	case component.ControllerManager:
		return kube(controllermanager.NewControllerManagerCommand(), args)
	case component.Scheduler:
		return kube(scheduler.NewSchedulerCommand(), args)
	}
	return fmt.Errorf("no such component: %s", name)
}

func kube(cmd *cobra.Command, args []string) error {
	cmd.SetArgs(args)
	if code := cli.Run(cmd); code != 0 {
		return fmt.Errorf("%s: exit code %d", cmd.Name(), code)
	}
	return nil
}
