package program

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.yaml.in/yaml/v3"
)

// viaKubeconfig is a client as a kubeconfig describes it.
type viaKubeconfig struct {
	server, token string
	http          *http.Client
	connections   *atomic.Int32
}

// readKubeconfig makes a client of the first cluster and the first user in the file.
func readKubeconfig(t *testing.T, text []byte, protocols ...string) viaKubeconfig {
	t.Helper()
	var config struct {
		Clusters []struct {
			Cluster struct {
				Server string `yaml:"server"`
				CA     string `yaml:"certificate-authority-data"`
			} `yaml:"cluster"`
		} `yaml:"clusters"`
		Users []struct {
			User struct {
				Token string `yaml:"token"`
			} `yaml:"user"`
		} `yaml:"users"`
	}
	if err := yaml.Unmarshal(text, &config); err != nil || len(config.Clusters) == 0 {
		t.Fatalf("%v: %s", err, text)
	}
	pem, err := base64.StdEncoding.DecodeString(config.Clusters[0].Cluster.CA)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(pem)
	var connections atomic.Int32
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted, NextProtos: protocols}, ForceAttemptHTTP2: len(protocols) == 0,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			connections.Add(1)
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return viaKubeconfig{config.Clusters[0].Cluster.Server, config.Users[0].User.Token, &http.Client{Transport: transport}, &connections}
}

func (v viaKubeconfig) get(t *testing.T, path string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.server+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+v.token)
	return v.http.Do(r)
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// watched is an API server all of whose watches begin with an event and never end by themselves.
func watched(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintln(w, `{"type":"ADDED"}`)
		if r.URL.Query().Get("watch") != "" {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}))
	t.Cleanup(server.Close)
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","clusters":[{"name":"k","cluster":{"server":%q}}],
		"contexts":[{"name":"scripted","context":{"cluster":"k","user":""}}]}`, server.URL)
}

// kubectl's many watches are one connection, as they are with the API server itself, and a stop ends them all.
func TestAHundredWatchesAreOneConnectionAndEndWithUs(t *testing.T) {
	out := filepath.Join(t.TempDir(), "kubeconfig")
	f := start(t, nil, "--practice", "off", "--kubeconfig", file(t, watched(t)), "--kubeconfig-out", out)
	client := readKubeconfig(t, read(t, out))
	first, err := client.get(t, "/api/v1/pods") // so that all the others find a connection
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, first.Body)
	_ = first.Body.Close()
	var begun, ended sync.WaitGroup
	for range 100 {
		begun.Add(1)
		ended.Go(func() {
			defer begun.Done()
			watch, err := client.get(t, "/api/v1/pods?watch=1")
			if err != nil {
				t.Error(err)
				return
			}
			events := bufio.NewReader(watch.Body)
			if line, err := events.ReadString('\n'); err != nil || watch.ProtoMajor != 2 || !strings.Contains(line, "ADDED") {
				t.Errorf("%s: %q, %v", watch.Proto, line, err)
			}
			ended.Go(func() {
				_, _ = io.Copy(io.Discard, events)
				_ = watch.Body.Close()
			})
		})
	}
	begun.Wait()
	if n := client.connections.Load(); n != 1 {
		t.Errorf("100 watches took %d connections", n)
	}
	if got := f.stop(); got.code != 0 {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	ended.Wait()
}

// A client that upgrades its connection offers HTTP/1.1 alone, or nothing.
func TestTLSSpeaksHTTP1WhereAClientWantsIt(t *testing.T) {
	out := filepath.Join(t.TempDir(), "kubeconfig")
	start(t, nil, "--practice", "off", "--kubeconfig", file(t, watched(t)), "--kubeconfig-out", out)
	for _, offered := range [][]string{{"http/1.1"}, {"http/1.1", "h2c"}} {
		answer, err := readKubeconfig(t, read(t, out), offered...).get(t, "/api/v1/pods")
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.ProtoMajor != 1 || answer.StatusCode != http.StatusOK {
			t.Errorf("%q: %s %d", offered, answer.Proto, answer.StatusCode)
		}
	}
}

// Whoever holds a kubeconfig of an earlier run, in memory or as a copy, gets in after a restart at the same address
// with the same token. Where the token is random that is impossible, and no key stays on the disk.
func TestAKubeconfigOutlivesARestart(t *testing.T) {
	for name, c := range map[string]struct {
		token string
		again bool
	}{"a chosen token": {testToken, true}, "a random token": {"", false}} {
		t.Run(name, func(t *testing.T) {
			state, out := t.TempDir(), filepath.Join(t.TempDir(), "kubeconfig")
			env := map[string]string{"XDG_STATE_HOME": state, "FIELDMARK_TOKEN": c.token}
			args := []string{"--practice", "off", "--kubeconfig", file(t, watched(t)), "--kubeconfig-out", out}
			f := start(t, env, args...)
			copied := read(t, out)
			f.stop()
			start(t, env, append(args, "--listen", strings.TrimPrefix(f.base, "http://"))...)
			answer, err := readKubeconfig(t, copied).get(t, "/api/v1/pods")
			if err == nil {
				_ = answer.Body.Close()
			}
			if good := err == nil && answer.StatusCode == http.StatusOK; good != c.again || c.again != bytes.Equal(copied, read(t, out)) {
				t.Errorf("good: %t, %v", good, err)
			}
			if kept, _ := filepath.Glob(filepath.Join(state, "*", "*")); (len(kept) == 1) != c.again {
				t.Errorf("kept: %q", kept)
			}
		})
	}
}
