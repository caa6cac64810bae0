package team

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/dev/team/browse"
	"github.com/fieldmark/fieldmark/dev/team/certs"
	"github.com/fieldmark/fieldmark/dev/team/replica"
)

// ends waits until the person isn't let in any longer, and says what to do. For a moment, the API server may be the first one to refuse the token, and it
// has no words for that.
func (v *visitor) ends(t *testing.T, words string) {
	t.Helper()
	const moment = 10 * time.Second
	var refused time.Time
	var last string
	eventually(t, "the sign-in is over", func() error {
		got, err := v.Fetch(t.Context(), v.page, http.MethodGet, secretsA, "")
		switch {
		case err != nil:
			return err
		case got.Status != http.StatusUnauthorized:
			return fmt.Errorf("%d", got.Status)
		case refused.IsZero():
			refused = time.Now()
		}
		if last = got.Body; !strings.Contains(last, words) && time.Since(refused) < moment {
			return fmt.Errorf("the refusal says %s", last)
		}
		return nil
	})
	if !strings.Contains(last, words) {
		t.Errorf("the refusal says %s; want %q", last, words)
	}
}

// TestTheIssuerFails: while a token is good, nobody notices. Afterwards the page says what happened, and signing in again helps.
func TestTheIssuerFails(t *testing.T) {
	s := onStage(t).frail()
	t.Parallel()
	t.Run("a new key", func(t *testing.T) {
		v := s.visit(t, dora, "/")
		s.Dex.NewKey(t.Context())
		v.signIn(t, "/")
		if got := v.status(t, http.MethodGet, secretsA, ""); got != http.StatusOK {
			t.Errorf("%d", got)
		}
	})
	t.Run("down", func(t *testing.T) {
		reading.Lock()
		defer reading.Unlock()
		v := s.visit(t, dora, "/")
		s.Dex.Down(true)
		defer s.Dex.Down(false)
		if got := v.status(t, http.MethodGet, secretsA, ""); got != http.StatusOK {
			t.Errorf("the token is still good: %d", got)
		}
		v.ends(t, "it can't be reached")
		s.Dex.Down(false)
		v.signIn(t, "/")
	})
	t.Run("a revoked refresh token", func(t *testing.T) {
		v := s.visit(t, dora, "/")
		if err := s.Dex.Revoke(t.Context(), dora); err != nil {
			t.Fatal(err)
		}
		v.ends(t, "Sign in again")
		v.signIn(t, "/")
	})
}

// TestTheIssuerIsSlow: requests don't wait for it while the token is good.
func TestTheIssuerIsSlow(t *testing.T) {
	s := onStage(t).frail()
	v := s.visit(t, ada, "/")
	const slow = 20 * time.Second
	s.Dex.Slow(slow)
	defer s.Dex.Slow(0)
	begun := time.Now()
	for range 5 {
		if got := v.status(t, http.MethodGet, secretsA, ""); got != http.StatusOK {
			t.Fatalf("%d", got)
		}
	}
	if took := time.Since(begun); took > slow { // one wait for the issuer would take longer
		t.Errorf("5 requests took %s", took)
	}
}

// TestAForeignAuthority: a Fieldmark that doesn't know the issuer's authority starts, and its page names the setting.
func TestAForeignAuthority(t *testing.T) {
	s := onStage(t)
	ctx := t.Context()
	foreign, err := certs.New(t.TempDir(), "foreign")
	if err != nil {
		t.Fatal(err)
	}
	config := s.Config()
	config.Sites[0].IssuerCA = foreign.File
	r, err := replica.Start(ctx, os.Getenv("FIELDMARK_BIN"), t.TempDir(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Kill)
	s.Proxy.Lead(r.Address)
	t.Cleanup(func() { s.Proxy.Lead(s.Addresses()...) })
	page, err := browse.New(s.CA.Pool).Open(ctx, nil, s.Public+"/-/sign-in/start?cluster="+replica.Slug)
	if err != nil {
		t.Fatal(err)
	}
	if page.Status < http.StatusBadRequest || !strings.Contains(page.Body, "caFile") {
		t.Errorf("%d, and the page says %q", page.Status, page.Body)
	}
}

// TestAWithdrawnPermissionIsGone: requests ask the API server each time, with the person's own token, and so does the next watch of an open
// page, which follows within half a minute.
func TestAWithdrawnPermissionIsGone(t *testing.T) {
	s := onStage(t)
	v := s.visit(t, ben, "/")
	if got := v.status(t, http.MethodGet, secretsB, ""); got != http.StatusOK {
		t.Fatalf("before: %d", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	live, err := v.follow(t, "team-b", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := live.until(ctx, typed("synced")); err != nil {
		t.Fatal(err)
	}
	if err := s.API.Withdraw(t.Context(), "team-b"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.API.Allow(context.Background(), "team-b", "team-b"); err != nil {
			t.Error(err)
		}
	})
	begun := time.Now()
	eventually(t, "the permission is gone", func() error {
		if got := v.status(t, http.MethodGet, secretsB, ""); got != http.StatusForbidden {
			return fmt.Errorf("%d", got)
		}
		return nil
	})
	var last message
	for last.Type != "failed" {
		if last, err = live.next(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if last.Status == nil || last.Status.Code != http.StatusForbidden {
		t.Errorf("the page ends with %+v", last.Status)
	}
	if took := time.Since(begun); took > 30*time.Second+patience/10 { // half a minute is promised; the machine may be busy
		t.Errorf("it took %s", took)
	}
}
