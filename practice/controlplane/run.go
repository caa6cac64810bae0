package controlplane

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// Run runs one component in its own process. It returns when the
// component has ended.
func Run(ctx context.Context, component string, args []string) error {
	// The name of the program becomes the User-Agent, and the API server names field
	// managers after it. So each component needs its usual name.
	os.Args = append([]string{component}, args...)
	switch component {
	case Etcd:
		return runEtcd(ctx, args)
	case APIServer:
		return runKube(apiserver.NewAPIServerCommand(), args)
	case ControllerManager:
		return runKube(controllermanager.NewControllerManagerCommand(), args)
	case Scheduler:
		return runKube(scheduler.NewSchedulerCommand(), args)
	}
	return fmt.Errorf("no such component: %s", component)
}

func runKube(cmd *cobra.Command, args []string) error {
	cmd.SetArgs(args)
	if code := cli.Run(cmd); code != 0 {
		return fmt.Errorf("%s: exit code %d", cmd.Name(), code)
	}
	return nil
}

type etcdOptions struct {
	dataDir, caFile, certFile, keyFile string
	port                               int
	sync                               bool
}

func runEtcd(ctx context.Context, args []string) error {
	var o etcdOptions
	flags := pflag.NewFlagSet(Etcd, pflag.ContinueOnError)
	flags.StringVar(&o.dataDir, "data-dir", "", "where the data is kept")
	flags.StringVar(&o.caFile, "ca-file", "", "authority of clients and peers")
	flags.StringVar(&o.certFile, "cert-file", "", "certificate")
	flags.StringVar(&o.keyFile, "key-file", "", "key")
	flags.IntVar(&o.port, "port", 0, "port for clients")
	flags.BoolVar(&o.sync, "sync", true, "wait for the disk")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("reading the flags: %w", err)
	}
	server, err := embed.StartEtcd(etcdConfig(o))
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

// quota is room for the largest scenario, with its history, several times over.
const quota = 8 << 30

func etcdConfig(o etcdOptions) *embed.Config {
	tls := transport.TLSInfo{
		CertFile: o.certFile, KeyFile: o.keyFile, TrustedCAFile: o.caFile, ClientCertAuth: true,
	}
	client, _ := url.Parse(Endpoint(o.port))
	// The only member has no peers to listen for, but etcd wants to listen: any free port will do.
	listenPeer, _ := url.Parse(Endpoint(0))
	peer, _ := url.Parse(Endpoint(2380))

	config := embed.NewConfig()
	config.Name = "practice"
	config.Dir = o.dataDir
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{*client}, []url.URL{*client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{*listenPeer}, []url.URL{*peer}
	config.InitialCluster = config.Name + "=" + peer.String()
	// The supervisor reserves the port, so that nobody else can take it while etcd is down.
	config.SocketOpts.ReusePort = true
	config.ClientTLSInfo, config.PeerTLSInfo = tls, tls
	// The only member need not wait for others before it becomes the leader.
	config.TickMs, config.ElectionMs = 10, 100
	config.UnsafeNoFsync = !o.sync
	config.QuotaBackendBytes = quota
	config.LogLevel = "warn"
	config.LogOutputs = []string{"stderr"}
	return config
}
