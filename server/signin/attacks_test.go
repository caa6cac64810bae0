package signin

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer/issuertest"
)

func TestOpenRedirect_SigningInLeadsToOurOwnPagesOnly(t *testing.T) {
	for _, next := range []string{
		"//evil.test", "https://evil.test/", `/\evil.test`, "/\t/evil.test", "javascript:alert(1)", "http:evil.test", "/%2fevil.test",
		"/c/first/../../evil", "/x\r\nSet-Cookie: a=b", guard.SignOutPath, CallbackPath, StartPath + "?cluster=first",
	} {
		p := open(t, nil)
		b := p.browser(t)
		if w := b.get(guard.SignInPath + "?" + url.Values{"next": {next}}.Encode()); strings.Contains(w.Body.String(), "evil") {
			t.Errorf("%q: the sign-in page has it", next)
		}
		if there := b.signIn("first", next); there != "/" {
			t.Errorf("%q: the callback leads to %q", next, there)
		}
		w := b.post(guard.SignInPath, "same-origin", url.Values{"cluster": {"third"}, "token": {"eve-of-third"}, "next": {next}})
		if there := w.Header().Get("Location"); there != "/" || w.Code != http.StatusSeeOther {
			t.Errorf("%q: a pasted token leads to %q", next, there)
		}
		b.signIn("second", next)
		if there := b.get(donePath).Header().Get("Location"); there != "/" {
			t.Errorf("%q: a second sign-in leads to %q", next, there)
		}
	}
}

func TestStateReplay_AResponseCountsOnce(t *testing.T) {
	for name, c := range map[string]struct {
		twist func(p *place, b *browser, back url.Values, begun map[string]*http.Cookie)
		code  int
		asked int // how often the issuer is asked for tokens
	}{
		"once": {func(*place, *browser, url.Values, map[string]*http.Cookie) {}, http.StatusOK, 1},
		"again": {func(_ *place, b *browser, back url.Values, _ map[string]*http.Cookie) {
			b.visit(CallbackPath+"?"+back.Encode(), "cross-site")
		}, http.StatusForbidden, 1},
		"again, with the cookie that was deleted": {func(_ *place, b *browser, back url.Values, begun map[string]*http.Cookie) {
			b.visit(CallbackPath+"?"+back.Encode(), "cross-site")
			maps.Copy(b.cookies, begun)
		}, http.StatusForbidden, 1},
		"again, with the cookie, at another replica": {func(p *place, b *browser, back url.Values, begun map[string]*http.Cookie) {
			b.visit(CallbackPath+"?"+back.Encode(), "cross-site")
			maps.Copy(b.cookies, begun)
			p.replica(b.t, nil)
		}, http.StatusForbidden, 2},
		"of another sign-in": {func(_ *place, b *browser, back url.Values, _ map[string]*http.Cookie) {
			other, _ := url.Parse(b.begin("first", "/"))
			back.Set("state", other.Query().Get("state"))
		}, http.StatusForbidden, 1},
		"none":  {func(_ *place, _ *browser, back url.Values, _ map[string]*http.Cookie) { back.Del("state") }, http.StatusForbidden, 0},
		"empty": {func(_ *place, _ *browser, back url.Values, _ map[string]*http.Cookie) { back.Set("state", "") }, http.StatusForbidden, 0},
		"two":   {func(_ *place, _ *browser, back url.Values, _ map[string]*http.Cookie) { back.Add("state", "x") }, http.StatusBadRequest, 0},
		"after ten minutes": {func(p *place, _ *browser, _ url.Values, _ map[string]*http.Cookie) {
			p.clock.forward(loginTime + time.Millisecond)
		}, http.StatusForbidden, 0},
	} {
		p := open(t, nil)
		b := p.browser(t)
		back := p.one.Authorize(t, b.begin("first", "/")).Query()
		begun := maps.Clone(b.cookies)
		c.twist(p, b, back, begun)
		w := b.visit(CallbackPath+"?"+back.Encode(), "cross-site")
		if w.Code != c.code || c.code != http.StatusOK && refreshOf(w) != "" {
			t.Errorf("%s: %d %s", name, w.Code, words(w))
		}
		if n := p.one.Calls("/token"); n != c.asked {
			t.Errorf("%s: the issuer was asked for tokens %d times", name, n)
		}
	}
}

func TestNonceReplay_AnOldTokenOpensNoSession(t *testing.T) {
	for name, nonce := range map[string]any{"of an earlier sign-in": "earlier", "none": nil, "empty": "", "a number": 7} {
		p := open(t, nil)
		p.one.Set(func(b *issuertest.Behaviour) { b.Claims = map[string]any{"nonce": nonce} })
		b := p.browser(t)
		w := b.visit(p.one.Authorize(t, b.begin("first", "/")).RequestURI(), "cross-site")
		if w.Code != http.StatusForbidden || len(b.cookies) != 0 {
			t.Errorf("%s: %d %s", name, w.Code, words(w))
		}
	}
}

func TestCodeInjection_ACodeWorksOnlyWhereItWasAskedFor(t *testing.T) {
	p := open(t, nil)
	attacker, victim := p.browser(t), p.browser(t)
	theirs := p.one.Authorize(t, attacker.begin("first", "/")).Query()
	ours := p.one.Authorize(t, victim.begin("first", "/")).Query()
	for name, back := range map[string]url.Values{
		"the code in the victim's response": {"code": theirs["code"], "state": ours["state"], "iss": ours["iss"]},
		"the whole response":                theirs,
		"no code":                           {"state": ours["state"], "iss": ours["iss"]},
	} {
		b := p.browser(t)
		maps.Copy(b.cookies, victim.cookies)
		p.replica(t, nil) // so that the state isn't what refuses it
		w := b.visit(CallbackPath+"?"+back.Encode(), "cross-site")
		if w.Code != http.StatusForbidden || refreshOf(w) != "" {
			t.Errorf("%s: %d %s", name, w.Code, words(w))
		}
	}
}

func TestIssuerMixUp_AResponseIsOfTheIssuerThatWasAsked(t *testing.T) {
	for name, iss := range map[string]func(p *place) []string{
		"of another issuer of ours": func(p *place) []string { return []string{p.two.URL} },
		"of a stranger":             func(*place) []string { return []string{"https://evil.test"} },
		"none":                      func(*place) []string { return nil },
		"two":                       func(p *place) []string { return []string{p.one.URL, p.two.URL} },
	} {
		p := open(t, nil)
		b := p.browser(t)
		back := p.one.Authorize(t, b.begin("first", "/")).Query()
		back["iss"] = iss(p)
		w := b.visit(CallbackPath+"?"+back.Encode(), "cross-site")
		if w.Code < 400 || refreshOf(w) != "" || p.one.Calls("/token") != 0 || p.two.Calls("/token") != 0 {
			t.Errorf("%s: %d %s, and the code was sent", name, w.Code, words(w))
		}
	}
}

func TestForgedCookie_OnlyWholeCookiesOfOnePersonOpen(t *testing.T) {
	p := open(t, nil)
	p.one.Set(func(b *issuertest.Behaviour) { b.Claims = map[string]any{"filler": fillers(300)} }) // needs several cookies
	ada, ben, begun := p.browser(t), p.browser(t), p.browser(t)
	ada.signIn("first", "/")
	p.one.Set(func(b *issuertest.Behaviour) { b.Subject = "ben" })
	ben.signIn("first", "/")
	begun.begin("first", "/")
	if len(ada.session()) < 2 || len(ben.session()) < 2 {
		t.Fatal("one cookie is enough for this session")
	}
	zero, one := ada.session()[0], ada.session()[1]
	taken := func(b *browser, from, to string) { b.cookies[to] = renamed(ben, from, to) }
	for name, change := range map[string]func(b *browser){
		"the rest is another person's":    func(b *browser) { taken(b, ben.session()[1], one) },
		"the first is another person's":   func(b *browser) { taken(b, ben.session()[0], zero) },
		"all are another person's":        func(b *browser) { taken(b, ben.session()[0], zero); taken(b, ben.session()[1], one) },
		"exchanged":                       func(b *browser) { b.cookies[zero], b.cookies[one] = renamed(b, one, zero), renamed(b, zero, one) },
		"cut":                             func(b *browser) { delete(b.cookies, one) },
		"a sign-in's that has only begun": func(b *browser) { asSession(b, begun.cookies) },
	} {
		b := p.browser(t)
		maps.Copy(b.cookies, ada.cookies)
		change(b)
		check(t, name, b.get("/c/first/x"), http.StatusUnauthorized, "can't be read")
		if len(b.session()) > 0 {
			t.Errorf("%s: the bad cookies stay", name)
		}
	}
	if s := ada.who("/"); s.Name != "ada" {
		t.Errorf("%+v", s)
	}
}

func fillers(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%x", i*7919*104729))
	}
	return all
}

func renamed(b *browser, from, to string) *http.Cookie {
	c := *b.cookies[from]
	c.Name = to
	return &c
}

// asSession puts the cookie of a sign-in in the place of a session's.
func asSession(b *browser, begun map[string]*http.Cookie) {
	names := b.session()
	for _, c := range begun {
		b.cookies[names[0]] = &http.Cookie{Name: names[0], Value: c.Value, SameSite: http.SameSiteStrictMode}
	}
	for _, name := range names[1:] {
		delete(b.cookies, name)
	}
}

func TestSessionFixation_ASignInHasANewSession(t *testing.T) {
	for name, signIn := range map[string]func(b *browser){
		"at an issuer":        func(b *browser) { b.get(b.signIn("second", "/")) },
		"at the same issuer":  func(b *browser) { b.get(b.signIn("first", "/")) },
		"with a pasted token": func(b *browser) { b.post(guard.SignInPath, "same-origin", thirdToken) },
	} {
		p := open(t, nil)
		attacker, victim := p.browser(t), p.browser(t)
		attacker.signIn("first", "/")
		planted := attacker.who("/")
		maps.Copy(victim.cookies, attacker.cookies)
		p.one.Set(func(b *issuertest.Behaviour) { b.Subject = "victim" })
		signIn(victim)
		now := victim.who("/")
		if now.ID == planted.ID {
			t.Errorf("%s: the planted session goes on", name)
		}
		if w := attacker.get("/"); w.Code != http.StatusUnauthorized {
			t.Errorf("%s: the attacker's cookies see %s", name, words(w))
		}
	}
}

var thirdToken = url.Values{"cluster": {"third"}, "token": {"eve-of-third"}, "next": {"/"}}

func TestForgedSignIn_OtherSitesSignNobodyInOrOut(t *testing.T) {
	p := open(t, nil)
	attacker := p.browser(t)
	theirs := p.one.Authorize(t, attacker.begin("first", "/"))
	for name, c := range map[string]struct {
		do   func(b *browser) *httptest.ResponseRecorder
		code int
	}{
		"a link that begins":        {func(b *browser) *httptest.ResponseRecorder { return b.visit(StartPath+"?cluster=first", "cross-site") }, 303},
		"an image that begins":      {func(b *browser) *httptest.ResponseRecorder { return b.part(StartPath + "?cluster=first") }, 303},
		"the attacker's response":   {func(b *browser) *httptest.ResponseRecorder { return b.visit(theirs.RequestURI(), "cross-site") }, 403},
		"a form with a token":       {func(b *browser) *httptest.ResponseRecorder { return b.post(guard.SignInPath, "cross-site", thirdToken) }, 403},
		"a form of a sister site":   {func(b *browser) *httptest.ResponseRecorder { return b.post(guard.SignInPath, "same-site", thirdToken) }, 403},
		"a form that signs out":     {func(b *browser) *httptest.ResponseRecorder { return b.post(guard.SignOutPath, "cross-site", nil) }, 403},
		"a sister's that signs out": {func(b *browser) *httptest.ResponseRecorder { return b.post(guard.SignOutPath, "same-site", nil) }, 403},
		"an image that signs out":   {func(b *browser) *httptest.ResponseRecorder { return b.part(guard.SignOutPath) }, 405},
		"a link to the second step": {func(b *browser) *httptest.ResponseRecorder { return b.visit(donePath, "cross-site") }, 403},
		"an image of the response":  {func(b *browser) *httptest.ResponseRecorder { return b.part(theirs.RequestURI()) }, 400},
		"a token, with GET": {func(b *browser) *httptest.ResponseRecorder {
			return b.get(guard.SignInPath + "?" + thirdToken.Encode())
		}, 200},
		"another method to sign out": {func(b *browser) *httptest.ResponseRecorder { return b.get(guard.SignOutPath) }, 405},
	} {
		victim, nobody := p.browser(t), p.browser(t)
		victim.signIn("first", "/")
		before := victim.who("/")
		w := c.do(victim)
		if w.Code != c.code || strings.HasPrefix(w.Header().Get("Location"), "https://") {
			t.Errorf("%s: %d, leads to %s", name, w.Code, w.Header().Get("Location"))
		}
		if after := victim.who("/"); after.ID != before.ID {
			t.Errorf("%s: another session", name)
		}
		c.do(nobody)
		if w := nobody.get("/"); w.Code != http.StatusUnauthorized || len(nobody.cookies) != 0 {
			t.Errorf("%s: somebody without a session is signed in, or has %d cookies", name, len(nobody.cookies))
		}
	}
}

// part opens an address as a part of another site's page, such as an image.
func (b *browser) part(path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Sec-Fetch-Mode", "no-cors")
	r.Header.Set("Sec-Fetch-Dest", "image")
	return b.send(r, "cross-site")
}

func TestHeaderInjection_OnlyTheTrustedProxySaysWhoSomebodyIs(t *testing.T) {
	const secret = "the-secret-of-the-proxy"
	for name, c := range map[string]struct {
		remote  string
		headers http.Header
		code    int
		kind    guard.Kind
		words   string
	}{
		"the proxy":                     {"10.1.0.1:1", http.Header{TokenHeader: {"eve-of-first"}, SecretHeader: {secret}}, 200, guard.Cookie, ""},
		"the proxy, by Authorization":   {"10.1.0.1:1", http.Header{"Authorization": {"Bearer eve-of-first"}, SecretHeader: {secret}}, 200, guard.Cookie, ""},
		"another address":               {"192.0.2.1:1", http.Header{TokenHeader: {"eve-of-first"}, SecretHeader: {secret}}, 401, "", notSignedIn},
		"another address, forwarded":    {"192.0.2.1:1", http.Header{TokenHeader: {"eve-of-first"}, SecretHeader: {secret}, "X-Forwarded-For": {"10.1.0.1"}}, 401, "", notSignedIn},
		"no secret":                     {"10.1.0.1:1", http.Header{TokenHeader: {"eve-of-first"}}, 401, "", "--proxy-secret-file"},
		"a wrong secret":                {"10.1.0.1:1", http.Header{TokenHeader: {"eve-of-first"}, SecretHeader: {secret + "x"}}, 401, "", "--proxy-secret-file"},
		"an empty secret":               {"10.1.0.1:1", http.Header{TokenHeader: {"eve-of-first"}, SecretHeader: {""}}, 401, "", "--proxy-secret-file"},
		"two secrets":                   {"10.1.0.1:1", http.Header{TokenHeader: {"eve-of-first"}, SecretHeader: {"x", secret}}, 401, "", "--proxy-secret-file"},
		"two tokens":                    {"10.1.0.1:1", http.Header{TokenHeader: {"eve-of-first", "ada-of-first"}, SecretHeader: {secret}}, 401, "", "two tokens"},
		"a token of nobody":             {"10.1.0.1:1", http.Header{TokenHeader: {"nobody"}, SecretHeader: {secret}}, 401, "", "refuses the token"},
		"a program's own token":         {"192.0.2.1:1", http.Header{"Authorization": {"Bearer ada-of-first"}, TokenHeader: {"eve-of-first"}}, 200, guard.Bearer, ""},
		"names instead of tokens":       {"10.1.0.1:1", http.Header{"X-Forwarded-User": {"eve"}, "X-Remote-User": {"eve"}, SecretHeader: {secret}}, 401, "", notSignedIn},
		"impersonation of the API's":    {"192.0.2.1:1", http.Header{"Impersonate-User": {"eve"}}, 401, "", notSignedIn},
		"IPv4 in IPv6 is the same":      {"[::ffff:10.1.0.1]:1", http.Header{TokenHeader: {"eve-of-first"}, SecretHeader: {secret}}, 200, guard.Cookie, ""},
		"an address that can't be read": {"@", http.Header{TokenHeader: {"eve-of-first"}, SecretHeader: {secret}}, 401, "", notSignedIn},
	} {
		p := open(t, func(c *Config) {
			c.Proxy = Proxy{From: proxies, Secret: secret}
			c.Clusters[0].Proxy = true
		})
		r := httptest.NewRequest(http.MethodGet, "/clusters/first/api", nil)
		r.Host, r.RemoteAddr, r.Header = host, c.remote, c.headers
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		check(t, name, w, c.code, c.words)
		if c.code != 200 {
			continue
		}
		if s := decode(t, w.Body); s.Kind != c.kind || len(s.Grants) != 1 || c.kind == guard.Cookie && (s.Name != "eve" || s.Way != "proxy") || c.kind == guard.Bearer && s.Name != "ada" {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestHeaderInjection_AProxysSignInProvesNoOrigin(t *testing.T) {
	p := open(t, func(c *Config) {
		c.Proxy = byCertificate("good")
		c.Clusters[0].Proxy = true
	})
	for site, code := range map[string]int{"same-origin": 200, "cross-site": 403, "": 403} {
		r := httptest.NewRequest(http.MethodPost, "/clusters/first/api/v1/namespaces", strings.NewReader("{}"))
		r.Host, r.RemoteAddr = host, "10.1.0.1:1"
		r.Header.Set(TokenHeader, "eve-of-first")
		r.Header.Set("Test-Certificate", "good")
		if site != "" {
			r.Header.Set("Sec-Fetch-Site", site)
		}
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		if w.Code != code {
			t.Errorf("%q: %d %s", site, w.Code, w.Body)
		}
	}
}

func TestHeaderInjection_ATokenAddedToABrowserProvesNoOrigin(t *testing.T) {
	p := open(t, nil)
	for site, codes := range map[string][2]int{"": {200, 200}, "same-origin": {200, 200}, "none": {200, 403}, "same-site": {403, 403}, "cross-site": {403, 403}} {
		for i, method := range []string{http.MethodGet, http.MethodPost} {
			r := httptest.NewRequest(method, "/clusters/first/api/v1/namespaces", strings.NewReader(""))
			r.Host = host
			r.Header.Set("Authorization", "Bearer eve-of-first")
			if site != "" {
				r.Header.Set("Sec-Fetch-Site", site)
			}
			w := httptest.NewRecorder()
			p.handler.ServeHTTP(w, r)
			if w.Code != codes[i] {
				t.Errorf("%s from %q: %d %s", method, site, w.Code, w.Body)
			}
		}
	}
}

func TestHeaderInjection_TokensWithOtherRightsHaveOtherSessions(t *testing.T) {
	groups := map[string][]string{"plain": {"team"}, "again": {"team"}, "raised": {"team", "admins"}, "joined": {"admins\x00team"}}
	p := open(t, func(c *Config) {
		c.Proxy, c.Clusters[0].Proxy = Proxy{From: proxies, Secret: "the-secret-of-the-proxy"}, true
		c.Review = func(_ context.Context, _, token string) (string, []string, error) { return "ada", groups[token], nil }
	})
	sessions := map[string]string{}
	for token := range groups {
		r := httptest.NewRequest(http.MethodGet, "/clusters/first/api", nil)
		r.Host, r.RemoteAddr = host, "10.1.0.1:1"
		r.Header = http.Header{TokenHeader: {token}, SecretHeader: {"the-secret-of-the-proxy"}}
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		s := decode(t, w.Body)
		if sessions[token] = s.ID; s.Name != "ada" || s.Grants["first"].Token != token {
			t.Errorf("%s: %d %+v", token, w.Code, s)
		}
	}
	if sessions["plain"] != sessions["again"] || sessions["plain"] == sessions["raised"] || sessions["joined"] == sessions["raised"] {
		t.Errorf("the sessions are %v", sessions)
	}
}

func TestLeakedCredential_NoTokenInLogsPagesOrAddresses(t *testing.T) {
	p := open(t, nil)
	p.one.Set(short)
	var out strings.Builder
	note := func(w *httptest.ResponseRecorder) *httptest.ResponseRecorder {
		fmt.Fprintln(&out, w.Header().Get("Location"))
		if w.Header().Get("Content-Type") != "text/plain; charset=utf-8" { // which is what the test's own handler shows
			out.WriteString(w.Body.String())
		}
		return w
	}
	b := p.browser(t)
	note(b.get(guard.SignInPath))
	back := p.one.Authorize(t, b.begin("first", "/c/first/x"))
	note(b.visit(back.RequestURI(), "cross-site"))
	note(b.visit(back.RequestURI(), "cross-site"))
	note(b.get(guard.SignInPath))
	note(b.post(guard.SignInPath, "same-origin", thirdToken))
	note(b.post(guard.SignInPath, "same-origin", url.Values{"cluster": {"third"}, "token": {"wrong-token-of-somebody"}}))
	note(b.post(guard.SignInPath, "same-origin", url.Values{"cluster": {"third"}, "token": {"unreachable"}}))
	p.one.Set(func(b *issuertest.Behaviour) { b.TokenError = "invalid_grant" })
	p.clock.forward(100 * time.Second)
	note(b.get("/c/first/x"))
	p.clock.forward(time.Minute)
	note(b.get("/-/sign-in?next=/c/first/x"))
	note(b.visit(p.one.Authorize(t, b.begin("first", "/")).RequestURI(), "cross-site"))
	note(b.post(guard.SignOutPath, "same-origin", nil))
	secrets := append(p.one.Secrets(), "eve-of-third", "wrong-token-of-somebody", back.Query().Get("state"), back.Query().Get("code"), string(testKey))
	for _, secret := range secrets {
		for where, text := range map[string]string{"the log": p.log.String(), "a page or an address": out.String()} {
			if strings.Contains(text, secret) {
				t.Errorf("%s has %.12q…", where, secret)
			}
		}
	}
	if !strings.Contains(p.log.String(), "somebody signed in") || !strings.Contains(out.String(), "Signed out") {
		t.Error("the test didn't look at the right places")
	}
}
