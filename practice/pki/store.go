package pki

import (
	"fmt"
	"time"
)

// Files is where keys and certificates are kept. Read returns no data and no
// error for a file that isn't there.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) error
	Path(elem ...string) string
}

// Certificate is a certificate that was issued and where its files are.
type Certificate struct {
	Pair
	CertFile, KeyFile string
}

// Set is every key and certificate of one cluster.
type Set struct {
	ClusterCA, EtcdCA, FrontProxyCA Certificate
	ServiceAccounts                 Certificate

	EtcdServer, EtcdClient         Certificate
	APIServer, KubeletClient       Certificate
	Kubelet                        Certificate
	FrontProxy, Aggregated         Certificate
	Admin, Viewer, Program         Certificate
	ControllerManager, Scheduler   Certificate
	SimulatedNodes, EtcdMaintainer Certificate
}

// Names in the certificates of the cluster.
const (
	KubeletClientName = "kube-apiserver-kubelet-client"
	FrontProxyName    = "front-proxy-client"
	ViewerName        = "practice-viewer"
	ViewerGroup       = "practice:viewers"
	masters           = "system:masters"
)

// The Services by which the API server finds the aggregated APIs. The certificate
// of the server that has them is for these names.
const (
	AggregatedNamespace = "kube-system"
	AggregatedService   = "legacy-api"
	MetricsService      = "metrics-server"
)

// Ensure returns a cluster's keys and certificates. Authorities and the
// service-account key are kept from start to start, so tokens and stored
// objects stay valid; everything else is signed again.
func Ensure(files Files) (*Set, error) {
	cluster, err := ensureAuthority(files, "cluster-ca", "Fieldmark practice cluster")
	if err != nil {
		return nil, err
	}
	etcd, err := ensureAuthority(files, "etcd-ca", "Fieldmark practice etcd")
	if err != nil {
		return nil, err
	}
	frontProxy, err := ensureAuthority(files, "front-proxy-ca", "Fieldmark practice front proxy")
	if err != nil {
		return nil, err
	}
	set := &Set{
		ClusterCA:    located(files, "cluster-ca", cluster.Pair),
		EtcdCA:       located(files, "etcd-ca", etcd.Pair),
		FrontProxyCA: located(files, "front-proxy-ca", frontProxy.Pair),
	}
	if set.ServiceAccounts, err = ensureSigningKey(files, "service-accounts"); err != nil {
		return nil, err
	}
	return set, set.issueAll(files, cluster, etcd, frontProxy)
}

func (s *Set) issueAll(files Files, cluster, etcd, frontProxy *Authority) error {
	loopback := []string{"127.0.0.1", "localhost"}
	service := []string{
		"kubernetes", "kubernetes.default", "kubernetes.default.svc",
		"kubernetes.default.svc.cluster.local", "10.96.0.1",
	}
	for _, wanted := range []struct {
		into    *Certificate
		by      *Authority
		file    string
		subject Subject
	}{
		{&s.EtcdServer, etcd, "etcd-server", Subject{Name: "etcd", Hosts: loopback, AlsoClient: true}},
		{&s.EtcdClient, etcd, "etcd-client", Subject{Name: "kube-apiserver"}},
		{&s.EtcdMaintainer, etcd, "etcd-maintainer", Subject{Name: "fieldmark-practice"}},
		{&s.APIServer, cluster, "apiserver", Subject{Name: "kube-apiserver", Hosts: append(service, loopback...)}},
		{&s.KubeletClient, cluster, "kubelet-client", Subject{Name: KubeletClientName}},
		{&s.Kubelet, cluster, "kubelet", Subject{Name: "simulated-kubelet", Hosts: loopback}},
		{&s.FrontProxy, frontProxy, "front-proxy-client", Subject{Name: FrontProxyName}},
		{&s.Aggregated, cluster, "aggregated", Subject{Name: AggregatedService, Hosts: []string{
			AggregatedService + "." + AggregatedNamespace + ".svc",
			MetricsService + "." + AggregatedNamespace + ".svc",
		}}},
		{&s.Admin, cluster, "admin", Subject{Name: "practice-admin", Groups: []string{masters}}},
		{&s.Viewer, cluster, "viewer", Subject{Name: ViewerName, Groups: []string{ViewerGroup}}},
		{&s.Program, cluster, "program", Subject{Name: "fieldmark-practice", Groups: []string{masters}}},
		{&s.ControllerManager, cluster, "controller-manager", Subject{Name: "system:kube-controller-manager"}},
		{&s.Scheduler, cluster, "scheduler", Subject{Name: "system:kube-scheduler"}},
		{&s.SimulatedNodes, cluster, "nodes", Subject{Name: "simulated-nodes", Groups: []string{masters}}},
	} {
		pair, err := wanted.by.Issue(wanted.subject)
		if err != nil {
			return fmt.Errorf("certificate %s: %w", wanted.file, err)
		}
		if err := writePair(files, wanted.file, pair); err != nil {
			return err
		}
		*wanted.into = located(files, wanted.file, pair)
	}
	return nil
}

func ensureAuthority(files Files, name, title string) (*Authority, error) {
	kept, err := readPair(files, name)
	if err != nil {
		return nil, err
	}
	if kept.Cert != nil && kept.Key != nil {
		authority, err := LoadAuthority(kept)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files.Path(certName(name)), err)
		}
		if authority.Usable(time.Now()) {
			return authority, nil
		}
	}
	authority, err := NewAuthority(title)
	if err != nil {
		return nil, err
	}
	return authority, writePair(files, name, authority.Pair)
}

func ensureSigningKey(files Files, name string) (Certificate, error) {
	kept, err := readPair(files, name)
	if err != nil {
		return Certificate{}, err
	}
	if kept.Cert == nil || kept.Key == nil {
		if kept, err = NewSigningKey(); err != nil {
			return Certificate{}, err
		}
		if err := writePair(files, name, kept); err != nil {
			return Certificate{}, err
		}
	}
	return located(files, name, kept), nil
}

func certName(name string) string { return "pki/" + name + ".crt" }
func keyName(name string) string  { return "pki/" + name + ".key" }

func located(files Files, name string, pair Pair) Certificate {
	return Certificate{Pair: pair, CertFile: files.Path(certName(name)), KeyFile: files.Path(keyName(name))}
}

func readPair(files Files, name string) (Pair, error) {
	cert, err := files.Read(certName(name))
	if err != nil {
		return Pair{}, err
	}
	key, err := files.Read(keyName(name))
	return Pair{Cert: cert, Key: key}, err
}

func writePair(files Files, name string, pair Pair) error {
	if err := files.Write(keyName(name), pair.Key); err != nil {
		return err
	}
	return files.Write(certName(name), pair.Cert)
}
