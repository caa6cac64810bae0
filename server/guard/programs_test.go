package guard

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// programming is a guard with a signed-in browser.
type programming struct {
	*Guard
	now    time.Time
	cookie *http.Cookie
	behind []Session // who came through
}

func newProgramming(t *testing.T) *programming {
	t.Helper()
	p := &programming{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	p.Guard = newGuard(t, Options{Now: func() time.Time { return p.now }, SessionEnded: func(id string) { p.EndPrograms(id) }})
	w := p.send(t, "POST", SignInPath, url.Values{"token": {testToken}}, map[string]string{"Origin": "http://127.0.0.1:8080"})
	if cookies := w.Result().Cookies(); len(cookies) == 1 {
		p.cookie = cookies[0]
	} else {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return p
}

// send sends a request of a browser, if there is a cookie.
func (p *programming) send(t *testing.T, method, path string, form url.Values, headers map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(form.Encode()))
	r.Host = "127.0.0.1:8080"
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if p.cookie != nil && headers["Authorization"] == "" {
		r.AddCookie(p.cookie)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	p.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		s, _ := SessionFrom(r.Context())
		p.behind = append(p.behind, s)
	})).ServeHTTP(w, r)
	return w
}

var ownPage = map[string]string{"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}

// makeToken makes a token as a page does.
func (p *programming) makeToken(t *testing.T) string {
	t.Helper()
	w := p.send(t, "POST", ProgramsPath, url.Values{}, ownPage)
	token := strings.TrimSpace(w.Body.String())
	if w.Code != http.StatusOK || !strings.HasPrefix(token, programPrefix) || len(token) < 40 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return token
}

// knock tells whether a token is let in at a path.
func (p *programming) knock(t *testing.T, path, token string, headers map[string]string) bool {
	t.Helper()
	all := map[string]string{"Authorization": "Bearer " + token}
	for name, value := range headers {
		all[name] = value
	}
	before := len(p.behind)
	w := p.send(t, "POST", path, nil, all)
	if in := len(p.behind) > before; in != (w.Code == http.StatusOK) {
		t.Errorf("%s: %d", path, w.Code)
	}
	return len(p.behind) > before
}

func TestProgramToken_OnlyReadsAtOneAddress(t *testing.T) {
	p := newProgramming(t)
	token := p.makeToken(t)
	if !p.knock(t, ProgramPath, token, nil) {
		t.Fatal("the token isn't let in")
	}
	if s := p.behind[len(p.behind)-1]; s.ReadOnly == "" || s.NoWorkloads == "" || s.Kind != Bearer || !strings.HasPrefix(s.ID, "browser-") {
		t.Errorf("%+v", s)
	}
	for _, path := range []string{"/clusters/practice/api/v1/pods", "/", "/socket", "/-/theme", ProgramsPath, ProgramPath + "/", "/c/practice"} {
		if p.knock(t, path, token, nil) {
			t.Errorf("the token is good at %s", path)
		}
	}
	for _, other := range []string{testToken, "", token + "x", programPrefix, strings.ToUpper(token)} {
		if p.knock(t, ProgramPath, other, nil) {
			t.Errorf("%q is let in", other)
		}
	}
	if w := p.send(t, "POST", ProgramPath, nil, ownPage); w.Code != http.StatusUnauthorized {
		t.Errorf("a cookie is let in: %d", w.Code)
	}
	for what, headers := range map[string]map[string]string{
		"another origin": {"Origin": "https://evil.example.com"}, "null": {"Origin": "null"}, "another site": {"Sec-Fetch-Site": "cross-site"}, "another port": {"Origin": "http://127.0.0.1:9"},
	} {
		if p.knock(t, ProgramPath, token, headers) {
			t.Errorf("%s is let in", what)
		}
	}
}

func TestProgramToken_EndsWithItsSession(t *testing.T) {
	p := newProgramming(t)
	token := p.makeToken(t)
	p.send(t, "POST", SignOutPath, url.Values{}, ownPage)
	if p.knock(t, ProgramPath, token, nil) {
		t.Error("the token is good after signing out")
	}
	p = newProgramming(t)
	token = p.makeToken(t)
	p.now = p.now.Add(programTime)
	if p.knock(t, ProgramPath, token, nil) {
		t.Error("the token is good after its time")
	}
	s := Session{ID: "x", Ends: p.now.Add(time.Minute)}
	token, err := p.programs.make(s)
	if err != nil || !p.knock(t, ProgramPath, token, nil) {
		t.Fatal(err)
	}
	p.now = p.now.Add(time.Minute)
	if p.knock(t, ProgramPath, token, nil) {
		t.Error("the token outlives its session")
	}
}

func TestProgramToken_IsRevoked(t *testing.T) {
	p := newProgramming(t)
	var tokens []string
	for range maxPrograms + 1 {
		p.now = p.now.Add(time.Second)
		tokens = append(tokens, p.makeToken(t))
	}
	if p.knock(t, ProgramPath, tokens[0], nil) || !p.knock(t, ProgramPath, tokens[1], nil) {
		t.Error("the oldest token of too many isn't the one that ends")
	}
	if w := p.send(t, "GET", ProgramsPath, nil, map[string]string{"Accept": "text/html"}); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Revoke all tokens") || strings.Contains(w.Body.String(), tokens[1]) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for what, headers := range map[string]map[string]string{"no proof": {}, "another site": {"Origin": "https://evil.example.com"}} {
		if w := p.send(t, "POST", ProgramsPath, url.Values{"revoke": {"all"}}, headers); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", what, w.Code)
		}
	}
	if w := p.send(t, "POST", ProgramsPath, url.Values{"revoke": {"all"}}, ownPage); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, token := range tokens {
		if p.knock(t, ProgramPath, token, nil) {
			t.Error("a revoked token is good")
		}
	}
	if w := p.send(t, "DELETE", ProgramsPath, nil, ownPage); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("%d", w.Code)
	}
}

// TestProgramToken_IsListed: people see when each of their tokens was used, and revoke one of them.
func TestProgramToken_IsListed(t *testing.T) {
	p := newProgramming(t)
	first := p.makeToken(t)
	p.now = p.now.Add(time.Minute)
	second := p.makeToken(t)
	if !p.knock(t, ProgramPath, first, nil) {
		t.Fatal("the token isn't let in")
	}
	session := p.behind[len(p.behind)-1].ID
	all := p.programs.list(session)
	if len(all) != 2 || !all[0].Used.IsZero() || !all[1].Used.Equal(p.now) || !strings.HasSuffix(first, all[1].Ending) || all[0].Until.Sub(all[0].Made) != programTime || len(p.programs.list("other")) != 0 {
		t.Fatalf("%+v", all)
	}
	page := p.send(t, "GET", ProgramsPath, nil, map[string]string{"Accept": "text/html"}).Body.String()
	for _, has := range []string{"…" + all[0].Ending, "…" + all[1].Ending, "not used", "last used at"} {
		if !strings.Contains(page, has) {
			t.Errorf("the page has no %q: %s", has, page)
		}
	}
	if strings.Contains(page, first) || strings.Contains(page, second) {
		t.Error("a token is shown again")
	}
	if p.programs.revoke("other", all[1].ID) {
		t.Error("another session revokes the token")
	}
	for _, says := range []string{"is revoked", "There is no such token"} {
		w := p.send(t, "POST", ProgramsPath, url.Values{"revoke": {all[1].ID}}, map[string]string{"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin", "Accept": "text/html"})
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if p.knock(t, ProgramPath, first, nil) || !p.knock(t, ProgramPath, second, nil) {
		t.Error("another token than the revoked one ends")
	}
}
