package signin

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// byClient is what a handler knows of a program's request with a token.
func (p *place) byClient(t *testing.T, path, token string) seen {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = host
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, words(w))
	}
	return decode(t, w.Body)
}

// TestExhaustion_APersonHasOneAccountWhateverTheWayIn: each API server has a name of its own for one person.
func TestExhaustion_APersonHasOneAccountWhateverTheWayIn(t *testing.T) {
	p := open(t, func(c *Config) {
		review := c.Review
		c.Proxy, c.Clusters[2].Proxy = byCertificate("proxy"), true
		c.Review = func(ctx context.Context, slug, token string) (string, []string, error) {
			if strings.Count(token, ".") == 2 {
				return "ada-in-" + slug, nil, nil
			}
			return review(ctx, slug, token)
		}
	})
	b := p.browser(t)
	b.signIn("first", "/")
	me := b.who("/clusters/first/api")
	token := me.Grants["first"].Token
	w := p.proxied("/clusters/third/api", token)
	if w.Code != http.StatusOK {
		t.Fatal(w.Code, words(w))
	}
	for way, s := range map[string]seen{
		"kubectl": p.byClient(t, "/clusters/first/api", token), "kubectl, another cluster": p.byClient(t, "/clusters/second/api", token), "the proxy": decode(t, w.Body),
	} {
		if s.Account != me.Account || s.Account == "" || s.Key == me.Key {
			t.Errorf("%s: %+v, in the browser %+v", way, s, me)
		}
	}
	if other := p.byClient(t, "/clusters/first/api", "eve-of-first"); other.Account != other.Key || other.Account == me.Account {
		t.Errorf("somebody else: %+v", other)
	}
	robot := "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"https://kubernetes.default.svc","sub":"system:serviceaccount:a:b"}`)) + ".x"
	if one, two := p.byClient(t, "/clusters/first/api", robot), p.byClient(t, "/clusters/second/api", robot); one.Account == two.Account {
		t.Errorf("service accounts of two clusters: %+v, %+v", one, two)
	}
}
