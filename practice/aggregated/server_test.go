package aggregated

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/practice/pki"
)

// memory keeps keys without a disk.
type memory map[string][]byte

func (m memory) Read(name string) ([]byte, error)     { return m[name], nil }
func (m memory) Write(name string, data []byte) error { m[name] = data; return nil }
func (m memory) Path(elem ...string) string           { return path.Join(elem...) }

func listen(t *testing.T) (*Server, *pki.Set) {
	t.Helper()
	certs, err := pki.Ensure(memory{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Listen(certs, func(context.Context, string) error { return nil }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s, certs
}

// visitor connects as the API server does, or as somebody else.
func visitor(t *testing.T, certs *pki.Set, as pki.Certificate, host string) *http.Client {
	t.Helper()
	config := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: host, MinVersion: tls.VersionTLS12}
	config.RootCAs.AppendCertsFromPEM(certs.ClusterCA.Cert)
	if as.Cert != nil {
		pair, err := tls.X509KeyPair(as.Cert, as.Key)
		if err != nil {
			t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func visit(t *testing.T, s *Server, client *http.Client, query, user string) (*http.Response, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("https://127.0.0.1:%d%s/readings%s", s.port, base, query), nil)
	if err != nil {
		t.Fatal(err)
	}
	if user != "" {
		request.Header.Set("X-Remote-User", user)
	}
	return client.Do(request)
}

const itsName = "legacy-api.kube-system.svc"

func TestOnlyTheAPIServerGetsAnAnswer(t *testing.T) {
	s, certs := listen(t)
	defer func() { _ = s.Close() }()
	stranger := certs.FrontProxy
	authority, err := pki.LoadAuthority(certs.FrontProxyCA.Pair)
	if err == nil {
		stranger.Pair, err = authority.Issue(pki.Subject{Name: "somebody"})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		as   pki.Certificate
		host string
		user string
		code int // 0: no connection
	}{
		{"the API server", certs.FrontProxy, itsName, "alice", 200},
		{"the API server, for nobody", certs.FrontProxy, itsName, "", 401},
		{"another of the same authority", stranger, itsName, "alice", 401},
		{"nobody", pki.Certificate{}, itsName, "alice", 0},
		{"the admin", certs.Admin, itsName, "alice", 0},
		{"the client of etcd", certs.EtcdClient, itsName, "alice", 0},
		{"the API server, looking for another", certs.FrontProxy, "kubernetes.default.svc", "alice", 0},
	} {
		response, err := visit(t, s, visitor(t, certs, c.as, c.host), "", c.user)
		code := 0
		if err == nil {
			code = response.StatusCode
			_ = response.Body.Close()
		}
		if code != c.code {
			t.Errorf("%s: %d, want %d (%v)", c.name, code, c.code, err)
		}
	}
}

func TestItEndsInGoodOrder(t *testing.T) {
	s, certs := listen(t)
	response, err := visit(t, s, visitor(t, certs, certs.FrontProxy, itsName), "?watch=1", "alice")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, response.Body)
		ended <- err
	}()
	begin := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the watch broke: %v", err)
	}
	if took := time.Since(begin); took >= farewell {
		t.Errorf("it took %s", took)
	}
	if _, err := visit(t, s, visitor(t, certs, certs.FrontProxy, itsName), "", "alice"); err == nil {
		t.Error("it still answers")
	}
}
