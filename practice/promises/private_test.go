package promises

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEveryFileIsPrivate(t *testing.T) {
	p := sharedCluster(t)
	files := 0
	err := filepath.WalkDir(p.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		}
		files++
		if info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Errorf("%d files looked at: %v", files, err)
	}
}

// sockets returns the inodes of the sockets that a process has open.
func sockets(id int) map[string]bool {
	inodes := map[string]bool{}
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", id))
	for _, link := range links {
		target, err := os.Readlink(link)
		if inode, ok := strings.CutPrefix(target, "socket:["); err == nil && ok {
			inodes[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return inodes
}

// listeners returns the addresses (in the kernel's hexadecimal) at which the
// sockets listen. TCP sockets listen in state 0A; UDP sockets that are bound
// are in state 07.
func listeners(t *testing.T, inodes map[string]bool) []string {
	t.Helper()
	var found []string
	for file, state := range map[string]string{"tcp": "0A", "tcp6": "0A", "udp": "07", "udp6": "07"} {
		table, err := os.Open("/proc/net/" + file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(table)
		for lines.Scan() {
			fields := strings.Fields(lines.Text())
			if len(fields) > 9 && fields[3] == state && inodes[fields[9]] {
				found = append(found, file+" "+fields[1])
			}
		}
		_ = table.Close()
	}
	return found
}

func TestNothingListensBeyondThisMachine(t *testing.T) {
	p := sharedCluster(t)
	processes := processesOf(p.dir)
	processes[p.cmd.Process.Pid] = "up"
	if len(processes) < 7 {
		t.Fatalf("too few processes: %v", processes)
	}
	loopback := hex.EncodeToString([]byte{1, 0, 0, 127}) // 127.0.0.1 in the kernel's byte order
	count := 0
	for id, name := range processes {
		for _, address := range listeners(t, sockets(id)) {
			count++
			if !strings.HasPrefix(strings.ToLower(address), "tcp "+loopback+":") {
				t.Errorf("%s listens at %s", name, address)
			}
		}
	}
	if count < 4 { // API server, etcd, kubelets, aggregated API
		t.Errorf("only %d listeners were found", count)
	}
}

// port returns the port at which a component listens first.
func (p *program) ports(t *testing.T, component string) []string {
	t.Helper()
	var ports []string
	for _, address := range listeners(t, sockets(componentOf(t, p.dir, component))) {
		var port int
		if _, err := fmt.Sscanf(address[strings.LastIndex(address, ":")+1:], "%X", &port); err != nil {
			t.Fatal(err)
		}
		ports = append(ports, fmt.Sprint(port))
	}
	return ports
}

// handshake connects with TLS, verifying by an authority of the folder, and
// reads: a server that wants another certificate says so only then.
func (p *program) handshake(t *testing.T, port, authority, client string) error {
	t.Helper()
	ca, err := os.ReadFile(filepath.Join(p.dir, "pki", authority+".crt"))
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	config.RootCAs.AppendCertsFromPEM(ca)
	if client != "" {
		pair, err := tls.LoadX509KeyPair(filepath.Join(p.dir, "pki", client+".crt"), filepath.Join(p.dir, "pki", client+".key"))
		if err != nil {
			t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp4", "127.0.0.1:"+port)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := fmt.Fprintf(conn, "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 1))
	return err
}

func TestConnectionsAreVerifiedOnBothSides(t *testing.T) {
	p := sharedCluster(t)
	etcd, kubelet, api := p.ports(t, "etcd"), p.ports(t, "nodes"), p.ports(t, "kube-apiserver")
	if len(etcd) == 0 || len(kubelet) != 1 || len(api) != 1 {
		t.Fatalf("ports: etcd %v, kubelet %v, API server %v", etcd, kubelet, api)
	}
	type attempt struct {
		name, port, authority, client string
		good                          bool
	}
	attempts := []attempt{
		{"API server", api[0], "cluster-ca", "", true},
		{"API server by another authority", api[0], "etcd-ca", "", false},
		{"kubelet with its client's certificate", kubelet[0], "cluster-ca", "kubelet-client", true},
		{"kubelet without a certificate", kubelet[0], "cluster-ca", "", false},
		{"kubelet with a certificate of etcd", kubelet[0], "cluster-ca", "etcd-client", false},
	}
	for _, port := range etcd {
		attempts = append(attempts,
			attempt{"etcd without a certificate", port, "etcd-ca", "", false},
			attempt{"etcd with the admin's certificate", port, "etcd-ca", "admin", false},
			attempt{"etcd with the viewer's certificate", port, "etcd-ca", "viewer", false})
	}
	for _, a := range attempts {
		if err := p.handshake(t, a.port, a.authority, a.client); (err == nil) != a.good {
			t.Errorf("%s: good should be %t; got %v", a.name, a.good, err)
		}
	}
}

func TestWithoutCredentialsNothingIsTold(t *testing.T) {
	p := sharedCluster(t)
	config := p.config(t, admin)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(config.CAData)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	defer client.CloseIdleConnections()
	for _, path := range []string{"/api", "/api/v1/namespaces", "/version"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, config.Host+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
	}
}

func TestTheViewerSeesLittleAndWritesNothing(t *testing.T) {
	p := sharedCluster(t)
	configMap := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"mine"}}`
	for _, c := range []struct {
		method, path, body string
		code               int
	}{
		{"GET", "/api/v1/namespaces", "", 200},
		{"GET", "/api/v1/namespaces/shop/pods", "", 200},
		{"GET", "/api/v1/namespaces/shop/services", "", 200},
		{"GET", "/api/v1/namespaces/shop/configmaps/storefront", "", 200},
		{"GET", "/apis/apps/v1/namespaces/shop/deployments", "", 200},
		{"GET", "/apis/apps/v1/namespaces/shop/deployments?watch=1&timeoutSeconds=1", "", 200},
		{"GET", "/api/v1/namespaces/shop", "", 403},
		{"GET", "/api/v1/namespaces/shop/secrets", "", 403},
		{"GET", "/api/v1/namespaces/payments/pods", "", 403},
		{"GET", "/api/v1/pods", "", 403},
		{"GET", "/api/v1/nodes", "", 403},
		{"GET", "/apis/apps/v1/namespaces/shop/statefulsets", "", 403},
		{"GET", "/apis/practice.fieldmark.dev/v1alpha1/scenarios", "", 403},
		{"POST", "/api/v1/namespaces/shop/configmaps?dryRun=All", configMap, 403},
		{"DELETE", "/api/v1/namespaces/shop/configmaps/storefront?dryRun=All", "", 403},
	} {
		got, err := p.request(t, viewer, c.method, c.path, "application/json", c.body)
		if err != nil {
			t.Fatal(err)
		}
		if got.code != c.code {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, got.code, c.code)
		}
	}
}

func TestCommandLinesHoldNoSecrets(t *testing.T) {
	for _, line := range processesOf(sharedCluster(t).dir) {
		if slices.ContainsFunc([]string{"PRIVATE", "BEGIN", "token="}, func(s string) bool { return strings.Contains(line, s) }) {
			t.Errorf("a secret is on a command line: %s", line)
		}
	}
}
