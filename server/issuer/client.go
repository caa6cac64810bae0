package issuer

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
)

// maxResponse bounds a response of the issuer in bytes.
const maxResponse = 1 << 20

// roots are the certificates that the issuer's certificate is checked with; nil: those of the system.
func (c *Config) roots() (*x509.CertPool, error) {
	if c.CAFile == "" {
		return nil, nil
	}
	content, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.setting("caFile"), err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("%s: the file %s has no certificate in PEM", c.setting("caFile"), c.CAFile)
	}
	return pool, nil
}

// newClient makes the client for all requests to the issuer. It follows no redirect: the secret must not go to another server.
func newClient(roots *x509.CertPool) *http.Client {
	return &http.Client{
		Timeout: callTime,
		Transport: bounded{&http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			TLSClientConfig:     &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout: callTime,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 2,
			IdleConnTimeout:     callTime,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bounded cuts responses that are too long (threat: oversized input).
type bounded struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, maxResponse), resp.Body}
	return resp, nil
}
