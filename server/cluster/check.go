package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"slices"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// check checks a context's entries and the files that they name, so that errors have clear words. client-go checks them
// again afterwards.
func check(config *clientcmdapi.Config, name string) *Problem {
	kubeContext := config.Contexts[name]
	file := kubeContext.LocationOfOrigin
	cluster := config.Clusters[kubeContext.Cluster]
	if cluster == nil {
		return &Problem{
			Text:   fmt.Sprintf("the context names the cluster %q, which is not in the kubeconfig", kubeContext.Cluster),
			Advice: "Add the cluster to " + file + ", or correct the context.",
		}
	}
	if p := checkCluster(cluster); p != nil {
		return p
	}
	if kubeContext.AuthInfo == "" {
		return nil
	}
	user := config.AuthInfos[kubeContext.AuthInfo]
	if user == nil {
		return &Problem{
			Text:   fmt.Sprintf("the context names the user %q, which is not in the kubeconfig", kubeContext.AuthInfo),
			Advice: "Add the user to " + file + ", or correct the context.",
		}
	}
	return checkUser(user)
}

func checkCluster(cluster *clientcmdapi.Cluster) *Problem {
	if p := checkServer(cluster.Server); p != nil {
		return p
	}
	if p := checkProxy(cluster.ProxyURL); p != nil {
		return p
	}
	hasCA := cluster.CertificateAuthority != "" || len(cluster.CertificateAuthorityData) > 0
	if hasCA && cluster.InsecureSkipTLSVerify {
		return &Problem{
			Text:   "the cluster has a certificate authority and insecure-skip-tls-verify, but only one of them is allowed",
			Advice: "Remove insecure-skip-tls-verify from the kubeconfig's cluster.",
		}
	}
	return checkCA(cluster)
}

func checkServer(server string) *Problem {
	if server == "" {
		return &Problem{Text: "the cluster has no server URL", Advice: "Set server in the kubeconfig's cluster to a URL such as https://host:6443."}
	}
	// client-go also accepts host:port without a scheme, which url.Parse may read wrongly.
	u, err := url.ParseRequestURI(server)
	if err != nil {
		u, err = url.ParseRequestURI("http://" + server)
	}
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return &Problem{
			Text:   fmt.Sprintf("the server URL %q can't be used", withoutPassword(server)),
			Advice: "Set server in the kubeconfig's cluster to a URL such as https://host:6443.",
		}
	}
	return nil
}

func checkProxy(proxy string) *Problem {
	if proxy == "" {
		return nil
	}
	u, err := url.Parse(proxy)
	if err == nil && u.Host != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return nil
	}
	return &Problem{
		Text:   "the cluster's proxy-url can't be used",
		Advice: "Remove proxy-url, or set it to a URL that begins with http://, https:// or socks5://.",
	}
}

func checkCA(cluster *clientcmdapi.Cluster) *Problem {
	pem, p := dataOrFile(cluster.CertificateAuthorityData, cluster.CertificateAuthority, "certificate authority")
	if p != nil || pem == nil {
		return p
	}
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		return &Problem{
			Text:   "the cluster's certificate authority contains no certificate",
			Advice: "Put a PEM certificate into certificate-authority, or its base64 into certificate-authority-data.",
		}
	}
	return nil
}

func checkUser(user *clientcmdapi.AuthInfo) *Problem {
	if p := checkClientCertificate(user); p != nil {
		return p
	}
	if user.Token == "" && user.TokenFile != "" {
		if _, p := dataOrFile(nil, user.TokenFile, "token"); p != nil {
			return p
		}
	}
	if user.Exec != nil {
		return checkPlugin(user.Exec)
	}
	return nil
}

func checkClientCertificate(user *clientcmdapi.AuthInfo) *Problem {
	cert, p := dataOrFile(user.ClientCertificateData, user.ClientCertificate, "client certificate")
	if p != nil || cert == nil {
		return p
	}
	key, p := dataOrFile(user.ClientKeyData, user.ClientKey, "client key")
	if p != nil {
		return p
	}
	if key == nil {
		return &Problem{Text: "the user has a client certificate but no key", Advice: "Set client-key or client-key-data in the kubeconfig's user."}
	}
	if _, err := tls.X509KeyPair(cert, key); err != nil {
		return &Problem{
			Text:   "the user's client certificate and key do not match",
			Advice: "Check client-certificate and client-key in the kubeconfig's user. Both must be PEM, and the key must belong to the certificate.",
		}
	}
	return nil
}

// dataOrFile is what client-go would use: the data, else the file's content, else nil.
func dataOrFile(data []byte, file, what string) ([]byte, *Problem) {
	if len(data) > 0 || file == "" {
		return data, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, &Problem{
			Text:   fmt.Sprintf("the %s file %s can't be read (%s)", what, file, reason(err)),
			Advice: "Create the file, or correct its path in the kubeconfig.",
		}
	}
	return content, nil
}

// withoutPassword is a URL as written, save for a password in it.
func withoutPassword(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return raw
	}
	u.User = url.User("…")
	return u.String()
}
