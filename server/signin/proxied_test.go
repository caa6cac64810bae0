package signin

import (
	"context"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
)

// byCertificate is a proxy with mutual TLS. A request of the tests has the name of its verified certificate in a header: a common name, dns:NAME
// or a URI.
func byCertificate(names ...string) Proxy {
	return Proxy{From: proxies, Names: names, Certificate: func(r *http.Request) *x509.Certificate {
		name := r.Header.Get("Test-Certificate")
		dns, isDNS := strings.CutPrefix(name, "dns:")
		u, err := url.Parse(name)
		switch {
		case name == "":
			return nil
		case isDNS:
			return &x509.Certificate{DNSNames: []string{dns}}
		case err == nil && u.Scheme != "":
			return &x509.Certificate{URIs: []*url.URL{u}}
		}
		return &x509.Certificate{Subject: pkix.Name{CommonName: name}}
	}}
}

func TestHeaderInjection_TheProxysCertificateHasItsName(t *testing.T) {
	const secret = "the-secret-of-the-proxy"
	both := byCertificate("proxy")
	both.Secret = secret
	for name, c := range map[string]struct {
		proxy       Proxy
		certificate string
		secret      string
		remote      string
		code        int
		words       string
	}{
		"its common name":              {byCertificate("proxy"), "proxy", "", "10.1.0.1:1", 200, ""},
		"its DNS name":                 {byCertificate("proxy.tools.svc"), "dns:proxy.tools.svc", "", "10.1.0.1:1", 200, ""},
		"its URI":                      {byCertificate("spiffe://cluster/ns/tools/sa/proxy"), "spiffe://cluster/ns/tools/sa/proxy", "", "10.1.0.1:1", 200, ""},
		"one of two names":             {byCertificate("other", "proxy"), "proxy", "", "10.1.0.1:1", 200, ""},
		"another name":                 {byCertificate("proxy"), "database", "", "10.1.0.1:1", 401, "--proxy-names"},
		"a part of the name":           {byCertificate("proxy.tools.svc"), "dns:proxy", "", "10.1.0.1:1", 401, "--proxy-names"},
		"no certificate":               {byCertificate("proxy"), "", "", "10.1.0.1:1", 401, "--proxy-ca"},
		"a secret instead":             {byCertificate("proxy"), "", secret, "10.1.0.1:1", 401, "--proxy-ca"},
		"from another address":         {byCertificate("proxy"), "proxy", "", "192.0.2.1:1", 401, notSignedIn},
		"both are needed and there":    {both, "proxy", secret, "10.1.0.1:1", 200, ""},
		"both are needed, no secret":   {both, "proxy", "", "10.1.0.1:1", 401, "--proxy-secret-file"},
		"both, and no certificate":     {both, "", secret, "10.1.0.1:1", 401, "--proxy-ca"},
		"an empty name counts as none": {byCertificate("proxy"), "dns:", "", "10.1.0.1:1", 401, "--proxy-names"},
	} {
		p := open(t, func(cfg *Config) {
			cfg.Proxy = c.proxy
			cfg.Clusters[0].Proxy = true
		})
		r := proxyRequest("/clusters/first/api", "eve-of-first")
		r.RemoteAddr = c.remote
		r.Header.Set("Test-Certificate", c.certificate)
		if c.secret != "" {
			r.Header.Set(SecretHeader, c.secret)
		}
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		check(t, name, w, c.code, c.words)
	}
}

// proxyRequest is a request of the proxy's address with a person's token.
func proxyRequest(path, token string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host, r.RemoteAddr = host, "10.1.0.1:1"
	r.Header.Set(TokenHeader, token)
	r.Header.Set("Test-Certificate", "proxy")
	return r
}

// clusters3 is a place behind a proxy whose tokens may go to three clusters. review says whose a token is.
func clusters3(t *testing.T, review Review) *place {
	t.Helper()
	return open(t, func(c *Config) {
		c.Proxy, c.Review = byCertificate("proxy"), review
		for i := range c.Clusters {
			c.Clusters[i].Proxy = true
		}
	})
}

func (p *place) proxied(path, token string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, proxyRequest(path, token))
	return w
}

// TestBorrowedCredentials_EachClusterSaysWhoseTheProxysTokenIs: the token is used where the API server of that cluster knows it.
func TestBorrowedCredentials_EachClusterSaysWhoseTheProxysTokenIs(t *testing.T) {
	asked := map[string]*atomic.Int32{"first": {}, "second": {}, "third": {}}
	review := func(known map[string]string) Review {
		return func(_ context.Context, slug, _ string) (string, []string, error) {
			asked[slug].Add(1)
			switch name := known[slug]; name {
			case "":
				return "", nil, ErrWrongToken
			case "down":
				return "", nil, errors.New("no route to host")
			default:
				return name, []string{"team-of-" + name}, nil
			}
		}
	}
	for name, c := range map[string]struct {
		known  map[string]string
		path   string
		code   int
		person string
		grants string
	}{
		"all know it":                       {map[string]string{"first": "eve", "second": "eve", "third": "eve"}, "/", 200, "eve", "first second third"},
		"one doesn't":                       {map[string]string{"first": "eve", "third": "eve"}, "/", 200, "eve", "first third"},
		"the first one doesn't":             {map[string]string{"second": "eve", "third": "eve"}, "/", 200, "eve", "second third"},
		"one is down":                       {map[string]string{"first": "eve", "second": "down", "third": "eve"}, "/", 200, "eve", "first third"},
		"another name there":                {map[string]string{"first": "eve", "second": "eve@example", "third": "eve"}, "/clusters/second/api", 200, "eve@example", "first second third"},
		"the cluster of the path doesn't":   {map[string]string{"first": "eve", "third": "eve"}, "/clusters/second/api", 401, "", ""},
		"the cluster of the path is down":   {map[string]string{"first": "eve", "second": "down"}, "/clusters/second/api", 502, "", ""},
		"nobody knows it":                   {map[string]string{}, "/", 401, "", ""},
		"nobody knows it, and one is down":  {map[string]string{"second": "down"}, "/", 502, "", ""},
		"a cluster that doesn't take it":    {map[string]string{"first": "eve"}, "/clusters/fourth/api", 200, "eve", "first"},
		"the others are down, the path not": {map[string]string{"first": "down", "second": "eve", "third": "down"}, "/clusters/second/api", 200, "eve", "second"},
	} {
		p := clusters3(t, review(c.known))
		w := p.proxied(c.path, "a-token")
		if w.Code != c.code {
			t.Errorf("%s: %d %s", name, w.Code, words(w))
		}
		if c.code != 200 {
			continue
		}
		s := decode(t, w.Body)
		var grants []string
		for _, slug := range []string{"first", "second", "third"} {
			if _, ok := s.Grants[slug]; ok {
				grants = append(grants, slug)
			}
		}
		if got := strings.Join(grants, " "); s.Name != c.person || got != c.grants {
			t.Errorf("%s: %q may use %q, want %q and %q", name, s.Name, got, c.person, c.grants)
		}
		before := fmt.Sprint(asked["first"].Load(), asked["second"].Load(), asked["third"].Load())
		p.proxied(c.path, "a-token")
		if after := fmt.Sprint(asked["first"].Load(), asked["second"].Load(), asked["third"].Load()); after != before {
			t.Errorf("%s: the clusters were asked again at once: %s, before %s", name, after, before)
		}
	}
}

// TestAClusterThatHangsDelaysNoOther: the token isn't used there, and the request doesn't wait for it to the end.
func TestAClusterThatHangsDelaysNoOther(t *testing.T) {
	release := make(chan struct{})
	p := clusters3(t, func(ctx context.Context, slug, _ string) (string, []string, error) {
		if slug == "first" {
			select {
			case <-release:
			case <-ctx.Done():
				return "", nil, ctx.Err()
			}
		}
		return "eve", nil, nil
	})
	s := decode(t, p.proxied("/clusters/second/api", "a-token").Body)
	if _, early := s.Grants["first"]; early || s.Name != "eve" || len(s.Grants) != 2 {
		t.Errorf("%q with %d grants", s.Name, len(s.Grants))
	}
	close(release)
	s = decode(t, p.proxied("/clusters/first/api", "a-token").Body)
	if len(s.Grants) != 3 {
		t.Errorf("after the answer: %d grants", len(s.Grants))
	}
}

// TestATokenKeepsItsOwnerWhileAClusterIsDown: what an API server said before still counts, and an unknown token doesn't come in.
func TestATokenKeepsItsOwnerWhileAClusterIsDown(t *testing.T) {
	var down atomic.Bool
	p := clusters3(t, func(_ context.Context, slug, _ string) (string, []string, error) {
		if down.Load() {
			return "", nil, errors.New("no route to host")
		}
		return "eve-at-" + slug, nil, nil
	})
	before := decode(t, p.proxied("/", "a-token").Body)
	down.Store(true)
	p.clock.forward(goodFor + time.Second)
	after := decode(t, p.proxied("/", "a-token").Body)
	if after.ID != before.ID || len(after.Grants) != 3 {
		t.Errorf("the session %s with %d grants became %s with %d", before.ID, len(before.Grants), after.ID, len(after.Grants))
	}
	if w := p.proxied("/", "another-token"); w.Code != http.StatusBadGateway {
		t.Errorf("a token that nobody has seen: %d", w.Code)
	}
	p.clock.forward(goodFor)
	down.Store(false)
	if w := p.proxied("/clusters/third/api", "another-token"); w.Code != http.StatusOK || decode(t, w.Body).Kind != guard.Cookie {
		t.Errorf("afterwards: %d", w.Code)
	}
}
