package team

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/dev/team/apiserver"
	"github.com/fieldmark/fieldmark/dev/team/dex"
)

// The tests of this file prove the stage itself: what dex and the API server do without Fieldmark between them.

// is fails unless the API server takes the token for the person's, with these groups.
func (s *scene) is(t *testing.T, token string, p dex.Person, groups ...string) {
	t.Helper()
	name, got, status, err := s.API.Who(t.Context(), token)
	if err != nil || status != http.StatusCreated || name != p.Name || !slices.Equal(got, groups) {
		t.Errorf("the API server says %q, %q (%d, %v); want %q, %q", name, got, status, err, p.Name, groups)
	}
}

// refused is nil if the API server refuses the token.
func (s *scene) refused(t *testing.T, token string) error {
	t.Helper()
	if name, _, status, err := s.API.Who(t.Context(), token); err != nil || status != http.StatusUnauthorized {
		return fmt.Errorf("the API server says %d (%q, %w)", status, name, err)
	}
	return nil
}

func TestTheAPIServerKnowsPeopleByTheirTokens(t *testing.T) {
	s := onStage(t)
	s.is(t, s.token(t, ada), ada, "team-a")
	s.is(t, s.token(t, ben), ben, "team-b")
	s.is(t, s.grant(t, s.Client, ada, "openid profile").ID, ada) // a missing groups claim: no groups, and no error
	good := s.token(t, ada)
	for what, token := range map[string]string{
		"the audience is another program": s.grant(t, stranger, ada, dex.Scopes).ID,
		"no name":                         s.grant(t, s.Client, ada, "openid groups").ID,
		"cut off":                         good[:len(good)-4],
		"no token":                        "",
	} {
		if err := s.refused(t, token); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestRightsDifferBetweenPeople(t *testing.T) {
	s := onStage(t)
	object := map[string]any{"metadata": map[string]any{"name": "rights"}}
	people := map[string]string{"ada": s.token(t, ada), "ben": s.token(t, ben)}
	for _, c := range []struct {
		who, method, path string
		body              any
		want              int
	}{
		{"ada", "GET", "/api/v1/namespaces", nil, 200},
		{"ben", "GET", "/api/v1/namespaces", nil, 403},
		{"ada", "POST", "/api/v1/namespaces/team-a/secrets?dryRun=All", object, 201},
		{"ada", "GET", "/api/v1/namespaces/team-a/secrets", nil, 200},
		{"ada", "GET", "/api/v1/namespaces/team-b/secrets", nil, 403},
		{"ben", "GET", "/api/v1/namespaces/team-b/secrets", nil, 200},
		{"ben", "GET", "/api/v1/namespaces/team-a/secrets", nil, 403},
		{"ben", "POST", "/api/v1/namespaces/team-b/secrets?dryRun=All", object, 403},
		{"ada", "GET", "/api/v1/nodes", nil, 403},
	} {
		got, err := s.API.Bearer(t.Context(), people[c.who], c.method, c.path, c.body)
		if err != nil || got.Status != c.want {
			t.Errorf("%s %s %s: %d %s, %v; want %d", c.who, c.method, c.path, got.Status, got.Body, err, c.want)
		}
	}
}

func TestANewSigningKeyIsFound(t *testing.T) {
	s := onStage(t)
	before := s.token(t, ada)
	s.is(t, before, ada, "team-a")
	s.Dex.NewKey(t.Context())
	after := s.token(t, ada)
	s.is(t, after, ada, "team-a")
	s.is(t, before, ada, "team-a")
}

func TestWithoutTheIssuerKnownKeysAreGoodEnough(t *testing.T) {
	s := onStage(t)
	s.is(t, s.token(t, ada), ada, "team-a") // now the API server knows the key
	known := s.token(t, ben)
	s.Dex.NewKey(t.Context())
	unknown := s.token(t, ben)
	s.Dex.Down(true)
	t.Cleanup(func() { s.Dex.Down(false) })
	s.is(t, known, ben, "team-b")
	if err := s.refused(t, unknown); err != nil {
		t.Errorf("nobody can know the key: %v", err)
	}
	s.Dex.Down(false)
	eventually(t, "the API server fetches the new key", func() error {
		if name, _, status, err := s.API.Who(t.Context(), s.token(t, ben)); err != nil || name != ben.Name {
			return fmt.Errorf("%d, %q: %w", status, name, err)
		}
		return nil
	})
}

func TestRefreshTokensAreReplacedAndCanBeRevoked(t *testing.T) {
	s := onStage(t)
	first := s.grant(t, s.Client, ben, dex.Scopes)
	renew := func(refresh string) dex.Tokens {
		t.Helper()
		got, err := s.Dex.Renew(t.Context(), s.CA.Pool, s.Client, refresh)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if err := s.Dex.Regroup(t.Context(), ben, "team-c"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Dex.Regroup(context.Background(), ben, ben.Groups...); err != nil {
			t.Error(err)
		}
	})
	var second dex.Tokens
	eventually(t, "the refresh token is replaced", func() error { // in its first seconds, dex gives it again
		if second = renew(first.Refresh); second.Refresh == first.Refresh {
			return errors.New("it isn't")
		}
		return nil
	})
	s.is(t, second.ID, ben, "team-c")
	if err := s.Dex.Revoke(t.Context(), ben); err != nil {
		t.Fatal(err)
	}
	if third := renew(second.Refresh); third.ID != "" || third.Fault == "" {
		t.Errorf("a revoked refresh token still works: %q", third.Fault)
	}
}

func TestTheAPIServerReadsItsIssuersAgain(t *testing.T) {
	s := onStage(t)
	t.Parallel() // it waits for the API server, and other tests are not disturbed: the audience that they use is always accepted
	reading.Lock()
	t.Cleanup(reading.Unlock)
	write := func(i apiserver.Issuer) {
		t.Helper()
		if err := apiserver.Write(s.Issuers, i, s.Frail.Trusted()); err != nil {
			t.Fatal(err)
		}
	}
	both, open := s.Trusted(), s.Trusted()
	both.Audiences = append(both.Audiences, stranger.ID)
	open.Anonymous = true
	write(both)
	eventually(t, "the API server accepts the other audience", func() error {
		if name, _, status, err := s.API.Who(t.Context(), s.grant(t, stranger, carol, dex.Scopes).ID); err != nil || name != carol.Name {
			return fmt.Errorf("%d: %w", status, err)
		}
		return nil
	})
	write(open) // the API server refuses this file, so the one before stays in force
	write(s.Trusted())
	eventually(t, "the API server refuses the other audience", func() error {
		if err := s.refused(t, ""); err != nil {
			t.Fatalf("without a token: %v", err)
		}
		return s.refused(t, s.grant(t, stranger, carol, dex.Scopes).ID)
	})
}
