package cluster

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/fieldmark/fieldmark/server/upstream"
)

// Site is one API server of the shared mode: its address, and the authority that signs its certificate. It has no credentials. All people
// share its connections, and each request carries the credentials of the person who sends it. It is safe for concurrent use.
type Site struct {
	slug, name, namespace string
	at                    clientcmdapi.Cluster
	file                  string // the file that describes it

	shelf shelf

	mu        sync.Mutex
	shared    *upstream.Target
	authority digest // the digest of the authority's certificate that shared trusts
}

// newSite checks the description of an API server.
func newSite(name, file string, at clientcmdapi.Cluster) (*Site, error) {
	if p := checkCluster(&at); p != nil {
		return nil, fmt.Errorf("the cluster %q of %s can't be used: %s. %s", name, file, p.Text, p.Advice)
	}
	switch {
	case at.InsecureSkipTLSVerify:
		return nil, fmt.Errorf("the cluster %q of %s has insecure-skip-tls-verify, so people's tokens could be sent to anybody; set certificate-authority instead", name, file)
	case !strings.HasPrefix(at.Server, "https://"):
		return nil, fmt.Errorf("the server URL of the cluster %q of %s must begin with https://, because people's tokens are sent to it", name, file)
	}
	s := &Site{slug: Slug(name), name: name, at: at, file: file}
	if _, err := s.connect(); err != nil {
		return nil, fmt.Errorf("the cluster %q of %s can't be used: %w", name, file, err)
	}
	return s, nil
}

// Slug is the site's name in URLs.
func (s *Site) Slug() string { return s.slug }

// Name is the site's name as it was configured.
func (s *Site) Name() string { return s.name }

// Mark differs between two API servers, and tells nothing about them.
func (s *Site) Mark() string {
	of := digestOf("server", []byte(s.at.Server), []byte(s.at.TLSServerName))
	return hex.EncodeToString(of[:8])
}

func (s *Site) info() Info {
	return Info{Server: withoutPassword(s.at.Server), Cluster: s.name, Namespace: s.namespace, File: s.file}
}

// connect is how to reach the API server, without credentials. It is only for personal.
func (s *Site) connect() (*upstream.Target, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shared != nil {
		return s.shared, nil
	}
	pem, p := dataOrFile(s.at.CertificateAuthorityData, s.at.CertificateAuthority, "certificate authority")
	if p != nil {
		return nil, p
	}
	config := &rest.Config{Host: s.at.Server, TLSClientConfig: rest.TLSClientConfig{CAData: pem, ServerName: s.at.TLSServerName}}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, unusableContext(err)
	}
	base.Path, base.RawPath = strings.TrimRight(base.Path, "/"), ""
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, unusableContext(err)
	}
	s.shared = upstream.New(base, upstream.Config{TLS: tlsConfig, Proxy: s.proxy()})
	s.authority = digestOf("authority", pem)
	return s.shared, nil
}

func (s *Site) proxy() func(*http.Request) (*url.URL, error) {
	if s.at.ProxyURL == "" {
		return http.ProxyFromEnvironment
	}
	return func(*http.Request) (*url.URL, error) { return url.Parse(s.at.ProxyURL) }
}

// renew makes the next connection trust the authority that its file has now. Without a change, the connections stay.
func (s *Site) renew() {
	if s.at.CertificateAuthority == "" {
		return
	}
	pem, err := os.ReadFile(s.at.CertificateAuthority)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || s.shared == nil || digestOf("authority", pem) == s.authority {
		return
	}
	s.shared.Close()
	s.shared = nil
}
