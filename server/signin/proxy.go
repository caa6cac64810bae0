package signin

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// Headers of a trusted proxy.
const (
	SecretHeader = "X-Fieldmark-Proxy-Secret" // the shared secret
	TokenHeader  = "X-Forwarded-Access-Token" // the person's token, as oauth2-proxy sends it; or Authorization: Bearer
)

// minSecret is the shortest secret of a proxy, in characters.
const minSecret = 16

// Proxy is a proxy in front of Fieldmark that signs people in and sends their tokens. It must remove these headers from what browsers send.
type Proxy struct {
	// From are its addresses.
	From []netip.Prefix
	// Secret is sent in SecretHeader; empty: Verified must tell.
	Secret string
	// Verified tells whether the connection has the proxy's certificate (mutual TLS); nil: Secret must tell.
	Verified func(*http.Request) bool
}

func (p Proxy) check() error {
	switch {
	case len(p.From) == 0 && (p.Secret != "" || p.Verified != nil):
		return errors.New("--trusted-proxies is missing: it has the addresses of the proxy")
	case len(p.From) > 0 && p.Secret == "" && p.Verified == nil:
		return errors.New("--trusted-proxies needs --proxy-secret-file or mutual TLS: an address alone proves nothing")
	case p.Secret != "" && len(p.Secret) < minSecret:
		return errors.New("--proxy-secret-file: the secret needs at least 16 characters")
	}
	return nil
}

// near tells whether an address is one of the proxy's.
func (p Proxy) near(address netip.Addr) bool {
	return slices.ContainsFunc(p.From, func(prefix netip.Prefix) bool { return prefix.Contains(address) })
}

// proves tells whether a request comes from the proxy.
func (p Proxy) proves(r *http.Request) bool {
	if p.Verified != nil && p.Verified(r) {
		return true
	}
	values := r.Header[SecretHeader]
	if p.Secret == "" || len(values) != 1 {
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
	if !d.Proxy.proves(r) {
		if len(values) > 0 {
			return "", refuse(http.StatusUnauthorized, "The proxy's secret is missing or wrong, so its headers count for nothing. Check --proxy-secret-file.")
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

// byProxy finds the person whose token the proxy sends. The first cluster with this way says who it is. To browsers, the proxy's sign-in is
// like a cookie: pages of other sites can use it. So these sessions have to prove the origin of what they change.
func (d *Door) byProxy(r *http.Request, token string) (guard.Session, guard.Refusal) {
	p := &identity.Person{Way: identity.Proxy, Grants: map[string]identity.Grant{}}
	var first string
	for _, c := range d.Clusters {
		if !c.Proxy {
			continue
		}
		if first == "" {
			first = c.Slug
		}
		p.Grants[c.Slug] = identity.Grant{Token: token, Expires: expiryOf(token)}
	}
	if first == "" {
		return guard.Session{}, refuse(http.StatusUnauthorized, "No cluster accepts the proxy's token. Set clusters.NAME.proxy.")
	}
	whose, no := d.reviewed(r, first, token)
	if no.Code != 0 {
		return guard.Session{}, no
	}
	p.Key, p.Name, p.Groups = clusterKey(first, whose.name), whose.name, whose.groups
	s := guard.Session{ID: "proxied-" + p.Key, Kind: guard.Cookie, Person: p, ReadOnly: d.readOnly(p.Groups, "")}
	d.memory.noteUse(s)
	return s, guard.Refusal{}
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
	if !d.Proxy.near(address) {
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
