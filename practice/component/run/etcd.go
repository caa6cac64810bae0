package run

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/embed"

	"github.com/fieldmark/fieldmark/practice/component"
)

func etcd(ctx context.Context, args []string) error {
	flags := pflag.NewFlagSet(component.Etcd, pflag.ContinueOnError)
	file := flags.String("config-file", "", "etcd's configuration")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("reading the flags: %w", err)
	}
	// The fields of the configuration have other names from release to release. Those of its file stay.
	config, err := embed.ConfigFromFile(*file)
	if err != nil {
		return fmt.Errorf("reading etcd's configuration: %w", err)
	}
	// The supervisor reserves the port, so that nobody else can take it while etcd is down.
	config.SocketOpts.ReusePort = true
	server, err := embed.StartEtcd(config)
	if err != nil {
		return fmt.Errorf("starting etcd: %w", err)
	}
	defer server.Close()
	select {
	case err := <-server.Err():
		return err
	case <-server.Server.StopNotify():
		return nil
	case <-ctx.Done():
		return nil
	}
}
