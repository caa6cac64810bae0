package team

import (
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/dev/team/replica"
	"github.com/fieldmark/fieldmark/dev/team/stage"
	"github.com/fieldmark/fieldmark/dev/team/zitadel"
)

// The tests of this file have a second issuer, which signs people out and revokes tokens.

// certified is a stage without dex, as the tests use it.
type certified struct {
	*scene

	issuer *zitadel.Issuer
}

// onCertified builds the stage, and clears it after the test. Its tokens live for a moment, so that a test sees the next ones.
func onCertified(t *testing.T) *certified {
	t.Helper()
	if os.Getenv("FIELDMARK_BIN") == "" || os.Getenv("FIELDMARK_PRACTICE_BIN") == "" {
		t.Skip("needs the programs that are tested: make test-team")
	}
	s, err := stage.NewCertified(t.Context(), stage.Options{
		Fieldmark: os.Getenv("FIELDMARK_BIN"), Practice: os.Getenv("FIELDMARK_PRACTICE_BIN"), Tokens: 10 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Clear(); err != nil {
			t.Error(err)
		}
	})
	return &certified{&scene{Stage: s.Stage}, s.Issuer}
}

// out is the link at which the issuer signs somebody out.
var out = regexp.MustCompile(`href="(https://localhost[^"]*)"[^>]*>\s*(?:<[^>]*>\s*)*Sign out at`)

// signOut signs out at Fieldmark, and returns the page and the address at the issuer.
func (v *visitor) signOut(t *testing.T) (page, there string) {
	t.Helper()
	got, err := v.Submit(t.Context(), v.page, "/-/sign-out", url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	found := out.FindStringSubmatch(got.Body)
	if got.Status != http.StatusOK || found == nil {
		t.Fatalf("signing out: %d %s", got.Status, got.Body)
	}
	v.page = got
	return got.Body, html.UnescapeString(found[1])
}

// asks tells whether the issuer asks for name and password when a sign-in begins.
func (v *visitor) asks(t *testing.T) bool {
	t.Helper()
	start := v.stage.Public + "/-/sign-in/start?" + url.Values{"cluster": {replica.Slug}, "next": {"/"}}.Encode()
	got, err := v.Open(t.Context(), nil, start)
	if err != nil {
		t.Fatal(err)
	}
	return action.MatchString(got.Body)
}

// TestASecondIssuer does with another program as the issuer what dex can't do.
func TestASecondIssuer(t *testing.T) {
	s := onCertified(t)
	t.Run("signing in", s.signingIn)
	t.Run("a copy of the cookies ends", s.copyEnds)
	t.Run("signing out there", s.signingOutThere)
	t.Run("it doesn't lead back", s.leadsNowhere)
	t.Run("it doesn't revoke", s.revokesNothing)
}

// signingIn: code, PKCE, groups, and refresh tokens that are replaced at each use.
func (s *certified) signingIn(t *testing.T) {
	people := map[string]*visitor{"ada": s.visit(t, ada, "/"), "ben": s.visit(t, ben, "/")}
	for _, c := range []struct {
		who, path string
		want      int
	}{
		{"ada", secretsA, 200}, {"ada", secretsB, 403}, {"ben", secretsA, 403}, {"ben", secretsB, 200},
	} {
		for range 2 { // once at each replica
			if got := people[c.who].status(t, http.MethodGet, c.path, ""); got != c.want {
				t.Errorf("%s %s: %d, want %d", c.who, c.path, got, c.want)
			}
		}
	}
	eventually(t, "tokens are renewed", func() error {
		if got := people["ada"].status(t, http.MethodGet, secretsA, ""); got != http.StatusOK {
			t.Fatalf("while they are renewed: %d", got)
		}
		if n := s.issuer.Renewals(); n < 2 {
			return fmt.Errorf("%d times", n)
		}
		return nil
	})
	if n := s.issuer.Refreshes(ada); n != 1 {
		t.Errorf("%d refresh tokens work after they were replaced", n)
	}
}

// copyEnds: a copy of the cookies lives on at the other replica until its token ends, and can't be renewed (threat: copied session).
func (s *certified) copyEnds(t *testing.T) {
	t.Cleanup(func() { s.Proxy.Lead(s.Addresses()...) })
	v := s.visit(t, gil, "/")
	stolen := v.sessionCookies(t, 1)
	thief := *v
	thief.Browser = v.Twin(host, maps.Clone(stolen))
	if got := thief.status(t, http.MethodGet, secretsA, ""); got != http.StatusOK {
		t.Fatalf("the copy is of no use from the start: %d", got)
	}
	s.Proxy.Lead(s.Replicas[0].Address)
	if page, _ := v.signOut(t); strings.Contains(page, "didn’t end") {
		t.Errorf("the page says that the issuer refuses: %s", page)
	}
	signed := time.Now()
	if n := s.issuer.Refreshes(gil); n != 0 {
		t.Errorf("%d refresh tokens still work", n)
	}
	if got := thief.status(t, http.MethodGet, secretsA, ""); got != http.StatusUnauthorized {
		t.Errorf("the replica that knows of it says %d", got)
	}
	s.Proxy.Lead(s.Replicas[1].Address)
	thief.Browser = v.Twin(host, stolen) // the refusal has deleted the others
	if got := thief.status(t, http.MethodGet, secretsA, ""); got != http.StatusOK {
		t.Errorf("the other replica says %d: it can't know", got)
	}
	eventually(t, "the copy ends", func() error {
		if got := thief.status(t, http.MethodGet, secretsA, ""); got != http.StatusUnauthorized {
			return fmt.Errorf("%d", got)
		}
		return nil
	})
	if took := time.Since(signed); took > s.Tokens+30*time.Second { // what is promised: the life of the token
		t.Errorf("the copy lived for %s, and its token for %s", took, s.Tokens)
	}
}

// signingOutThere: the issuer knows the browser until the person signs out there, too. Then it leads back.
func (s *certified) signingOutThere(t *testing.T) {
	v := s.visit(t, dora, "/")
	_, there := v.signOut(t)
	if strings.Contains(there, "eyJ") {
		t.Errorf("a token is in the address %s", there)
	}
	twin := *v
	twin.Browser = v.Twin("localhost", v.Jar.Named("localhost", ""))
	if twin.asks(t) {
		t.Error("the issuer asks for a password, although nobody has signed out there")
	}
	back, err := v.Open(t.Context(), v.page, there)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(back.URL.String(), s.Public+stage.Leads+"?state=") || !strings.Contains(back.Body, "and at zitadel") {
		t.Errorf("the issuer leads to %q: %s", back.Way, back.Body)
	}
	if !v.asks(t) {
		t.Error("the issuer signs the browser in without a password")
	}
}

// leadsNowhere: the issuer's own page names what is wrong if nobody has registered the address.
func (s *certified) leadsNowhere(t *testing.T) {
	s.issuer.LeadBack()
	t.Cleanup(func() { s.issuer.LeadBack(s.Public + stage.Leads) })
	v := s.visit(t, emil, "/")
	_, there := v.signOut(t)
	refused, err := v.Open(t.Context(), v.page, there)
	if err != nil {
		t.Fatal(err)
	}
	if refused.Status < http.StatusBadRequest || !strings.Contains(refused.Body, "post_logout_redirect_uri") {
		t.Errorf("the issuer says %d %s", refused.Status, refused.Body)
	}
}

// revokesNothing: Fieldmark's page says so, and what to do.
func (s *certified) revokesNothing(t *testing.T) {
	v := s.visit(t, fay, "/")
	s.issuer.Forget(true)
	t.Cleanup(func() { s.issuer.Forget(false) })
	page, _ := v.signOut(t)
	if !strings.Contains(page, "didn’t end your sign-in") || !strings.Contains(page, "end your sessions at the issuer") {
		t.Errorf("the page doesn't say that the issuer refuses: %s", page)
	}
	if n := s.issuer.Refreshes(fay); n != 1 {
		t.Errorf("%d refresh tokens work", n)
	}
}
