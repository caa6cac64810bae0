package signin

import (
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/issuer/issuertest"
)

// TestIssuerMixUp_ASignInCountsForItsSettingsOnly replaces a Fieldmark by one with other settings and the same key.
func TestIssuerMixUp_ASignInCountsForItsSettingsOnly(t *testing.T) {
	issuerGone := func(*place) func(*Config) {
		return func(c *Config) { c.Issuers, c.Clusters[0].Issuer = c.Issuers[1:], "" }
	}
	issuerMoved := func(p *place) func(*Config) {
		return func(c *Config) { c.Issuers[0] = p.client(t, "one", p.two) }
	}
	renamed := func(p *place) func(*Config) {
		return func(c *Config) { c.Issuers[0] = p.prefixed(t, "one", p.one, "people:") }
	}
	for name, c := range map[string]struct {
		signIn []string // clusters
		change func(p *place) func(*Config)
		grants []string // that are left; none: the session is over
	}{
		"nothing changes":                  {[]string{"first", "second", "third"}, func(*place) func(*Config) { return nil }, []string{"first", "second", "third"}},
		"the issuer is gone":               {[]string{"first"}, issuerGone, nil},
		"the first issuer is gone":         {[]string{"first", "second"}, issuerGone, nil},
		"the issuer has another URL":       {[]string{"first"}, issuerMoved, nil},
		"names have a prefix now":          {[]string{"first"}, renamed, nil},
		"the second issuer is gone":        {[]string{"second", "first"}, issuerGone, []string{"second"}},
		"tokens aren't allowed any more":   {[]string{"third"}, func(*place) func(*Config) { return noTokens }, nil},
		"tokens aren't allowed, an issuer": {[]string{"first", "third"}, func(*place) func(*Config) { return noTokens }, []string{"first"}},
		"the cluster is another one": {[]string{"third"}, func(*place) func(*Config) {
			return func(c *Config) { c.Clusters[2].Mark = "another" }
		}, nil},
		"the cluster is gone": {[]string{"third"}, func(*place) func(*Config) {
			return func(c *Config) { c.Clusters = c.Clusters[:2] }
		}, nil},
	} {
		p := open(t, func(c *Config) { c.WriteGroups = []string{"ops"} })
		p.one.Set(func(b *issuertest.Behaviour) { b.Life, b.Claims = 2*time.Minute, map[string]any{"groups": nil} })
		b := p.browser(t)
		for _, cluster := range c.signIn {
			b.enter(cluster)
		}
		change := c.change(p)
		p.replica(t, func(c *Config) {
			c.WriteGroups = []string{"ops"}
			if change != nil {
				change(c)
			}
		})
		asked := p.two.Calls("/token")
		p.clock.forward(100 * time.Second) // tokens are renewed now
		w := b.get("/c/first/x")
		if len(c.grants) == 0 {
			check(t, name, w, http.StatusUnauthorized, "settings of Fieldmark have changed")
		} else if got := slices.Sorted(maps.Keys(decode(t, w.Body).Grants)); !slices.Equal(got, c.grants) {
			t.Errorf("%s: grants for %q, want %q", name, got, c.grants)
		}
		if n := p.two.Calls("/token") - asked; n > 0 && !slices.Contains(c.grants, "second") {
			t.Errorf("%s: the other issuer got %d requests with tokens", name, n)
		}
	}
}

func noTokens(c *Config) { c.AllowToken, c.Clusters = false, c.Clusters[:2] }

// enter signs in for a cluster, and follows to the end.
func (b *browser) enter(cluster string) {
	b.t.Helper()
	if cluster == "third" {
		b.post(guard.SignInPath, "same-origin", thirdToken)
		return
	}
	if next := b.signIn(cluster, "/"); next == donePath {
		b.get(next)
	}
}

func TestIssuerMixUp_ACodeGoesToTheIssuerOfItsSettingsOnly(t *testing.T) {
	p := open(t, nil)
	p.one.Set(func(b *issuertest.Behaviour) {
		b.Discovered = map[string]any{"authorization_response_iss_parameter_supported": false}
	})
	b := p.browser(t)
	back := p.one.Authorize(t, b.begin("first", "/"))
	query := back.Query()
	query.Del("iss")
	p.two.Set(func(b *issuertest.Behaviour) {
		b.Discovered = map[string]any{"authorization_response_iss_parameter_supported": false}
	})
	p.replica(t, func(c *Config) { c.Issuers[0] = p.client(t, "one", p.two) })
	check(t, "the callback", b.visit(CallbackPath+"?"+query.Encode(), "cross-site"), http.StatusForbidden, "began in another browser")
	if n := p.two.Calls("/token"); n > 0 {
		t.Errorf("the code went to another issuer, %d times", n)
	}
}

// prefixed is a client that puts a text before names.
func (p *place) prefixed(t *testing.T, name string, at *issuertest.Issuer, prefix string) *issuer.Issuer {
	t.Helper()
	i, err := issuer.New(issuer.Config{
		Name: name, URL: at.URL, ClientID: at.ClientID, SecretFile: at.SecretFile, CAFile: at.CAFile, UserPrefix: prefix,
		Redirect: "https://" + host + CallbackPath, Now: p.clock.read,
	})
	if err != nil {
		t.Fatal(err)
	}
	return i
}
