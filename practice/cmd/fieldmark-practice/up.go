package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/fieldmark/fieldmark/practice/access"
	"github.com/fieldmark/fieldmark/practice/cluster"
	"github.com/fieldmark/fieldmark/practice/progress"
)

const usage = `fieldmark-practice runs a real Kubernetes control plane (etcd, kube-apiserver,
kube-controller-manager, kube-scheduler) with simulated nodes and a small shop
as starter content. It listens on 127.0.0.1 only, needs no container runtime,
and leaves nothing running when it stops.

Usage:
  fieldmark-practice up [flags]   start a practice cluster and keep it until stopped
  fieldmark-practice --version
  fieldmark-practice --help

Flags of up:
      --dir D              keep the cluster's data, keys and logs in folder D; if D
                           has a practice cluster, start it again
                           (default: a private temporary folder, removed at the end)
      --ephemeral          remove the folder and the kubeconfig at the end, also
                           after a kill -9
      --kubeconfig-out F   also write the kubeconfig to the file F (contexts:
                           practice, practice-viewer)
      --kubernetes V       minor version of the control plane, such as 1.33. The version
                           of this program needs nothing else; others are built by
                           make controlplanes (default: that of this program)
      --context NAME       name of the context in the kubeconfig; that of the viewer
                           is NAME-viewer (default practice)
      --port N             port of the API server (default: a free one)
      --authentication-config F
                           also accept the tokens of the issuers in the file F (an
                           AuthenticationConfiguration); a change of the file
                           takes effect within a minute
      --api-server-flag F  one more flag of the API server, such as
                           --runtime-config=policy/v1=false; may be repeated
      --progress FORMAT    format of the progress on standard output: text, or
                           json with one object a line (default text)
      --die-with-stdin     stop when standard input ends
`

type upFlags struct {
	cluster.Options
	progress     string
	dieWithStdin bool
}

func parseUp(args []string) (*upFlags, error) {
	var f upFlags
	flags := pflag.NewFlagSet("up", pflag.ContinueOnError)
	flags.Usage = func() {}
	flags.StringVar(&f.Dir, "dir", "", "")
	flags.StringVar(&f.KubeconfigOut, "kubeconfig-out", "", "")
	flags.BoolVar(&f.Ephemeral, "ephemeral", false, "")
	flags.BoolVar(&f.dieWithStdin, "die-with-stdin", false, "")
	flags.StringVar(&f.progress, "progress", string(progress.Text), "")
	flags.StringVar(&f.Kubernetes, "kubernetes", "", "")
	flags.StringVar(&f.Context, "context", access.AdminContext, "")
	flags.IntVar(&f.Port, "port", 0, "")
	flags.StringArrayVar(&f.APIServerFlags, "api-server-flag", nil, "")
	flags.StringVar(&f.AuthenticationConfig, "authentication-config", "", "")
	if err := flags.Parse(args); err != nil {
		return nil, fmt.Errorf("reading the flags: %w", err)
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("up takes no arguments, only flags; got %q", flags.Arg(0))
	}
	if f.Port < 0 || f.Port > 65535 {
		return nil, fmt.Errorf("--port must be a number from 0 to 65535, not %d", f.Port)
	}
	return &f, nil
}

func up(ctx context.Context, start time.Time, args []string) error {
	flags, err := parseUp(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Print(usage)
		return nil
	}
	if err != nil {
		return err
	}
	format, err := progress.ParseFormat(flags.progress)
	if err != nil {
		return err
	}
	if flags.dieWithStdin {
		ctx = watchStdin(ctx, os.Stdin)
	}
	return cluster.Up(ctx, flags.Options, progress.New(os.Stdout, format, start))
}
