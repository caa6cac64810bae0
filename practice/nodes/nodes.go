// Package nodes simulates the nodes of a practice cluster: they are ready,
// renew their leases and bring pods to life, but run no containers.
package nodes

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/fieldmark/fieldmark/practice/access"
	"github.com/fieldmark/fieldmark/practice/kubelet"
	"github.com/fieldmark/fieldmark/practice/pki"
)

// Command is the name under which the simulated nodes run.
const Command = "nodes"

// Manager is the field manager of what the simulated kubelets write.
const Manager = "simulated-kubelet"

type options struct {
	kubeconfig, caFile, certFile, keyFile string
}

// Args returns the arguments for Run.
func Args(kubeconfig string, certs *pki.Set) []string {
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--ca-file=" + certs.ClusterCA.CertFile,
		"--cert-file=" + certs.Kubelet.CertFile,
		"--key-file=" + certs.Kubelet.KeyFile,
	}
}

// Run simulates the nodes until the context ends.
func Run(ctx context.Context, args []string, log *slog.Logger) error {
	var o options
	flags := pflag.NewFlagSet(Command, pflag.ContinueOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig of the API server")
	flags.StringVar(&o.caFile, "ca-file", "", "certificate authority of the kubelet's clients")
	flags.StringVar(&o.certFile, "cert-file", "", "the kubelet's certificate")
	flags.StringVar(&o.keyFile, "key-file", "", "the kubelet's key")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("reading the flags: %w", err)
	}
	config, err := access.FromFile(o.kubeconfig, Manager)
	if err != nil {
		return err
	}
	listener, err := listen(o)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return serve(ctx, listener, client, log) })
	group.Go(func() error { return simulate(ctx, config, client, listener.Addr().(*net.TCPAddr).Port, log) })
	return group.Wait()
}

func simulate(ctx context.Context, config *rest.Config, client kubernetes.Interface, port int, log *slog.Logger) error {
	if err := registerAll(ctx, client, port); err != nil {
		return fmt.Errorf("register the nodes: %w", err)
	}
	log.Info("nodes registered", "count", Count, "kubelet_port", port)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return turnContainers(ctx, client, log) })
	group.Go(func() error { return play(ctx, config, client) })
	return group.Wait()
}

// listen opens the kubelets' common endpoint: loopback, TLS, and only for
// clients that the cluster's authority knows.
func listen(o options) (net.Listener, error) {
	cert, err := tls.LoadX509KeyPair(o.certFile, o.keyFile)
	if err != nil {
		return nil, fmt.Errorf("reading the kubelet's certificate: %w", err)
	}
	ca, err := os.ReadFile(o.caFile)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate authority of the kubelet's clients: %w", err)
	}
	clients := x509.NewCertPool()
	if !clients.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("no certificate in %s", o.caFile)
	}
	listener, err := tls.Listen("tcp4", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12,
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients,
		NextProtos: []string{"http/1.1"}, // SPDY and WebSocket both start as HTTP/1.1
	})
	if err != nil {
		return nil, fmt.Errorf("opening the kubelets' endpoint: %w", err)
	}
	return listener, nil
}

func serve(ctx context.Context, listener net.Listener, client kubernetes.Interface, log *slog.Logger) error {
	server := &http.Server{
		Handler:           kubelet.Handler(pki.KubeletClientName, client, log),
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the kubelets' endpoint: %w", err)
	}
	return nil
}
