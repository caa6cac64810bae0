// Package controlplane knows how the components of a control plane are set up
// for a practice cluster.
package controlplane

import (
	"encoding/json"
	"net"
	"strconv"

	"github.com/fieldmark/fieldmark/practice/pki"
)

const (
	loopback     = "127.0.0.1"
	serviceCIDR  = "10.96.0.0/16"
	tokenIssuer  = "https://kubernetes.default.svc"
	featureGates = "CBORServingAndStorage=true"
)

// Endpoint returns the URL of a port on this machine.
func Endpoint(port int) string {
	return "https://" + net.JoinHostPort(loopback, strconv.Itoa(port))
}

// APIServerArgs returns the API server's flags. Its port may be shared with
// the socket by which the supervisor reserves it, so that nobody else can take
// it while the API server is down.
func APIServerArgs(port, etcdPort int, certs *pki.Set) []string {
	return []string{
		"--bind-address=" + loopback,
		"--advertise-address=" + loopback,
		"--secure-port=" + strconv.Itoa(port),
		"--permit-port-sharing=true",
		// A loopback address may not be an endpoint of the kubernetes service.
		"--endpoint-reconciler-type=none",

		"--etcd-servers=" + Endpoint(etcdPort),
		"--etcd-cafile=" + certs.EtcdCA.CertFile,
		"--etcd-certfile=" + certs.EtcdClient.CertFile,
		"--etcd-keyfile=" + certs.EtcdClient.KeyFile,

		"--tls-cert-file=" + certs.APIServer.CertFile,
		"--tls-private-key-file=" + certs.APIServer.KeyFile,
		"--client-ca-file=" + certs.ClusterCA.CertFile,
		"--anonymous-auth=false",
		"--authorization-mode=Node,RBAC",

		"--kubelet-certificate-authority=" + certs.ClusterCA.CertFile,
		"--kubelet-client-certificate=" + certs.KubeletClient.CertFile,
		"--kubelet-client-key=" + certs.KubeletClient.KeyFile,
		"--kubelet-preferred-address-types=InternalIP",

		// With these it passes requests on to aggregated APIs, with the name of the user. Aggregated APIs read in the cluster
		// which certificate to trust.
		"--proxy-client-cert-file=" + certs.FrontProxy.CertFile,
		"--proxy-client-key-file=" + certs.FrontProxy.KeyFile,
		"--requestheader-client-ca-file=" + certs.FrontProxyCA.CertFile,
		"--requestheader-allowed-names=" + pki.FrontProxyName,
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",

		"--service-account-issuer=" + tokenIssuer,
		"--service-account-key-file=" + certs.ServiceAccounts.CertFile,
		"--service-account-signing-key-file=" + certs.ServiceAccounts.KeyFile,
		"--service-cluster-ip-range=" + serviceCIDR,

		"--allow-privileged=true",
		"--feature-gates=" + featureGates,
		"--delete-collection-workers=8",
		"--profiling=false",
	}
}

// Issuers returns the API server's flag for a file with issuers whose tokens it accepts too. Such a file can't allow anonymous requests: the
// API server doesn't start if both the file and --anonymous-auth decide about them.
func Issuers(file string) string { return "--authentication-config=" + file }

// ControllerManagerArgs returns the controller manager's flags. It serves
// nothing, because nothing on the machine sends it requests.
func ControllerManagerArgs(kubeconfig string, certs *pki.Set) []string {
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--secure-port=0",
		"--leader-elect=false",
		// The API server limits the requests.
		"--kube-api-qps=1000",
		"--kube-api-burst=2000",
		"--use-service-account-credentials=true",
		"--root-ca-file=" + certs.ClusterCA.CertFile,
		"--service-account-private-key-file=" + certs.ServiceAccounts.KeyFile,
		"--service-cluster-ip-range=" + serviceCIDR,
		"--profiling=false",
	}
}

// SchedulerArgs returns the scheduler's flags. It serves nothing either.
func SchedulerArgs(kubeconfig string) []string {
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--secure-port=0",
		"--leader-elect=false",
		"--kube-api-qps=1000",
		"--kube-api-burst=2000",
		"--profiling=false",
	}
}

// EtcdArgs returns etcd's flags: its configuration is in a file.
func EtcdArgs(configFile string) []string { return []string{"--config-file=" + configFile} }

// quota is room for the largest scenario, with its history, several times over.
const quota = 8 << 30

// EtcdConfig returns etcd's configuration as a file (JSON, which is YAML): in a file it is the same for all releases of etcd.
func EtcdConfig(dataDir string, port int, sync bool, certs *pki.Set) ([]byte, error) {
	const name, peer = "practice", "https://" + loopback + ":2380"
	security := map[string]any{
		"cert-file": certs.EtcdServer.CertFile, "key-file": certs.EtcdServer.KeyFile,
		"trusted-ca-file": certs.EtcdCA.CertFile, "client-cert-auth": true,
	}
	return json.Marshal(map[string]any{
		"name":                  name,
		"data-dir":              dataDir,
		"listen-client-urls":    Endpoint(port),
		"advertise-client-urls": Endpoint(port),
		// The only member has no peers to listen for, but etcd wants to listen: any free port will do.
		"listen-peer-urls":            Endpoint(0),
		"initial-advertise-peer-urls": peer,
		"initial-cluster":             name + "=" + peer,
		"client-transport-security":   security,
		"peer-transport-security":     security,
		// The only member need not wait for others before it becomes the leader.
		"heartbeat-interval":  10,
		"election-timeout":    100,
		"unsafe-no-fsync":     !sync,
		"quota-backend-bytes": quota,
		"log-level":           "warn",
		"log-outputs":         []string{"stderr"},
	})
}
