package signin

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/server/guard"
)

// Headers of a trusted proxy.
const (
	SecretHeader = "X-Fieldmark-Proxy-Secret" // the shared secret
	TokenHeader  = "X-Forwarded-Access-Token" // the person's token, as oauth2-proxy sends it; or Authorization: Bearer
)

// minSecret is the shortest secret of a proxy, in characters.
const minSecret = 16

// Proxy is a proxy in front of Fieldmark that signs people in and sends their tokens. It must remove these headers from what browsers send. It
// proves who it is by a secret, by a certificate (mutual TLS), or by both if both are set.
type Proxy struct {
	// From are its addresses.
	From []netip.Prefix
	// Secret is sent in SecretHeader; empty: none is needed.
	Secret string
	// Certificate is the verified certificate of a request's connection, or nil if it has none; nil: none is needed. Names are those that the
	// certificate may have: as a DNS name, as a URI, or as the common name.
	Certificate func(*http.Request) *x509.Certificate
	Names       []string
}

func (p Proxy) check() error {
	switch proven := p.Secret != "" || p.Certificate != nil; {
	case len(p.From) == 0 && proven:
		return errors.New("--trusted-proxies is missing: it has the addresses of the proxy")
	case len(p.From) > 0 && !proven:
		return errors.New("--trusted-proxies needs --proxy-ca or --proxy-secret-file: an address alone proves nothing")
	case p.Secret != "" && len(p.Secret) < minSecret:
		return errors.New("--proxy-secret-file: the secret needs at least 16 characters")
	case p.Certificate != nil && len(p.Names) == 0:
		return errors.New("--proxy-ca needs --proxy-names: the authority may have signed certificates of other programs")
	case p.Certificate == nil && len(p.Names) > 0:
		return errors.New("--proxy-names needs --proxy-ca")
	}
	return nil
}

// near tells whether an address is one of the proxy's.
func (p Proxy) near(address netip.Addr) bool {
	return slices.ContainsFunc(p.From, func(prefix netip.Prefix) bool { return prefix.Contains(address) })
}

// lacks says what a request lacks to be one of the proxy's; empty: nothing.
func (p Proxy) lacks(r *http.Request) string {
	switch {
	case p.Certificate != nil && !p.hasAllowedName(p.Certificate(r)):
		return "The proxy's certificate is missing, or it has none of the names that are trusted. Check --proxy-ca and --proxy-names."
	case p.Secret != "" && !p.sends(r):
		return "The proxy's secret is missing or wrong. Check --proxy-secret-file."
	}
	return ""
}

// hasAllowedName tells whether a certificate has one of the names.
func (p Proxy) hasAllowedName(c *x509.Certificate) bool {
	if c == nil {
		return false
	}
	names := append([]string{c.Subject.CommonName}, c.DNSNames...)
	for _, u := range c.URIs {
		names = append(names, u.String())
	}
	return slices.ContainsFunc(names, func(name string) bool { return name != "" && slices.Contains(p.Names, name) })
}

// sends tells whether a request has the secret.
func (p Proxy) sends(r *http.Request) bool {
	values := r.Header[SecretHeader]
	if len(values) != 1 {
		return false
	}
	got, want := sha256.Sum256([]byte(values[0])), sha256.Sum256([]byte(p.Secret))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// proxied is the token that the trusted proxy sends; empty: there is none. From anybody else these headers count for nothing
// (threat: header injection).
func (d *Door) proxied(r *http.Request) (token string, no guard.Refusal) {
	if !d.Proxy.near(peer(r)) {
		return "", guard.Refusal{}
	}
	values := r.Header[TokenHeader]
	if lacks := d.Proxy.lacks(r); lacks != "" {
		if len(values) > 0 {
			return "", refuse(http.StatusUnauthorized, lacks)
		}
		return "", guard.Refusal{}
	}
	if len(values) > 1 {
		return "", refuse(http.StatusUnauthorized, "The proxy sends two tokens.")
	}
	if len(values) == 1 {
		return strings.TrimSpace(values[0]), guard.Refusal{}
	}
	token, _ = bearer(r.Header["Authorization"])
	return token, guard.Refusal{}
}

// peer is the address at the other end of the connection; invalid: it isn't known.
func peer(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	address, _ := netip.ParseAddr(host) // the zero value is invalid, and in no prefix
	return address.Unmap().WithZone("")
}

// client is the address of the program that sent a request. A trusted proxy says it in X-Forwarded-For, whose last entries it added.
func (d *Door) client(r *http.Request) netip.Addr {
	address := peer(r)
	if !d.Proxy.near(address) || d.Proxy.lacks(r) != "" {
		return address
	}
	entries := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, entry := range slices.Backward(entries) {
		next, err := netip.ParseAddr(strings.TrimSpace(entry))
		if err != nil {
			break
		}
		if address = next.Unmap(); !d.Proxy.near(address) {
			break
		}
	}
	return address
}
