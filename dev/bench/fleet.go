package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// fleet has replicas of the shared mode behind a proxy. They share only a key.
type fleet struct {
	lab      *lab
	robin    *robin
	public   string // the address in browsers
	replicas []*replica
	pages    *http.Client
}

// replica is one process of the shared mode.
type replica struct {
	*program
	address string // host:port
	monitor target // health and metrics
}

// pid is the process.
func (r *replica) pid() int { return r.command.Process.Pid }

// openFleet starts n replicas. args are more arguments of each.
func (l *lab) openFleet(ctx context.Context, n int, args ...string) (*fleet, error) {
	proxy, err := startRobin(ctx)
	if err != nil {
		return nil, err
	}
	f := &fleet{lab: l, robin: proxy, public: "http://" + proxy.listenAddress(), pages: pageClient()}
	key, clusters, err := l.sharedFiles()
	if err != nil {
		f.close()
		return nil, err
	}
	args = append([]string{
		"--shared", "--public-url", f.public, "--session-keys", key, "--clusters", clusters, "--allow-tokens", "--drain", "0s", "--log-level", "error",
	}, args...)
	var addresses []string
	for range n {
		r, err := l.startReplica(ctx, args)
		if err != nil {
			f.close()
			return nil, err
		}
		f.replicas = append(f.replicas, r)
		addresses = append(addresses, r.address)
	}
	f.robin.lead(ctx, addresses...)
	return f, nil
}

// pageClient sends each request over a connection of its own, so that the proxy gives each to the next replica.
func pageClient() *http.Client {
	return &http.Client{
		Timeout:       patience,
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// close ends the replicas and the proxy.
func (f *fleet) close() {
	for range f.replicas {
		f.lab.stopLast()
	}
	f.replicas = nil
	f.robin.close()
}

func (l *lab) startReplica(ctx context.Context, args []string) (*replica, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	monitor, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	p, err := l.startProgram(ctx, "fieldmark", append([]string{"--listen", address, "--metrics-listen", monitor}, args...)...)
	if err != nil {
		return nil, err
	}
	if _, err := p.await(func(line string) (string, bool) { return "", strings.HasPrefix(line, "Fieldmark is ready at ") }); err != nil {
		l.stopLast()
		return nil, err
	}
	return &replica{program: p, address: address, monitor: httpTarget("metrics", "http://"+monitor, "", "", 1)}, nil
}

// freeAddress is an address that nobody listens at.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("a free port: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}

// sharedFiles writes a session key, and a kubeconfig with the practice cluster without credentials.
func (l *lab) sharedFiles() (key, clusters string, err error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", "", fmt.Errorf("a session key: %w", err)
	}
	key, clusters = filepath.Join(l.folder, "session-key"), filepath.Join(l.folder, "clusters")
	if err := os.WriteFile(key, []byte(base64.StdEncoding.EncodeToString(secret)), 0o600); err != nil {
		return "", "", fmt.Errorf("a session key: %w", err)
	}
	return key, clusters, l.writeClusters(clusters, 1)
}

// writeClusters writes a kubeconfig without credentials. It has the practice cluster so many times, each with a name of its own.
func (l *lab) writeClusters(file string, n int) error {
	text, err := os.ReadFile(l.kubeconfig())
	if err != nil {
		return fmt.Errorf("the practice cluster's kubeconfig: %w", err)
	}
	var k struct {
		Clusters []struct {
			Cluster map[string]any `yaml:"cluster"`
		} `yaml:"clusters"`
	}
	if err := yaml.Unmarshal(text, &k); err != nil || len(k.Clusters) == 0 {
		return fmt.Errorf("the practice cluster's kubeconfig cannot be read: %w", err)
	}
	var all []any
	for i := range n {
		name := contextName
		if i > 0 {
			name = fmt.Sprintf("%s-%d", contextName, i)
		}
		all = append(all, map[string]any{"name": name, "cluster": k.Clusters[0].Cluster})
	}
	if text, err = yaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "Config", "clusters": all}); err != nil {
		return fmt.Errorf("writing the clusters: %w", err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return fmt.Errorf("writing the clusters: %w", err)
	}
	return nil
}

// pause waits, unless ctx ends before.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
