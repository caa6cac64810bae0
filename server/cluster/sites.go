package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// ReadSites reads the clusters of the shared mode from a kubeconfig without credentials: its contexts, or its clusters if it has no
// contexts. Errors are one line, and name the entry: the file can't be read, it has credentials or no clusters, or a cluster can't be used.
func ReadSites(file string) ([]*Site, error) {
	if why := unusable(file, "name another file"); why != nil {
		return nil, why
	}
	config, err := clientcmd.LoadFromFile(file)
	if err != nil {
		return nil, malformedFile(file, err)
	}
	if err := withoutCredentials(config, file); err != nil {
		return nil, err
	}
	for _, cluster := range config.Clusters {
		cluster.LocationOfOrigin = file
	}
	if err := clientcmd.ResolveLocalPaths(config); err != nil {
		return nil, malformedFile(file, err)
	}
	return sitesOf(config, file)
}

func sitesOf(config *clientcmdapi.Config, file string) ([]*Site, error) {
	if len(config.Contexts) == 0 {
		for name := range config.Clusters {
			config.Contexts[name] = &clientcmdapi.Context{Cluster: name}
		}
	}
	var all []*Site
	for _, name := range sortedNames(config) {
		kubeContext := config.Contexts[name]
		at := config.Clusters[kubeContext.Cluster]
		if at == nil {
			return nil, fmt.Errorf("the context %q of %s names the cluster %q, which is not in the file", name, file, kubeContext.Cluster)
		}
		site, err := newSite(name, file, *at)
		if err != nil {
			return nil, err
		}
		site.namespace = kubeContext.Namespace
		all = append(all, site)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no clusters", file)
	}
	return all, nil
}

// withoutCredentials refuses a file with credentials. In the shared mode they would be everybody's (threat: borrowed credentials).
func withoutCredentials(config *clientcmdapi.Config, file string) error {
	for name, user := range config.AuthInfos {
		has := ""
		switch {
		case user == nil:
		case user.Token != "" || user.TokenFile != "":
			has = "a token"
		case user.ClientCertificate != "" || len(user.ClientCertificateData) > 0 || user.ClientKey != "" || len(user.ClientKeyData) > 0:
			has = "a client certificate"
		case user.Username != "" || user.Password != "":
			has = "a password"
		case user.Exec != nil:
			has = "a credentials plugin"
		case user.AuthProvider != nil:
			has = "an auth provider"
		case user.Impersonate != "" || user.ImpersonateUID != "" || len(user.ImpersonateGroups) > 0 || len(user.ImpersonateUserExtra) > 0:
			has = "impersonation"
		}
		if has != "" {
			return fmt.Errorf("the user %q of %s has %s, but a shared Fieldmark uses only the credentials of the people who use it; remove the user from the file", name, file, has)
		}
	}
	return nil
}

// serviceAccount is where a pod has the authority of the API server of its cluster.
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"

// InCluster is the cluster that Fieldmark runs in. It reads the address from the environment of the pod, and the authority from a file of
// the pod. It never reads the token of the pod's service account. caFile may be empty: then it is the file that Kubernetes mounts.
func InCluster(name, caFile string, env func(string) string) (*Site, error) {
	host, port := env("KUBERNETES_SERVICE_HOST"), env("KUBERNETES_SERVICE_PORT")
	if host == "" || port == "" {
		return nil, errors.New("--in-cluster needs $KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT, which only a pod has; use --clusters elsewhere")
	}
	caFile = cmp.Or(caFile, filepath.Join(serviceAccount, "ca.crt"))
	if _, err := os.Stat(caFile); err != nil {
		return nil, fmt.Errorf("the certificate authority %s of the cluster can't be read (%s); mount the ConfigMap kube-root-ca.crt there", caFile, reason(err))
	}
	return newSite(name, "the pod's environment", clientcmdapi.Cluster{Server: "https://" + net.JoinHostPort(host, port), CertificateAuthority: caFile})
}
