// Package replica runs one Fieldmark in the shared mode.
package replica

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/fieldmark/fieldmark/dev/team/process"
)

// Config is a shared Fieldmark: the same for all replicas.
type Config struct {
	// Public is the address of the proxy in front.
	Public string
	// Keys are files with session keys, see Key.
	Keys []string
	// Cluster is the address of the API server, and ClusterCA the file with its authority.
	Cluster, ClusterCA string
	// Prefix is what the API server puts before names and groups.
	Prefix string
	Sites  []Site
	// ShareWatches lets people share watches.
	ShareWatches bool
}

// Site is a name of the cluster, with the issuer that signs people in for it.
type Site struct {
	Slug string
	// Name is the issuer's in the settings, Issuer its URL, and IssuerCA the file with its authority.
	Name, Issuer, IssuerCA string
	Client, Secret         string
}

// Slug is the name of the first cluster, and usually of the only one.
const Slug = "practice"

// Replica is one process.
type Replica struct {
	*process.Process

	// Address is host:port, without TLS.
	Address string

	monitor string // host:port of health and metrics
}

// Key writes a new session key to a new file in the folder.
func Key(dir string) (string, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return "", fmt.Errorf("making a session key: %w", err)
	}
	file := filepath.Join(dir, "key-"+rand.Text())
	return file, writeFile(file, []byte(base64.StdEncoding.EncodeToString(key)))
}

// Start starts a replica and waits until it is ready. Its files are written to the folder dir.
func Start(ctx context.Context, program, dir string, c Config) (*Replica, error) {
	settings, err := c.writeSettings(dir)
	if err != nil {
		return nil, err
	}
	r := &Replica{}
	if r.Address, err = free(ctx); err != nil {
		return nil, err
	}
	if r.monitor, err = free(ctx); err != nil {
		return nil, err
	}
	if r.Process, err = process.Start(nil, program, "--shared", "--shared-config", settings, "--listen", r.Address, "--metrics-listen", r.monitor, "--drain", "0s"); err != nil {
		return nil, err
	}
	if err := r.Await(ctx, r.ready); err != nil {
		r.Kill()
		return nil, fmt.Errorf("starting Fieldmark: %w", err)
	}
	return r, nil
}

// free is an address that nobody listens at.
func free(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("finding a free port: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}

func (r *Replica) ready(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.monitor+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("making the request: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("asking whether it is ready: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("it isn't ready: %d", response.StatusCode)
	}
	return nil
}

// writeSettings writes the settings, and the files that they name. JSON is YAML.
func (c Config) writeSettings(dir string) (string, error) {
	clusters, settings := filepath.Join(dir, "clusters"), filepath.Join(dir, "settings")
	var addresses []any
	all, issuers := map[string]any{}, map[string]any{}
	var fault error
	for _, site := range c.Sites {
		secret := filepath.Join(dir, "client-secret-"+site.Name)
		fault = errors.Join(fault, writeFile(secret, []byte(site.Secret)))
		addresses = append(addresses, map[string]any{"name": site.Slug, "cluster": map[string]any{"server": c.Cluster, "certificate-authority": c.ClusterCA}})
		all[site.Slug] = map[string]any{"issuer": site.Name, "audience": site.Client}
		issuers[site.Name] = map[string]any{
			"title": site.Name, "url": site.Issuer, "caFile": site.IssuerCA, "clientID": site.Client, "clientSecretFile": secret,
			"scopes": []string{"openid", "profile", "groups", "offline_access"}, "userClaim": "preferred_username",
			"userPrefix": c.Prefix, "groupsPrefix": c.Prefix,
		}
	}
	return settings, errors.Join(fault,
		writeJSON(clusters, map[string]any{"apiVersion": "v1", "kind": "Config", "clusters": addresses}),
		writeJSON(settings, map[string]any{
			"publicURL": c.Public, "sessionKeys": c.Keys, "clustersFile": clusters, "allowTokens": true, "clusters": all, "issuers": issuers,
			"shareWatches": c.ShareWatches,
		}))
}

func writeJSON(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return writeFile(file, text)
}

func writeFile(file string, text []byte) error {
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}
