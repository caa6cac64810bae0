package kubectl

import (
	"bufio"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// serve starts a server that answers both ways; it returns its address and the certificate to trust.
func serve(t *testing.T) (address string, trusted []byte) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	authority, err := NewAuthority(rand.Reader, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	cert, err := authority.Certificate(rand.Reader, time.Now(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		ReadHeaderTimeout: 500 * time.Millisecond,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(w, r.Body)
			_, _ = io.WriteString(w, "hello "+r.Header.Get("Authorization"))
		}),
	}
	go server.Serve(Listener(l, cert)) //nolint:errcheck // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().String(), authority.Trusted()
}

func get(t *testing.T, url string, config *tls.Config) (string, error) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("body "))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer x")
	answer, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err
}

func TestOneAddressSpeaksBoth(t *testing.T) {
	address, trusted := serve(t)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(trusted)
	_, port, _ := net.SplitHostPort(address)
	for _, url := range []string{"http://" + address, "https://" + address, "https://localhost:" + port} {
		text, err := get(t, url, &tls.Config{RootCAs: pool})
		if err != nil || text != "body hello Bearer x" {
			t.Errorf("%s: %q, %v", url, text, err)
		}
	}
}

func TestNobodyElseTrustsTheCertificate(t *testing.T) {
	address, _ := serve(t)
	if _, err := get(t, "https://"+address, &tls.Config{RootCAs: x509.NewCertPool()}); err == nil {
		t.Error("a client that does not know the certificate was content")
	}
}

func TestSilentClientHoldsUpNobody(t *testing.T) {
	address, _ := serve(t)
	silent, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if _, err := get(t, "http://"+address, nil); err != nil {
		t.Errorf("another client waits: %v", err)
	}
	_ = silent.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := bufio.NewReader(silent).ReadByte(); err != io.EOF && err == nil {
		t.Errorf("the silent connection was not closed: %v", err)
	}
}

func TestKubeconfigFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	access := Access{Address: "127.0.0.1:8080", Trusted: []byte("PEM"), Token: "yes", Slugs: []string{"practice", "kind-kind"}}
	if err := access.Write(file); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var config kubeconfig
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	if config.CurrentContext != "practice" || len(config.Clusters) != 2 || config.Users[0].User["token"] != "yes" ||
		config.Clusters[1].Cluster["server"] != "https://127.0.0.1:8080/clusters/kind-kind" {
		t.Errorf("%s", text)
	}
}

func TestSomebodysOwnFileIsLeftAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	access := Access{Address: "127.0.0.1:8080", Token: "yes", Slugs: []string{"practice"}}
	const own = "apiVersion: v1\nkind: Config\n"
	if err := os.WriteFile(file, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := access.Write(file); err == nil || !strings.Contains(err.Error(), "another name") {
		t.Errorf("written over: %v", err)
	}
	if err := access.Remove(file); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(file); string(text) != own {
		t.Errorf("it holds %q now (%v)", text, err)
	}
}

func TestOwnFileIsReplacedAndRemoved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	first, second := Access{Address: "127.0.0.1:1", Slugs: []string{"a"}}, Access{Address: "127.0.0.1:2", Slugs: []string{"a"}}
	for _, a := range []Access{first, second} {
		if err := a.Write(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Remove(file); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the second's file went with the first: %v", err)
	}
	if err := second.Remove(file); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestUnwritableFile(t *testing.T) {
	err := Access{}.Write(filepath.Join(t.TempDir(), "absent", "config"))
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("want one line, got %v", err)
	}
}
