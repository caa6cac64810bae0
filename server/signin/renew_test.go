package signin

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/issuer/issuertest"
)

// short makes tokens of two minutes.
func short(b *issuertest.Behaviour) { b.Life = 2 * time.Minute }

// signedIn is a browser whose tokens live two minutes.
func signedIn(t *testing.T, change func(*Config)) (*place, *browser) {
	t.Helper()
	p := open(t, change)
	p.one.Set(short)
	b := p.browser(t)
	b.signIn("first", "/")
	return p, b
}

func TestTokensOfTwoMinutesLastTenMinutes(t *testing.T) {
	p, b := signedIn(t, nil)
	first, token := b.who("/c/first/x"), ""
	for range 60 {
		p.clock.forward(10 * time.Second)
		s := b.who("/c/first/x")
		if g := s.Grants["first"]; !g.Expires.After(p.clock.read()) || s.ID != first.ID {
			t.Fatalf("%+v", s)
		}
		token = s.Grants["first"].Token
	}
	if n := p.one.Calls("/token"); n < 6 || n > 8 || token == first.Grants["first"].Token {
		t.Errorf("%d calls for tokens, one to sign in", n)
	}
}

func TestRequestsAtOnceRenewOnce(t *testing.T) {
	p, b := signedIn(t, nil)
	p.clock.forward(100 * time.Second)
	hold := make(chan struct{})
	p.one.Set(func(b *issuertest.Behaviour) { b.Hold = hold })
	results := make(chan *httptest.ResponseRecorder, 20)
	var all sync.WaitGroup
	for range cap(results) {
		all.Go(func() { results <- b.quietly("/c/first/x") })
	}
	close(hold)
	all.Wait()
	close(results)
	tokens := map[string]bool{}
	for w := range results {
		if w.Code != http.StatusOK || len(w.Result().Cookies()) == 0 {
			t.Fatalf("%d with %d cookies", w.Code, len(w.Result().Cookies()))
		}
		tokens[decode(t, w.Body).Grants["first"].Token] = true
	}
	if n := p.one.Calls("/token"); n != 2 || len(tokens) != 1 {
		t.Errorf("%d calls for tokens, %d tokens", n, len(tokens))
	}
	if w := b.quietly("/c/first/x"); w.Code != http.StatusOK || p.one.Calls("/token") != 2 {
		t.Error("a request with the old cookie renews again")
	}
}

// quietly opens an address without changing the browser's cookies, so that several may do so at once.
func (b *browser) quietly(path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = host
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, c := range b.cookies {
		r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	w := httptest.NewRecorder()
	b.at.handler.ServeHTTP(w, r)
	return w
}

func TestRenewalsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		behave issuertest.Behaviour
		revoke bool
		words  string // of the refusal, when the token has expired
	}{
		"the issuer is down":           {issuertest.Behaviour{Status: 503}, false, "status code 503"},
		"the refresh token is revoked": {issuertest.Behaviour{}, true, "Sign in again"},
		"no id_token comes back":       {issuertest.Behaviour{NoIDTokenOnRenewal: true}, false, "issuers.one.scopes"},
		"another client secret":        {issuertest.Behaviour{TokenError: "invalid_client"}, false, "issuers.one.clientSecretFile"},
	} {
		t.Run(name, func(t *testing.T) {
			p, b := signedIn(t, nil)
			p.one.Set(func(b *issuertest.Behaviour) { *b = c.behave })
			if c.revoke {
				p.one.Revoke()
			}
			p.clock.forward(100 * time.Second)
			token := b.who("/c/first/x").Grants["first"].Token
			calls := p.one.Calls("")
			if again := b.who("/c/first/x").Grants["first"].Token; again != token || p.one.Calls("") != calls {
				t.Errorf("%d more calls to an issuer that just failed", p.one.Calls("")-calls)
			}
			p.clock.forward(21 * time.Second)
			w := b.get("/c/first/x")
			check(t, "expired", w, http.StatusUnauthorized, "Your sign-in has expired. Signing in at Issuer one doesn't work")
			check(t, "expired", w, http.StatusUnauthorized, c.words)
			if !slices.ContainsFunc([]string{"Sign in with Issuer one"}, func(s string) bool { return strings.Contains(words(w), s) }) {
				t.Errorf("no way in: %s", words(w))
			}
		})
	}
}

func TestIssuerThatComesBackRenewsAnExpiredSession(t *testing.T) {
	p, b := signedIn(t, nil)
	p.one.Set(func(b *issuertest.Behaviour) { b.Status = 503 })
	p.clock.forward(3 * time.Minute)
	check(t, "down", b.get("/c/first/x"), http.StatusUnauthorized, "status code 503")
	p.one.Set(func(b *issuertest.Behaviour) { b.Status = 0 })
	p.clock.forward(again)
	if s := b.who("/c/first/x"); s.Grants["first"].Token == "" {
		t.Error("the session stays expired")
	}
}

func TestSlowIssuerHoldsNobodyUp(t *testing.T) {
	p, b := signedIn(t, nil)
	p.door.patience = time.Millisecond
	hold := make(chan struct{})
	p.one.Set(func(b *issuertest.Behaviour) { b.Hold = hold })
	p.clock.forward(100 * time.Second)
	old := b.who("/c/first/x").Grants["first"].Token // waits for patience, which is less than the issuer takes
	close(hold)
	k := p.door.memory.by[b.who("/c/first/x").ID]
	k.mu.Lock()
	flight := k.flight
	k.mu.Unlock()
	if flight != nil {
		<-flight
	}
	if fresh := b.who("/c/first/x").Grants["first"].Token; fresh == old {
		t.Error("the result of a slow renewal is lost")
	}
	if n := p.one.Calls("/token"); n != 2 {
		t.Errorf("%d calls for tokens", n)
	}
}

func TestAnotherReplicaServesTheSameSession(t *testing.T) {
	p, b := signedIn(t, nil)
	id := b.who("/c/first/x").ID
	for range 4 {
		p.clock.forward(100 * time.Second)
		p.replica(t, nil)
		if s := b.who("/c/first/x"); s.ID != id || !s.Grants["first"].Expires.After(p.clock.read().Add(time.Minute)) {
			t.Errorf("%+v", s)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		every, during time.Duration
		words         string // empty: it goes on
	}{
		"used seldom enough to last": {7 * time.Hour, 21 * time.Hour, ""},
		"idle":                       {8 * time.Hour, 8 * time.Hour, "has ended"},
		"used for a day":             {time.Hour, 24 * time.Hour, "has ended"},
	} {
		p := open(t, nil)
		p.one.Set(func(b *issuertest.Behaviour) { b.Life = 48 * time.Hour })
		b := p.browser(t)
		b.signIn("first", "/")
		id := b.who("/").ID
		for passed := c.every; passed < c.during; passed += c.every {
			p.clock.forward(c.every)
			b.who("/")
		}
		p.clock.forward(c.every)
		if c.words == "" {
			b.who("/")
			continue
		}
		check(t, name, b.get("/c/first/x"), http.StatusUnauthorized, c.words)
		if !slices.Contains(p.ended, id) || len(b.session()) != 0 {
			t.Errorf("%s: ended %q, %q stay", name, p.ended, b.session())
		}
	}
}

func TestSweepForgetsSessionsThatNobodyUses(t *testing.T) {
	p := open(t, nil)
	p.one.Set(func(b *issuertest.Behaviour) { b.Life = 48 * time.Hour })
	b := p.browser(t)
	b.signIn("first", "/")
	id := b.who("/").ID
	p.clock.forward(time.Hour)
	p.door.Sweep()
	if len(p.ended) != 0 {
		t.Errorf("ended too early: %q", p.ended)
	}
	if _, ok := p.known(id); !ok {
		t.Error("a session in use is forgotten")
	}
	p.clock.forward(8 * time.Hour)
	p.door.Sweep()
	if _, ok := p.known(id); ok || !slices.Contains(p.ended, id) {
		t.Errorf("ended after eight hours: %q", p.ended)
	}
}

// known is the person of a session that the replica remembers.
func (p *place) known(id string) (*identity.Person, bool) {
	s := p.door.memory.findSession(id)
	if s == nil {
		return nil, false
	}
	return p.door.person(s, ""), true
}

func TestHandshakesOfWebSocketsRenewToo(t *testing.T) {
	p, b := signedIn(t, nil)
	id := b.who("/").ID
	before, _ := p.known(id)
	p.clock.forward(100 * time.Second)
	r := httptest.NewRequest(http.MethodGet, "/socket", nil)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	r.Header.Set("Origin", "https://"+host)
	w := b.send(r, "same-origin")
	if w.Code != http.StatusOK || len(w.Result().Cookies()) == 0 {
		t.Errorf("%d with %d cookies", w.Code, len(w.Result().Cookies()))
	}
	if after, _ := p.known(id); after.Grants["first"].Token == before.Grants["first"].Token {
		t.Error("what runs for the session has the old token")
	}
}

func TestReplicaRemembersABoundedNumberOfSessions(t *testing.T) {
	p := open(t, func(c *Config) { c.MaxSessions = 3 })
	var all []*browser
	for range 5 {
		b := p.browser(t)
		b.signIn("first", "/")
		b.who("/")
		all = append(all, b)
		p.clock.forward(time.Second)
	}
	if len(p.door.memory.by) != 3 || len(p.ended) != 2 {
		t.Errorf("%d are remembered, %q were told", len(p.door.memory.by), p.ended)
	}
	if s := all[0].who("/"); s.Name != "ada" {
		t.Error("a session that was forgotten isn't good any more")
	}
}

func TestPageIsToldWhenItsTokensMustBeRenewed(t *testing.T) {
	p, b := signedIn(t, nil)
	session := b.who("/").ID
	for range 20 {
		at := p.door.RenewAt(session)
		if wait := at.Sub(p.clock.read()); wait <= 0 || wait > 2*time.Minute {
			t.Fatalf("the tokens must be renewed in %s", wait)
		}
		p.clock.forward(at.Sub(p.clock.read()))
		b.who("/")
	}
	if n := p.one.Calls("/token"); n != 21 {
		t.Errorf("%d calls for tokens", n)
	}
	view := identity.ViewID(session, identity.View{Cluster: "first", As: identity.Impersonation{User: "ben"}}, "")
	if at, own := p.door.RenewAt(view), p.door.RenewAt(session); !at.Equal(own) || at.IsZero() {
		t.Errorf("a view must be renewed at %s, and its session at %s", at, own)
	}
	if at := p.door.RenewAt("another"); !at.IsZero() {
		t.Errorf("a session that isn't known must be renewed at %s", at)
	}
}

func TestLargeSessionsFitOrSayWhy(t *testing.T) {
	groups := func(n int) []string {
		var all []string
		for i := range n {
			all = append(all, strings.Repeat("team-", 4)+string(rune('a'+i%26))+strings.Repeat("x", i%9)+time.Duration(i).String())
		}
		return all
	}
	p := open(t, nil)
	p.one.Set(func(b *issuertest.Behaviour) { b.Claims = map[string]any{"groups": groups(200)} })
	b := p.browser(t)
	b.signIn("first", "/")
	if s := b.who("/c/first/x"); len(s.Groups) != 200 || len(s.Grants["first"].Token) < 6<<10 {
		t.Errorf("%d groups, a token of %d bytes", len(s.Groups), len(s.Grants["first"].Token))
	}
	p.one.Set(func(b *issuertest.Behaviour) { b.Claims = map[string]any{"groups": groups(2000)} })
	large := p.browser(t)
	w := large.visit(p.one.Authorize(t, large.begin("first", "/")).RequestURI(), "cross-site")
	check(t, "2,000 groups", w, http.StatusForbidden, "don't fit into the cookies")
}

func TestLeadOfRenewals(t *testing.T) {
	now := time.Now()
	for life, want := range map[time.Duration]time.Duration{time.Hour: time.Minute, 2 * time.Minute: 30 * time.Second, 20 * time.Second: 5 * time.Second} {
		tokens := issuer.Tokens{Issued: now, Expires: now.Add(life)}
		if got := (&Door{}).lead(tokens); got != want {
			t.Errorf("%v: %v", life, got)
		}
		if got := (&Door{spread: 1}).lead(tokens); got != want/2 {
			t.Errorf("%v, the other end of the replicas: %v", life, got)
		}
	}
}

func TestSignOutDeletesAndOffersTheIssuer(t *testing.T) {
	p, b := signedIn(t, nil)
	id := b.who("/").ID
	stolen := p.browser(t)
	for name, c := range b.cookies {
		stolen.cookies[name] = c
	}
	w := b.post(guard.SignOutPath, "same-origin", nil)
	check(t, "sign-out", w, http.StatusOK, "Sign out at Issuer one")
	if len(b.cookies) != 0 || !slices.Equal(p.ended, []string{id}) || refreshOf(w) != "" {
		t.Errorf("%d cookies stay, ended %q", len(b.cookies), p.ended)
	}
	check(t, "a copy of the cookies", stolen.get("/"), http.StatusUnauthorized, "has ended")
	b.signIn("first", "/")
	w = b.post(guard.SignOutPath, "same-origin", map[string][]string{"issuer": {"1"}})
	if there := refreshOf(w); !strings.HasPrefix(there, p.one.URL+"/logout?client_id=fieldmark") {
		t.Errorf("leads to %q", there)
	}
	check(t, "GET", b.get(guard.SignOutPath), http.StatusMethodNotAllowed, "only POST")
}
