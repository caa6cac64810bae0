package pki

import (
	"crypto/tls"
	"crypto/x509"
	"maps"
	"path"
	"slices"
	"testing"
	"time"
)

// memory is Files without a disk.
type memory map[string][]byte

func (m memory) Read(name string) ([]byte, error)     { return m[name], nil }
func (m memory) Write(name string, data []byte) error { m[name] = data; return nil }
func (m memory) Path(elem ...string) string {
	return path.Join(append([]string{"/folder"}, elem...)...)
}

func ensure(t *testing.T, files Files) *Set {
	t.Helper()
	set, err := Ensure(files)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func verify(t *testing.T, leaf, authority Certificate, host string, usage x509.ExtKeyUsage) error {
	t.Helper()
	cert, err := parseCert(leaf.Cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority.Cert)
	_, err = cert.Verify(x509.VerifyOptions{Roots: roots, DNSName: host, KeyUsages: []x509.ExtKeyUsage{usage}})
	return err
}

func TestServersAndClientsAreWhatTheySay(t *testing.T) {
	set := ensure(t, memory{})
	for _, c := range []struct {
		name      string
		leaf      Certificate
		authority Certificate
		host      string
		usage     x509.ExtKeyUsage
		good      bool
	}{
		{"API server", set.APIServer, set.ClusterCA, "127.0.0.1", x509.ExtKeyUsageServerAuth, true},
		{"API server by service name", set.APIServer, set.ClusterCA, "kubernetes.default.svc", x509.ExtKeyUsageServerAuth, true},
		{"API server elsewhere", set.APIServer, set.ClusterCA, "example.com", x509.ExtKeyUsageServerAuth, false},
		{"API server as a client", set.APIServer, set.ClusterCA, "", x509.ExtKeyUsageClientAuth, false},
		{"admin", set.Admin, set.ClusterCA, "", x509.ExtKeyUsageClientAuth, true},
		{"admin as a server", set.Admin, set.ClusterCA, "", x509.ExtKeyUsageServerAuth, false},
		{"admin at etcd", set.Admin, set.EtcdCA, "", x509.ExtKeyUsageClientAuth, false},
		{"etcd's client", set.EtcdClient, set.EtcdCA, "", x509.ExtKeyUsageClientAuth, true},
		{"etcd's client at the API server", set.EtcdClient, set.ClusterCA, "", x509.ExtKeyUsageClientAuth, false},
		{"etcd", set.EtcdServer, set.EtcdCA, "127.0.0.1", x509.ExtKeyUsageServerAuth, true},
		{"front proxy", set.FrontProxy, set.FrontProxyCA, "", x509.ExtKeyUsageClientAuth, true},
		{"front proxy at the API server", set.FrontProxy, set.ClusterCA, "", x509.ExtKeyUsageClientAuth, false},
		{"admin as a front proxy", set.Admin, set.FrontProxyCA, "", x509.ExtKeyUsageClientAuth, false},
		{"aggregated API", set.Aggregated, set.ClusterCA, "legacy-api.kube-system.svc", x509.ExtKeyUsageServerAuth, true},
		{"metrics API", set.Aggregated, set.ClusterCA, "metrics-server.kube-system.svc", x509.ExtKeyUsageServerAuth, true},
		{"aggregated API as the API server", set.Aggregated, set.ClusterCA, "127.0.0.1", x509.ExtKeyUsageServerAuth, false},
		{"kubelet", set.Kubelet, set.ClusterCA, "127.0.0.1", x509.ExtKeyUsageServerAuth, true},
	} {
		if err := verify(t, c.leaf, c.authority, c.host, c.usage); (err == nil) != c.good {
			t.Errorf("%s: good should be %t; verification said: %v", c.name, c.good, err)
		}
	}
}

func TestOnlyAdminsAreMasters(t *testing.T) {
	set := ensure(t, memory{})
	for name, c := range map[string]struct {
		leaf    Certificate
		masters bool
	}{
		"admin": {set.Admin, true}, "viewer": {set.Viewer, false}, "scheduler": {set.Scheduler, false},
		"controller manager": {set.ControllerManager, false}, "kubelet's client": {set.KubeletClient, false},
	} {
		cert, err := parseCert(c.leaf.Cert)
		if err != nil {
			t.Fatal(err)
		}
		if is := slices.Contains(cert.Subject.Organization, "system:masters"); is != c.masters {
			t.Errorf("%s: in system:masters: %t, want %t", name, is, c.masters)
		}
	}
}

func TestASecondStartKeepsAuthoritiesAndSignsTheRestAnew(t *testing.T) {
	files := memory{}
	first := ensure(t, files)
	second := ensure(t, files)
	kept := func(a, b Certificate) bool { return slices.Equal(a.Cert, b.Cert) && slices.Equal(a.Key, b.Key) }
	if !kept(first.ClusterCA, second.ClusterCA) || !kept(first.EtcdCA, second.EtcdCA) || !kept(first.FrontProxyCA, second.FrontProxyCA) || !kept(first.ServiceAccounts, second.ServiceAccounts) {
		t.Error("an authority or the service-account key was not kept")
	}
	if kept(first.Admin, second.Admin) {
		t.Error("the admin's certificate was not signed anew")
	}
	if err := verify(t, second.Admin, first.ClusterCA, "", x509.ExtKeyUsageClientAuth); err != nil {
		t.Errorf("the new certificate is not good for the old authority: %v", err)
	}
}

func TestTwoClustersShareNothing(t *testing.T) {
	one, two := memory{}, memory{}
	ensure(t, one)
	ensure(t, two)
	for name := range maps.Keys(one) {
		if slices.Equal(one[name], two[name]) {
			t.Errorf("%s is the same in both", name)
		}
	}
}

func TestAnAuthorityIsReplacedBeforeItEnds(t *testing.T) {
	authority, err := NewAuthority("test")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for after, usable := range map[time.Duration]bool{0: true, 8 * leafLife: true, authorityLife - leafLife/2: false} {
		if got := authority.Usable(now.Add(after)); got != usable {
			t.Errorf("after %s: usable %t, want %t", after, got, usable)
		}
	}
}

func TestPairsLoadAsTLSCertificates(t *testing.T) {
	set := ensure(t, memory{})
	for _, c := range []Certificate{set.Admin, set.APIServer, set.Kubelet, set.EtcdServer} {
		if _, err := tls.X509KeyPair(c.Cert, c.Key); err != nil {
			t.Errorf("%s: %v", c.CertFile, err)
		}
	}
}
