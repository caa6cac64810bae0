package signin

import (
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer/issuertest"
)

func TestSigningInLeadsBackWithTheOwnToken(t *testing.T) {
	p := open(t, nil)
	b := p.browser(t)
	const deep = "/c/first/api/v1/pods?labelSelector=a%3Db"
	w := b.get(deep)
	check(t, "a deep link", w, http.StatusUnauthorized, "Sign in with Issuer one")
	if !strings.Contains(w.Body.String(), url.QueryEscape(deep)) {
		t.Error("the page forgets where it was asked for")
	}
	if there := b.signIn("first", deep); there != deep {
		t.Errorf("signing in leads to %q", there)
	}
	s := b.who(deep)
	if s.Name != "ada" || s.Way != "oidc" || s.Kind != guard.Cookie || !slices.Equal(s.Groups, []string{"team-ada"}) || s.ReadOnly != "" {
		t.Errorf("%+v", s)
	}
	if len(s.Grants) != 1 || strings.Count(s.Grants["first"].Token, ".") != 2 || !s.Grants["first"].Expires.Equal(p.clock.read().Add(time.Hour)) {
		t.Errorf("grants %+v", s.Grants)
	}
	for name, c := range b.cookies {
		if !strings.HasPrefix(name, "__Host-fieldmark-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
			t.Errorf("cookie %s: %+v", name, c)
		}
	}
}

func TestIssuerIsNotCalledWhileATokenIsGood(t *testing.T) {
	p := open(t, nil)
	b := p.browser(t)
	b.signIn("first", "/")
	before := p.one.Calls("")
	for range 50 {
		p.clock.forward(time.Minute)
		b.who("/c/first/x")
	}
	if after := p.one.Calls(""); after != before {
		t.Errorf("%d calls in 50 minutes", after-before)
	}
}

func TestLinksOfOtherSitesOpenThePageOnceMore(t *testing.T) {
	p := open(t, nil)
	b := p.browser(t)
	const deep = "/c/first/api/v1/pods?a=b"
	w := b.visit(deep, "cross-site")
	if there := refreshOf(w); there != deep {
		t.Errorf("from another site: %d, opens %q", w.Code, there)
	}
	if again := b.get(deep); refreshOf(again) != "" || !strings.Contains(words(again), "Sign in with Issuer one") {
		t.Errorf("not signed in: opens %q again", refreshOf(again))
	}
	b.signIn("first", "/")
	if w := b.visit(deep, "cross-site"); refreshOf(w) != deep || w.Header().Values("Set-Cookie") != nil {
		t.Errorf("signed in: %d, opens %q", w.Code, refreshOf(w))
	}
	if s := b.who(deep); s.Name != "ada" {
		t.Errorf("%+v", s)
	}
}

func TestSecondClusterJoinsTheSession(t *testing.T) {
	p := open(t, nil)
	b := p.browser(t)
	b.signIn("first", "/")
	before := b.who("/")
	p.two.Set(func(b *issuertest.Behaviour) { b.Subject = "ada.l" })
	there := b.signIn("second", "/c/second/x")
	if there != donePath {
		t.Fatalf("leads to %q", there)
	}
	if w := b.get(there); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/c/second/x" {
		t.Fatalf("%d %s", w.Code, words(w))
	}
	s := b.who("/c/second/x")
	if s.Name != "ada.l" || s.Key != before.Key || s.ID == before.ID || len(s.Grants) != 2 {
		t.Errorf("%+v", s)
	}
	if s := b.who("/c/first/x"); s.Name != "ada" {
		t.Errorf("at the first cluster: %+v", s)
	}
	if !slices.Contains(p.ended, before.ID) {
		t.Errorf("the old session goes on: ended %q", p.ended)
	}
	b.signIn("first", "/")
	p.one.Set(func(b *issuertest.Behaviour) { b.Subject = "ben" })
	b.get(b.signIn("first", "/"))
	if s := b.who("/"); s.Name != "ben" || len(s.Grants) != 1 || s.Key == before.Key {
		t.Errorf("somebody else has the session of the person before: %+v", s)
	}
}

func TestClusterWithTheNameOfAnIssuer(t *testing.T) {
	p := open(t, func(c *Config) { c.Clusters[2].Slug, c.WriteGroups = "one", []string{"team-ada"} })
	b := p.browser(t)
	b.signIn("first", "/")
	b.post(guard.SignInPath, "same-origin", url.Values{"cluster": {"one"}, "token": {"eve-of-one"}, "next": {"/"}})
	for path, name := range map[string]string{"/": "ada", "/c/first/x": "ada", "/c/one/x": "eve"} {
		if s := b.who(path); s.Name != name || (s.ReadOnly == "") != (name == "ada") || len(s.Grants) != 2 {
			t.Errorf("%s: %+v", path, s)
		}
	}
}

func TestPastedTokens(t *testing.T) {
	for name, c := range map[string]struct {
		cluster, token string
		allowed        bool
		code           int
		words          string
	}{
		"a good one":             {"third", " eve-of-third\n", true, http.StatusSeeOther, ""},
		"where an issuer is":     {"first", "eve-of-first", true, http.StatusSeeOther, ""},
		"of another cluster":     {"third", "eve-of-first", true, http.StatusUnauthorized, "refuses the token"},
		"wrong":                  {"third", "x", true, http.StatusUnauthorized, "refuses the token"},
		"nobody's":               {"third", "system:anonymous-of-third", true, http.StatusUnauthorized, "whose token this is"},
		"none":                   {"third", "  ", true, http.StatusUnauthorized, "There is no token"},
		"two lines":              {"third", "eve-of-third\r\nX: y", true, http.StatusUnauthorized, "There is no token"},
		"too long":               {"third", strings.Repeat("x", maxToken+1), true, http.StatusUnauthorized, "There is no token"},
		"for an unknown cluster": {"none", "eve-of-none", true, http.StatusForbidden, "can’t be pasted"},
		"not allowed":            {"first", "eve-of-first", false, http.StatusForbidden, "can’t be pasted"},
		"nobody responds":        {"third", "unreachable", true, http.StatusBadGateway, "Try again"},
	} {
		p := open(t, func(c2 *Config) {
			if c2.AllowToken = c.allowed; !c.allowed {
				c2.Clusters = c2.Clusters[:2]
			}
		})
		b := p.browser(t)
		w := b.post(guard.SignInPath, "same-origin", url.Values{"cluster": {c.cluster}, "token": {c.token}, "next": {"/c/third/x"}})
		check(t, name, w, c.code, strings.ReplaceAll(c.words, "’", "'"))
		if c.code != http.StatusSeeOther {
			if len(b.cookies) > 0 {
				t.Errorf("%s: there is a session", name)
			}
			continue
		}
		s := b.who("/c/third/x")
		if w.Header().Get("Location") != "/c/third/x" || s.Name != "eve" || s.Grants[c.cluster].Token != strings.TrimSpace(c.token) || len(s.Grants) != 1 || s.Way != "token" {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestPastedTokenExpires(t *testing.T) {
	p := open(t, nil)
	b := p.browser(t)
	payload := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"exp":%d}`, p.clock.read().Add(time.Hour).Unix()))
	b.post(guard.SignInPath, "same-origin", url.Values{"cluster": {"third"}, "token": {"head." + payload + ".signature-of-third"}, "next": {"/"}})
	p.clock.forward(time.Hour - time.Second)
	if g := b.who("/c/third/x").Grants["third"]; g.Expires.Sub(p.clock.read()) != time.Second {
		t.Errorf("%+v", g)
	}
	p.clock.forward(time.Second)
	check(t, "after an hour", b.get("/c/third/x"), http.StatusUnauthorized, "Your sign-in has expired")
	for _, other := range []string{"", "opaque", "a.b", "a.!.c", "a.e30.c", "a." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":-1}`)) + ".c"} {
		if at := expiryOf(other); !at.IsZero() {
			t.Errorf("%q expires at %v", other, at)
		}
	}
}

func TestProgramsSendTheirOwnToken(t *testing.T) {
	for name, c := range map[string]struct {
		path  string
		auth  []string
		code  int
		words string
	}{
		"the API":               {"/clusters/first/api/v1/pods", []string{"Bearer eve-of-first"}, 200, ""},
		"a page":                {"/c/first/api/v1/pods", []string{"bearer eve-of-first"}, 200, ""},
		"a token for another":   {"/clusters/second/api", []string{"Bearer eve-of-first"}, 401, "refuses the token"},
		"no cluster":            {"/", []string{"Bearer eve-of-first"}, 401, "only for the paths of a cluster"},
		"an unknown cluster":    {"/clusters/none/api", []string{"Bearer eve-of-none"}, 401, "only for the paths of a cluster"},
		"another scheme":        {"/clusters/first/api", []string{"Basic ZXZlOmV2ZQ=="}, 401, "one Bearer token"},
		"two":                   {"/clusters/first/api", []string{"Bearer eve-of-first", "Bearer x"}, 401, "one Bearer token"},
		"empty":                 {"/clusters/first/api", []string{"Bearer "}, 401, "one Bearer token"},
		"the server is away":    {"/clusters/first/api", []string{"Bearer unreachable"}, 502, "Try again"},
		"nothing, and a cookie": {"/clusters/first/api", nil, 401, notSignedIn},
	} {
		p := open(t, nil)
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.Host = host
		r.Header["Authorization"] = c.auth
		if c.auth == nil {
			delete(r.Header, "Authorization")
		}
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		check(t, name, w, c.code, c.words)
		if c.code != 200 {
			continue
		}
		if s := decode(t, w.Body); s.Name != "eve" || s.Kind != guard.Bearer || s.Grants["first"].Token != "eve-of-first" || len(s.Grants) != 1 || strings.Contains(s.ID, "eve") {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// ask sends a program's request with a token, and returns the status code.
func (p *place) ask(token string) int {
	r := httptest.NewRequest(http.MethodGet, "/clusters/first/api", nil)
	r.Host = host
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	return w.Code
}

func TestReviewsAreRememberedForAMinute(t *testing.T) {
	p := open(t, nil)
	for range 10 {
		p.ask("eve-of-first")
		p.ask("wrong")
	}
	if p.reviews != 2 {
		t.Errorf("%d reviews of two tokens", p.reviews)
	}
	p.clock.forward(goodFor)
	p.ask("eve-of-first")
	if p.reviews != 3 {
		t.Errorf("%d reviews after a minute", p.reviews)
	}
	for i := range failureBurst + 5 {
		p.ask(strings.Repeat("x", i+1))
	}
	if code := p.ask("another-wrong-one"); code != http.StatusTooManyRequests {
		t.Errorf("a flood of wrong tokens: %d", code)
	}
	if code := p.ask("eve-of-first"); code != http.StatusOK {
		t.Errorf("a known token during a flood from the same address: %d", code)
	}
	p.clock.forward(failureEvery)
	if code := p.ask("ada-of-first"); code != http.StatusOK {
		t.Errorf("a new token a moment after a flood: %d", code)
	}
}

func TestImpersonationIsForNamedGroups(t *testing.T) {
	for name, c := range map[string]struct {
		claims map[string]any
		words  string // of the refusal; empty: it is granted
		groups []string
	}{
		"a member":                     {map[string]any{"groups": []string{"ops", "dev"}}, "", []string{"ops"}},
		"another group":                {map[string]any{"groups": []string{"dev"}}, "--impersonate-groups", nil},
		"no groups claim":              {map[string]any{"groups": nil}, "issuers.one.groupsClaim", nil},
		"groups of Kubernetes":         {map[string]any{"groups": []string{"ops", "system:masters"}}, "", []string{"ops"}},
		"a name of Kubernetes’":        {map[string]any{"groups": []string{"ops"}, "sub": "system:admin"}, "Nobody may be impersonated", nil},
		"a name that a header changes": {map[string]any{"groups": []string{"ops"}, "sub": " system:admin"}, "issuers.one.userClaim", nil},
		"another person's name":        {map[string]any{"groups": []string{"ops"}, "sub": "ada "}, "begins or ends with a space", nil},
	} {
		p := open(t, func(c *Config) {
			c.Clusters[0].Impersonate, c.ImpersonateGroups = true, []string{"ops"}
		})
		p.one.Set(func(b *issuertest.Behaviour) { b.Claims = c.claims })
		b := p.browser(t)
		w := b.visit(p.one.Authorize(t, b.begin("first", "/")).RequestURI(), "cross-site")
		if c.words != "" {
			check(t, name, w, http.StatusForbidden, c.words)
			if len(b.cookies) > 0 {
				t.Errorf("%s: there is a session", name)
			}
			continue
		}
		s := b.who("/c/first/x")
		g := s.Grants["first"]
		if g.Token != "" || g.As.User != "ada" || !slices.Equal(g.As.Groups, c.groups) || s.Way != "impersonate" {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestWritingIsForNamedGroups(t *testing.T) {
	for name, c := range map[string]struct {
		groups any
		words  string
	}{
		"a member": {[]string{"writers"}, ""}, "another": {[]string{"readers"}, `Only members of "writers" may write here (--write-groups).`},
		"no claim": {nil, "issuers.one.groupsClaim"},
	} {
		p := open(t, func(c *Config) { c.WriteGroups = []string{"writers"} })
		p.one.Set(func(b *issuertest.Behaviour) { b.Claims = map[string]any{"groups": c.groups} })
		b := p.browser(t)
		b.signIn("first", "/")
		if s := b.who("/c/first/x"); !strings.Contains(s.ReadOnly, c.words) || (s.ReadOnly == "") != (c.words == "") {
			t.Errorf("%s: %q", name, s.ReadOnly)
		}
	}
}

func TestAudienceThatTheClusterDoesNotAccept(t *testing.T) {
	p := open(t, func(c *Config) { c.Clusters[0].Audience = "kubernetes" })
	b := p.browser(t)
	w := b.visit(p.one.Authorize(t, b.begin("first", "/")).RequestURI(), "cross-site")
	check(t, "another audience", w, http.StatusForbidden, `is for "fieldmark", and the API server requires "kubernetes". Check clusters.first.audience`)
	p.one.Set(func(b *issuertest.Behaviour) { b.Claims = map[string]any{"aud": []string{"fieldmark", "kubernetes"}} })
	b.signIn("first", "/")
	if s := b.who("/"); s.Grants["first"].Token == "" {
		t.Error("no grant, although the audience is right")
	}
}

func TestFaultsOfTheIssuerAreOnThePage(t *testing.T) {
	for name, c := range map[string]struct {
		behave issuertest.Behaviour
		code   int
		words  string
	}{
		"its clock is an hour ahead": {issuertest.Behaviour{Ahead: time.Hour}, http.StatusBadGateway, "60 minutes ahead"},
		"the secret is wrong":        {issuertest.Behaviour{TokenError: "invalid_client"}, http.StatusBadGateway, "issuers.one.clientSecretFile"},
		"the code has expired":       {issuertest.Behaviour{TokenError: "invalid_grant"}, http.StatusForbidden, "Sign in again"},
	} {
		p := open(t, nil)
		p.one.Set(func(b *issuertest.Behaviour) { *b = c.behave })
		b := p.browser(t)
		w := b.visit(p.one.Authorize(t, b.begin("first", "/")).RequestURI(), "cross-site")
		check(t, name, w, c.code, c.words)
		check(t, name, w, c.code, "Sign in with Issuer one")
		if len(b.cookies) > 0 {
			t.Errorf("%s: half a session", name)
		}
	}
	p := open(t, nil)
	p.one.Set(func(b *issuertest.Behaviour) { b.Status = http.StatusServiceUnavailable })
	w := p.browser(t).get(StartPath + "?cluster=first&next=/")
	check(t, "the issuer is down", w, http.StatusBadGateway, "issuers.one.url")
}

func TestSettingsWithWhichNobodyComesIn(t *testing.T) {
	p := open(t, nil)
	for name, c := range map[string]struct {
		change func(*Config)
		words  string
	}{
		"no public URL":            {func(c *Config) { c.Public = nil }, "--public-url is missing"},
		"a host that isn't plain":  {func(c *Config) { c.Public = &url.URL{Scheme: "https", Host: "fé.example"} }, "as browsers send it"},
		"a port that isn't one":    {func(c *Config) { c.Public = &url.URL{Scheme: "https", Host: "a:70000"} }, "as browsers send it"},
		"groups of Kubernetes":     {func(c *Config) { c.ImpersonateGroups = []string{"system:masters"} }, "--impersonate-groups"},
		"without TLS":              {func(c *Config) { c.Public = &url.URL{Scheme: "http", Host: "fieldmark.example"} }, "must begin with https://"},
		"with a query":             {func(c *Config) { c.Public = &url.URL{Scheme: "https", Host: "a", RawQuery: "b"} }, "only a host and a path"},
		"no key":                   {func(c *Config) { c.Sealer = nil }, "--session-keys"},
		"no cluster":               {func(c *Config) { c.Clusters = nil }, "no cluster"},
		"no issuer, no token":      {func(c *Config) { c.AllowToken = false }, "Set clusters.third.issuer"},
		"an unknown issuer":        {func(c *Config) { c.Clusters[0].Issuer = "none" }, `clusters.first.issuer: there is no issuer "none"`},
		"a cluster twice":          {func(c *Config) { c.Clusters[1].Slug = "first" }, "two clusters"},
		"an issuer twice":          {func(c *Config) { c.Issuers = append(c.Issuers, c.Issuers[0]) }, "two issuers"},
		"impersonation of all":     {func(c *Config) { c.Clusters[0].Impersonate = true }, "--impersonate-groups"},
		"impersonation by nobody":  {func(c *Config) { c.Clusters[2].Impersonate = true }, "clusters.third.issuer"},
		"no review":                {func(c *Config) { c.Review = nil }, "can't be reviewed"},
		"proxies without proof":    {func(c *Config) { c.Proxy.From = proxies }, "--proxy-secret-file"},
		"proof without proxies":    {func(c *Config) { c.Proxy.Secret = strings.Repeat("s", 16) }, "--trusted-proxies is missing"},
		"a short secret":           {func(c *Config) { c.Proxy = Proxy{From: proxies, Secret: "short"} }, "16 characters"},
		"a cluster without proxy":  {func(c *Config) { c.Clusters[0].Proxy = true }, "needs --trusted-proxies"},
		"a cluster without a name": {func(c *Config) { c.Clusters[0].Slug = "" }, "has no name"},
	} {
		with := p.door.Config
		with.Clusters, with.Issuers = slices.Clone(with.Clusters), slices.Clone(with.Issuers)
		c.change(&with)
		if _, err := New(with); err == nil || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPublicURLWithAPath(t *testing.T) {
	public := &url.URL{Scheme: "https", Host: host, Path: "/tools/fieldmark/"}
	if got := Callback(public); got != "https://fieldmark.example/tools/fieldmark/-/sign-in/callback" {
		t.Error(got)
	}
	p := open(t, func(c *Config) { c.Public = public })
	b := p.browser(t)
	if there := b.signIn("first", "/c/first/x"); there != "/c/first/x" { // package subpath adds the path
		t.Errorf("leads to %q", there)
	}
}

func TestLoopbackMayDoWithoutTLS(t *testing.T) {
	p := open(t, func(c *Config) { c.Public = &url.URL{Scheme: "http", Host: "127.0.0.1:8080"} })
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, StartPath+"?cluster=first&next=/", nil)
	r.Host = "127.0.0.1:8080"
	p.handler.ServeHTTP(w, r)
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || cookies[0].Secure || strings.HasPrefix(cookies[0].Name, "__") {
		t.Errorf("%d %v", w.Code, cookies)
	}
}

func TestClientBehindProxies(t *testing.T) {
	d := &Door{Config: Config{Proxy: Proxy{From: proxies}}}
	for name, c := range map[string]struct{ remote, forwarded, want string }{
		"direct":                  {"192.0.2.7:1", "", "192.0.2.7"},
		"direct, with a claim":    {"192.0.2.7:1", "203.0.113.1", "192.0.2.7"},
		"by a proxy":              {"10.1.0.1:1", "203.0.113.1", "203.0.113.1"},
		"by two":                  {"10.1.0.1:1", "203.0.113.1, 10.1.0.2", "203.0.113.1"},
		"with a forged first one": {"10.1.0.1:1", "198.51.100.9, 203.0.113.1", "203.0.113.1"},
		"of the proxy itself":     {"10.1.0.1:1", "", "10.1.0.1"},
		"not an address":          {"10.1.0.1:1", "203.0.113.1, x", "10.1.0.1"},
		"IPv4 in IPv6":            {"[::ffff:10.1.0.1]:1", "203.0.113.1", "203.0.113.1"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := d.client(r); got != netip.MustParseAddr(c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWantedClusterIsFirst(t *testing.T) {
	p := open(t, nil)
	w := p.browser(t).get(guard.SignInPath + "?next=/c/second/x")
	text := words(w)
	if second, first := strings.Index(text, "Second cluster"), strings.Index(text, "First cluster"); w.Code != 200 || second < 0 || first < second {
		t.Errorf("the wanted cluster isn't first: %s", text)
	}
}

func TestAFailedSignInLeadsToWhereOneWantedToGo(t *testing.T) {
	const next = "/c/first/api/v1/pods?wide=1"
	for _, refusal := range []string{"error=access_denied", "code=invented"} {
		p := open(t, nil)
		b := p.browser(t)
		begun, err := url.Parse(b.begin("first", next))
		if err != nil {
			t.Fatal(err)
		}
		w := b.visit(CallbackPath+"?"+refusal+"&state="+begun.Query().Get("state"), "cross-site")
		way := html.EscapeString(StartPath + "?" + url.Values{"cluster": {"first"}, "next": {next}}.Encode())
		if w.Code < 400 || !strings.Contains(w.Body.String(), way) {
			t.Errorf("%s: %d, without %s:\n%s", refusal, w.Code, way, w.Body)
		}
	}
}
