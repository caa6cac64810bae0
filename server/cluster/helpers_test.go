package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// pki is a certificate authority made for one test.
type pki struct {
	t    *testing.T
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pem  []byte
}

func newPKI(t *testing.T) *pki {
	t.Helper()
	p := &pki{t: t}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test CA"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour),
		KeyUsage: x509.KeyUsageCertSign,
	}
	p.key = p.newKey()
	der, err := x509.CreateCertificate(rand.Reader, template, template, &p.key.PublicKey, p.key)
	must(t, err)
	p.cert, err = x509.ParseCertificate(der)
	must(t, err)
	p.pem = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return p
}

func (p *pki) newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(p.t, err)
	return key
}

// issue makes a certificate for 127.0.0.1 that is good from -24 h to until.
func (p *pki) issue(name string, until time.Time) (certPEM, keyPEM []byte) {
	p.t.Helper()
	key := p.newKey()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if name == "server" {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, p.cert, &key.PublicKey, p.key)
	must(p.t, err)
	keyDER, err := x509.MarshalECPrivateKey(key)
	must(p.t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})
}

// serve starts an HTTPS server whose certificate is good until then. Client certificates are taken.
func (p *pki) serve(until time.Time, h http.Handler) *httptest.Server {
	p.t.Helper()
	certPEM, keyPEM := p.issue("server", until)
	cert, err := tls.X509KeyPair(certPEM, keyPEM)
	must(p.t, err)
	pool := x509.NewCertPool()
	pool.AddCert(p.cert)
	s := httptest.NewUnstartedServer(h)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: pool, MinVersion: tls.VersionTLS12}
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	p.t.Cleanup(s.Close)
	return s
}

// answers is as much of an API server as a probe asks for. It stands in only for faults that a real one
// does not produce on demand.
func answers(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/version":
		fmt.Fprint(w, `{"gitVersion":"v1.37.1"}`)
	case "/apis/authentication.k8s.io/v1/selfsubjectreviews":
		user, groups := "system:anonymous", `["system:unauthenticated"]`
		if r.Header.Get("Authorization") != "" || r.TLS != nil && len(r.TLS.PeerCertificates) > 0 {
			user, groups = "known", `["system:authenticated"]`
		}
		if r.TLS != nil && len(r.TLS.PeerCertificates) > 0 {
			user = r.TLS.PeerCertificates[0].Subject.CommonName
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"status":{"userInfo":{"username":%q,"groups":%s}}}`, user, groups)
	default:
		http.NotFound(w, r)
	}
}

// oneContext is a kubeconfig with one context "c", cluster "k", user "u".
func oneContext(server string, ca []byte) *clientcmdapi.Config {
	config := clientcmdapi.NewConfig()
	config.Clusters["k"] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{Token: "secret-token"}
	config.Contexts["c"] = &clientcmdapi.Context{Cluster: "k", AuthInfo: "u"}
	return config
}

func write(t *testing.T, config *clientcmdapi.Config) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	must(t, clientcmd.WriteToFile(*config, file))
	return file
}

func writeText(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// patient is a probe timeout that a busy machine does not reach.
const patient = 30 * time.Second

// load loads a kubeconfig and gives its context "c".
func load(t *testing.T, config *clientcmdapi.Config, o Options) *Cluster {
	t.Helper()
	o.Kubeconfig = write(t, config)
	if o.ProbeTimeout == 0 {
		o.ProbeTimeout = patient
	}
	r, err := Load(o)
	must(t, err)
	c, ok := r.Get("c")
	if !ok {
		t.Fatal("no context c")
	}
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
