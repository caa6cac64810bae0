package lab

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ShareFlag lets people share watches.
const ShareFlag = "share-watches"

// Shared is a Fieldmark in the shared mode. Its people sign in with tokens.
type Shared struct {
	*Program
	Address   string // host:port
	Fieldmark Target // without a token
	Monitor   Target // health and metrics
}

// StartShared starts a Fieldmark in the shared mode, for a file of clusters. public is its address in browsers; empty: its own. All have the same
// session key. args are further flags.
func (l *Lab) StartShared(ctx context.Context, clusters, public string, args ...string) (*Shared, error) {
	address, monitor, err := freeAddresses(ctx)
	if err != nil {
		return nil, err
	}
	key, err := l.sessionKey()
	if err != nil {
		return nil, err
	}
	origin := "http://" + address
	if public == "" {
		public = origin
	}
	p, err := l.StartProgram(ctx, "fieldmark", append([]string{
		"--shared", "--listen", address, "--public-url", public, "--metrics-listen", monitor, "--session-keys", key, "--clusters", clusters,
		"--allow-tokens", "--drain", "0s", "--log-level", "error",
	}, args...)...)
	if err != nil {
		return nil, err
	}
	if _, err := p.Await(func(line string) (string, bool) { return "", strings.HasPrefix(line, "Fieldmark is ready at ") }); err != nil {
		l.StopLast()
		return nil, err
	}
	return &Shared{
		Program: p, Address: address, Monitor: TargetAt("metrics", "http://"+monitor, "", "", 1),
		Fieldmark: TargetAt("the shared Fieldmark", origin, "/clusters/"+ContextName, "", l.Plan.Connections),
	}, nil
}

// SharedForm is what somebody sends who signs in to a shared Fieldmark with a token.
func SharedForm(token string) url.Values {
	return url.Values{"cluster": {ContextName}, "token": {token}, "next": {"/"}}
}

// sessionKey is the path of the key of all shared Fieldmarks.
func (l *Lab) sessionKey() (string, error) {
	file := filepath.Join(l.Folder, "session-key")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", fmt.Errorf("a session key: %w", err)
	}
	if err := os.WriteFile(file, []byte(base64.StdEncoding.EncodeToString(secret)), 0o600); err != nil {
		return "", fmt.Errorf("a session key: %w", err)
	}
	return file, nil
}

// WriteClusters writes a kubeconfig without credentials, and returns its path. It has the same API server by several names.
func (l *Lab) WriteClusters(server, authority string, names ...string) (string, error) {
	var all []any
	for _, name := range names {
		all = append(all, map[string]any{"name": name, "cluster": map[string]any{"server": server, "certificate-authority-data": authority}})
	}
	return l.WriteYAML("clusters", map[string]any{"apiVersion": "v1", "kind": "Config", "clusters": all})
}

// WriteKubeconfig writes a kubeconfig with one API server and a token, and returns its path.
func (l *Lab) WriteKubeconfig(server, authority string) (string, error) {
	return l.WriteYAML("kubeconfig", map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": ContextName,
		"clusters": []any{map[string]any{"name": ContextName, "cluster": map[string]any{"server": server, "certificate-authority-data": authority}}},
		"users":    []any{map[string]any{"name": ContextName, "user": map[string]any{"token": "t"}}},
		"contexts": []any{map[string]any{"name": ContextName, "context": map[string]any{"cluster": ContextName, "user": ContextName}}},
	})
}

// AuthorityOf is the authority of a scripted server, as a kubeconfig has it.
func AuthorityOf(server *httptest.Server) string {
	return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
}

// WriteYAML writes a new file, and returns its path.
func (l *Lab) WriteYAML(name string, value any) (string, error) {
	text, err := yaml.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", name, err)
	}
	file, err := os.CreateTemp(l.Folder, name+"-*")
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("writing %s: %w", name, err)
	}
	return file.Name(), nil
}

// freeAddresses are two that nobody listens at.
func freeAddresses(ctx context.Context) (first, second string, err error) {
	var config net.ListenConfig
	one, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", "", fmt.Errorf("finding a free port: %w", err)
	}
	other, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", "", errors.Join(fmt.Errorf("finding a free port: %w", err), one.Close())
	}
	return one.Addr().String(), other.Addr().String(), errors.Join(one.Close(), other.Close())
}
