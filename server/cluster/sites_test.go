package cluster

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// unnamed is a kubeconfig with one cluster "k" and no credentials.
func unnamed(server string, ca []byte) *clientcmdapi.Config {
	config := clientcmdapi.NewConfig()
	config.Clusters["k"] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
	return config
}

// TestBorrowedCredentials_NoFileLendsAnyToPeople puts each kind of credential into the file with the clusters.
func TestBorrowedCredentials_NoFileLendsAnyToPeople(t *testing.T) {
	for name, user := range map[string]*clientcmdapi.AuthInfo{
		"a token":              {Token: "secret-token"},
		"a token ":             {TokenFile: "/tmp/token"},
		"a client certificate": {ClientCertificate: "/tmp/cert", ClientKey: "/tmp/key"},
		"a password":           {Username: "ada"},
		"a credentials plugin": {Exec: &clientcmdapi.ExecConfig{Command: "true", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: "Never"}},
		"an auth provider":     {AuthProvider: &clientcmdapi.AuthProviderConfig{Name: "oidc"}},
		"impersonation":        {Impersonate: "ada"},
	} {
		config := unnamed("https://127.0.0.1:6443", nil)
		config.AuthInfos["lender"] = user
		_, err := ReadSites(write(t, config))
		if err == nil || !strings.Contains(err.Error(), `"lender"`) || !strings.Contains(err.Error(), "has "+strings.TrimSpace(name)) ||
			strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret-token") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSitesThatCantBeUsed(t *testing.T) {
	good := "https://127.0.0.1:6443"
	for says, config := range map[string]*clientcmdapi.Config{
		"has no clusters":              clientcmdapi.NewConfig(),
		"must begin with https://":     unnamed("http://127.0.0.1:8080", nil),
		"has no server URL":            unnamed("", nil),
		"contains no certificate":      unnamed(good, []byte("none")),
		"has insecure-skip-tls-verify": {Clusters: map[string]*clientcmdapi.Cluster{"k": {Server: good, InsecureSkipTLSVerify: true}}},
		`names the cluster "other"`: {
			Clusters: map[string]*clientcmdapi.Cluster{"k": {Server: good}},
			Contexts: map[string]*clientcmdapi.Context{"c": {Cluster: "other"}},
		},
		"does not exist": nil,
	} {
		file := filepath.Join(t.TempDir(), "missing")
		if config != nil {
			file = write(t, config)
		}
		if _, err := ReadSites(file); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestSitesAreContextsOrClusters(t *testing.T) {
	config := unnamed("https://127.0.0.1:6443", nil)
	config.AuthInfos["empty"] = &clientcmdapi.AuthInfo{}
	sites, err := ReadSites(write(t, config))
	must(t, err)
	if len(sites) != 1 || sites[0].Slug() != "k" {
		t.Errorf("without contexts: %+v", sites)
	}
	config.Contexts["shop"] = &clientcmdapi.Context{Cluster: "k", AuthInfo: "empty", Namespace: "front"}
	sites, err = ReadSites(write(t, config))
	must(t, err)
	if len(sites) != 1 || sites[0].Name() != "shop" || sites[0].info().Namespace != "front" {
		t.Errorf("with a context: %+v", sites)
	}
}

func TestInCluster(t *testing.T) {
	ca := newPKI(t)
	s := ca.serve(time.Now().Add(time.Hour), nil)
	at, err := url.Parse(s.URL)
	must(t, err)
	host, port, err := net.SplitHostPort(at.Host)
	must(t, err)
	file := filepath.Join(t.TempDir(), "ca.crt")
	must(t, os.WriteFile(file, ca.pem, 0o600))
	env := func(name string) string {
		return map[string]string{"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port}[name]
	}
	site, err := InCluster("here", file, env)
	must(t, err)
	if got := site.info().Server; got != s.URL {
		t.Errorf("the server is %s", got)
	}
	if _, err := InCluster("here", file, func(string) string { return "" }); err == nil {
		t.Error("outside of a pod")
	}
	if _, err := InCluster("here", file+"x", env); err == nil || !strings.Contains(err.Error(), "kube-root-ca.crt") {
		t.Errorf("without an authority: %v", err)
	}
}

// TestBorrowedCredentials_TheAuthorityMayChange replaces the certificate of the API server. The credentials stay those of the person.
func TestBorrowedCredentials_TheAuthorityMayChange(t *testing.T) {
	old, next := newPKI(t), newPKI(t)
	file := filepath.Join(t.TempDir(), "ca.crt")
	must(t, os.WriteFile(file, old.pem, 0o600))
	s := next.serve(time.Now().Add(time.Hour), echo())
	config := clientcmdapi.NewConfig()
	config.Clusters["k"] = &clientcmdapi.Cluster{Server: s.URL, CertificateAuthority: file}
	kubeconfig := filepath.Join(t.TempDir(), "clusters")
	must(t, clientcmd.WriteToFile(*config, kubeconfig))
	sites, err := ReadSites(kubeconfig)
	must(t, err)
	ada := visit(t, sites[0], having("ada"))
	if got := ada.State(t.Context(), nil); got.Phase != Untrusted {
		t.Fatalf("with the old authority: %+v", got)
	}
	must(t, os.WriteFile(file, next.pem, 0o600))
	ada.Forget()
	_ = ada.State(t.Context(), nil) // it finds the new authority
	if got := sent(t, ada); got.Get("Authorization") != "Bearer ada" {
		t.Errorf("with the new authority: %v", got)
	}
}
