package signin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer/issuertest"
)

// TestCopiedSession_ACopyEndsWithItsTokens: another replica doesn't know that somebody signed out. It accepts a copy of the cookies until the
// token ends, and can't renew it.
func TestCopiedSession_ACopyEndsWithItsTokens(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*issuertest.Behaviour)
		words  string // of the page
		copies int    // what the copy gets after the end of the first token
	}{
		"an issuer that revokes": {func(*issuertest.Behaviour) {}, "", http.StatusUnauthorized},
		"an issuer that can't": {
			func(b *issuertest.Behaviour) { b.Discovered = map[string]any{"revocation_endpoint": nil} }, "end your sessions at the issuer", http.StatusOK,
		},
		"an issuer that refuses": {func(b *issuertest.Behaviour) { b.RevocationStatus = 400 }, "status code 400", http.StatusOK},
	} {
		p := open(t, nil)
		p.one.Set(short)
		p.one.Set(c.change)
		b := p.browser(t)
		b.signIn("first", "/")
		thief := p.copyOf(b)
		w := b.post(guard.SignOutPath, "same-origin", nil)
		check(t, name, w, http.StatusOK, c.words)
		check(t, name+": a copy, at the same replica", p.copyOf(thief).get("/"), http.StatusUnauthorized, "has ended")
		p.replica(t, nil)
		if w := thief.get("/"); w.Code != http.StatusOK {
			t.Errorf("%s: while the token is good: %d", name, w.Code)
		}
		p.clock.forward(3 * time.Minute) // short tokens have two
		if w := thief.get("/"); w.Code != c.copies {
			t.Errorf("%s: after the end of the token: %d %s", name, w.Code, words(w))
		}
	}
}

// copyOf is another browser with the same cookies.
func (p *place) copyOf(b *browser) *browser {
	same := p.browser(b.t)
	for name, cookie := range b.cookies {
		same.cookies[name] = cookie
	}
	return same
}

// TestSignOutRevokesTheNewestToken: the browser's cookies may be older than what this replica has.
func TestSignOutRevokesTheNewestToken(t *testing.T) {
	p := open(t, nil)
	p.one.Set(short)
	b := p.browser(t)
	b.signIn("first", "/")
	older := p.copyOf(b)
	p.clock.forward(100 * time.Second)
	if w := b.get("/"); w.Code != http.StatusOK {
		t.Fatal(w.Code)
	}
	newer := p.copyOf(b)
	older.post(guard.SignOutPath, "same-origin", nil)
	p.replica(t, nil)
	p.clock.forward(3 * time.Minute)
	if w := newer.get("/"); w.Code != http.StatusUnauthorized {
		t.Errorf("the newer token is still renewed: %d", w.Code)
	}
}

func TestTheIssuerLeadsBackAfterSigningOut(t *testing.T) {
	p := open(t, nil)
	b := p.browser(t)
	b.signIn("first", "/")
	there, err := url.Parse(refreshOf(b.post(guard.SignOutPath, "same-origin", url.Values{"issuer": {"1"}})))
	if err != nil {
		t.Fatal(err)
	}
	back, err := url.Parse(there.Query().Get("post_logout_redirect_uri"))
	if err != nil || back.String() != "https://"+host+OutPath {
		t.Fatalf("leads back to %q", back)
	}
	state := there.Query().Get("state")
	for name, c := range map[string]struct {
		state string
		words string // empty: leads to the page for signing in
	}{
		"its own state":     {state, "at Issuer one"},
		"no state":          {"", ""},
		"another state":     {strings.ToUpper(state), ""},
		"a session's value": {"x", ""},
	} {
		w := p.browser(t).visit(OutPath+"?"+url.Values{"state": {c.state}}.Encode(), "cross-site")
		if c.words != "" {
			check(t, name, w, http.StatusOK, c.words)
		} else if w.Header().Get("Location") != guard.SignInPath {
			t.Errorf("%s: %d %s", name, w.Code, words(w))
		}
	}
	b.signIn("first", "/")
	if w := b.get(OutPath + "?" + url.Values{"state": {state}}.Encode()); w.Code != http.StatusSeeOther {
		t.Errorf("somebody who is signed in gets %d %s", w.Code, words(w))
	}
	p.clock.forward(outTime + time.Second)
	if w := p.browser(t).get(OutPath + "?" + url.Values{"state": {state}}.Encode()); w.Code != http.StatusSeeOther {
		t.Errorf("an old state: %d", w.Code)
	}
}
