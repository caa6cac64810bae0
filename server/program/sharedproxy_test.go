package program

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/signin"
)

// testAuthority signs certificates for one test.
type testAuthority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newTestAuthority(t *testing.T) *testAuthority {
	t.Helper()
	a := &testAuthority{}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority " + rand.Text()}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.cert, a.key = a.sign(t, template)
	return a
}

// sign makes a key, and a certificate for it. The first one is the authority's own.
func (a *testAuthority) sign(t *testing.T, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// issue makes a certificate for a name, for servers on loopback and for clients.
func (a *testAuthority) issue(t *testing.T, name string, ends time.Time, usage ...x509.ExtKeyUsage) tls.Certificate {
	t.Helper()
	cert, key := a.sign(t, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: ends,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: usage, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	})
	return tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
}

// file is the authority's certificate in a file.
func (a *testAuthority) file(t *testing.T) string {
	t.Helper()
	return put(t, "ca", certificatePEM(a.cert.Raw), 0o600)
}

// files are the certificate of a server and its key, in two files.
func (a *testAuthority) files(t *testing.T, name string) (cert, key string) {
	t.Helper()
	pair := a.issue(t, name, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth)
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	return put(t, "cert", certificatePEM(pair.Certificate[0]), 0o600), put(t, "key", text, 0o600)
}

func certificatePEM(der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func TestTrustedProxiesThatCantStart(t *testing.T) {
	clusters, keys, secret := clustersFile(t, apiServer(t)), put(t, "keys", key, 0o600), put(t, "proxy", key, 0o600)
	authority := newTestAuthority(t)
	cert, certKey := authority.files(t, "fieldmark")
	for name, c := range map[string]struct {
		args  []string
		words []string
	}{
		"names without an authority": {[]string{"--proxy-secret-file", secret, "--proxy-names", "p"}, []string{"--proxy-names needs --proxy-ca"}},
		"an authority without names": {[]string{"--proxy-ca", authority.file(t), "--tls-cert", cert, "--tls-key", certKey}, []string{"--proxy-ca needs --proxy-names"}},
		"an authority without TLS":   {[]string{"--proxy-ca", authority.file(t), "--proxy-names", "p"}, []string{"--proxy-ca needs --tls-cert"}},
		"an authority that is none":  {[]string{"--proxy-ca", keys, "--proxy-names", "p", "--tls-cert", cert, "--tls-key", certKey}, []string{"--proxy-ca", "PEM"}},
		"no such file":               {[]string{"--proxy-ca", "/nowhere/ca", "--proxy-names", "p"}, []string{"--proxy-ca", "/nowhere/ca"}},
	} {
		args := append([]string{
			"--shared", "--listen", "127.0.0.1:0", "--public-url", "https://f.example.com", "--session-keys", keys, "--clusters", clusters,
			"--trusted-proxies", "10.0.0.0/8",
		}, c.args...)
		t.Run(name, func(t *testing.T) { runToEnd(t, nil, args...).oneLine(t, 1, c.words...) })
	}
}

// TestHeaderInjection_OnlyACertificateMakesAProxy: over real connections, with each version of HTTP, the proxy's headers count only from a
// connection whose certificate is signed by the authority and has the name.
func TestHeaderInjection_OnlyACertificateMakesAProxy(t *testing.T) {
	servers, proxies, foreign := newTestAuthority(t), newTestAuthority(t), newTestAuthority(t)
	cert, key := servers.files(t, "fieldmark")
	f := startAs(t, "https", "", "--tls-cert", cert, "--tls-key", key,
		"--trusted-proxies", "127.0.0.0/8", "--proxy-ca", proxies.file(t), "--proxy-names", "the-proxy")
	soon, client := time.Now().Add(time.Hour), x509.ExtKeyUsageClientAuth
	for name, c := range map[string]struct {
		certificate *tls.Certificate
		code        int // 0: no connection
		words       string
	}{
		"the proxy":                    {new(proxies.issue(t, "the-proxy", soon, client)), 200, `"token":"token-of-ada"`},
		"another name":                 {new(proxies.issue(t, "database", soon, client)), 401, "--proxy-names"},
		"no certificate":               {nil, 401, "--proxy-ca"},
		"another authority":            {new(foreign.issue(t, "the-proxy", soon, client)), 0, ""},
		"a certificate that has ended": {new(proxies.issue(t, "the-proxy", time.Now().Add(-time.Minute), client)), 0, ""},
		"a certificate of a server":    {new(proxies.issue(t, "the-proxy", soon, x509.ExtKeyUsageServerAuth)), 0, ""},
	} {
		for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
			code, text := askAs(t, servers, c.certificate, version, f.base+"/clusters/k/api/v1/pods")
			if code != c.code || !strings.Contains(text, c.words) {
				t.Errorf("%s, %s: %d %s", name, version, code, text)
			}
		}
	}
	if strings.Contains(f.stdout.String()+f.stderr.String(), "token-of-ada") {
		t.Error("the token is in the log")
	}
}

// askAs sends a person's token as a proxy does. The code is 0 if there is no connection.
func askAs(t *testing.T, servers *testAuthority, certificate *tls.Certificate, version, address string) (code int, text string) {
	t.Helper()
	secure := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	secure.RootCAs.AddCert(servers.cert)
	if certificate != nil { // also if the server names other authorities, as an attacker would
		secure.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return certificate, nil }
	}
	transport := &http.Transport{TLSClientConfig: secure, ForceAttemptHTTP2: version == "HTTP/2.0"}
	defer transport.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(signin.TokenHeader, "token-of-ada")
	resp, err := transport.RoundTrip(r)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	if resp.Proto != version {
		t.Errorf("it speaks %s, not %s", resp.Proto, version)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// TestAuthorityOfProxiesMayChange: a new file counts after a while, and one that can't be read changes nothing.
func TestAuthorityOfProxiesMayChange(t *testing.T) {
	first, second := newTestAuthority(t), newTestAuthority(t)
	file, now := first.file(t), time.Now()
	log := &lockedBuffer{}
	authority, err := newProxyAuthority(file, func() time.Time { return now }, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	knows := func(a *testAuthority) bool {
		pool := x509.NewCertPool()
		pool.AddCert(a.cert)
		return authority.now().Equal(pool)
	}
	for _, step := range []struct {
		text  string
		pause time.Duration
		who   *testAuthority
		said  string
	}{
		{certificatePEM(first.cert.Raw), 0, first, ""},
		{certificatePEM(second.cert.Raw), 0, first, ""},
		{"nothing", 2 * time.Minute, first, "can't be read again"},
		{certificatePEM(second.cert.Raw), 2 * time.Minute, second, ""},
	} {
		if err := os.WriteFile(file, []byte(step.text), 0o600); err != nil {
			t.Fatal(err)
		}
		now = now.Add(step.pause)
		if !knows(step.who) || !strings.Contains(log.String(), step.said) {
			t.Errorf("%.20q after %s: another authority, or %q", step.text, step.pause, log.String())
		}
	}
}
