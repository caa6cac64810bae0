// Package fleet measures replicas of a shared Fieldmark behind a proxy: what single things cost, many people, and whether two replicas serve more than one.
package fleet

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// The parts of this family.
var (
	Costs  = lab.Of(measureCosts)
	Load   = lab.Of(measureLoad)
	Spread = lab.Of(measureSpread)
)

// fleet has replicas of the shared mode behind a proxy. They share only a key.
type fleet struct {
	lab      *lab.Lab
	robin    *robin
	public   string // the address in browsers
	replicas []*replica
	pages    *http.Client
}

// replica is one process of the shared mode.
type replica struct {
	*lab.Program
	address string     // host:port
	monitor lab.Target // health and metrics
}

// pid is the process.
func (r *replica) pid() int { return r.Command.Process.Pid }

// openFleet starts n replicas. args are more arguments of each.
func openFleet(ctx context.Context, l *lab.Lab, n int, args ...string) (*fleet, error) {
	proxy, err := startRobin(ctx)
	if err != nil {
		return nil, err
	}
	f := &fleet{lab: l, robin: proxy, public: "http://" + proxy.listenAddress(), pages: pageClient()}
	key, clusters, err := sharedFiles(l)
	if err != nil {
		f.close()
		return nil, err
	}
	args = append([]string{
		"--shared", "--public-url", f.public, "--session-keys", key, "--clusters", clusters, "--allow-tokens", "--drain", "0s", "--log-level", "error",
	}, args...)
	var addresses []string
	for range n {
		r, err := startReplica(ctx, l, args)
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
		Timeout:       lab.Patience,
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// close ends the replicas and the proxy.
func (f *fleet) close() {
	for range f.replicas {
		f.lab.StopLast()
	}
	f.replicas = nil
	f.robin.close()
}

func startReplica(ctx context.Context, l *lab.Lab, args []string) (*replica, error) {
	address, err := lab.FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	monitor, err := lab.FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	p, err := l.StartProgram(ctx, "fieldmark", append([]string{"--listen", address, "--metrics-listen", monitor}, args...)...)
	if err != nil {
		return nil, err
	}
	if _, err := p.Await(func(line string) (string, bool) { return "", strings.HasPrefix(line, "Fieldmark is ready at ") }); err != nil {
		l.StopLast()
		return nil, err
	}
	return &replica{Program: p, address: address, monitor: lab.TargetAt("metrics", "http://"+monitor, "", "", 1)}, nil
}

// sharedFiles writes a session key, and a kubeconfig with the practice cluster without credentials.
func sharedFiles(l *lab.Lab) (key, clusters string, err error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", "", fmt.Errorf("a session key: %w", err)
	}
	key, clusters = filepath.Join(l.Folder, "session-key"), filepath.Join(l.Folder, "clusters")
	if err := os.WriteFile(key, []byte(base64.StdEncoding.EncodeToString(secret)), 0o600); err != nil {
		return "", "", fmt.Errorf("a session key: %w", err)
	}
	return key, clusters, writeClusters(l, clusters, 1)
}

// writeClusters writes a kubeconfig without credentials. It has the practice cluster so many times, each with a name of its own.
func writeClusters(l *lab.Lab, file string, n int) error {
	text, err := os.ReadFile(l.Kubeconfig())
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
		name := lab.ContextName
		if i > 0 {
			name = fmt.Sprintf("%s-%d", lab.ContextName, i)
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
