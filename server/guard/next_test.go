package guard

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestTokenInAddress_SigningInLeadsToOurOwnPagesOnly(t *testing.T) {
	for next, want := range map[string]string{
		"/":      "/",
		"/learn": "/learn",
		"/c/practice/api/v1/namespaces/shop/pods":          "/c/practice/api/v1/namespaces/shop/pods",
		"/c/practice/api/v1/pods?labelSelector=a%3Db&wide": "/c/practice/api/v1/pods?labelSelector=a%3Db&wide",
		"/c/a/-/request?path=%2Fapi%2Fv1%3Flimit%3D5":      "/c/a/-/request?path=%2Fapi%2Fv1%3Flimit%3D5",
		"/c/a/clusterroles/system:node":                    "/c/a/clusterroles/system:node",
		"/c/a?next=//evil.test":                            "/c/a?next=//evil.test",
		"/learn#step":                                      "/learn",

		"": "/", "learn": "/", "?x": "/", "#x": "/", ".": "/", "../x": "/",
		"//evil.test": "/", "//evil.test/x": "/", "///evil.test": "/", `/\evil.test`: "/", `\\evil.test`: "/", `/\/evil.test`: "/", `/x\..\y`: "/",
		"http://evil.test": "/", "HTTP://evil.test/": "/", "http:/evil.test": "/", "http:evil.test": "/", "https://127.0.0.1:8080/": "/", "javascript:alert(1)": "/", "data:,x": "/",
		"/%2fevil.test": "/", "/%5cevil.test": "/", "/%2e%2e//evil.test": "/", "/..//evil.test": "/", "/.//evil.test": "/", "/a/../..//evil.test": "/", "/a//b": "/", "/%252fevil": "/",
		"/\tevil": "/", "/\t/evil.test": "/", "\t//evil.test": "/", " //evil.test": "/", "/\r\n/evil.test": "/", "/x\r\nSet-Cookie: a=b": "/", "/x\n": "/", "/\x00": "/", "/x\x7f": "/", "/é": "/", "/\u2028/evil.test": "/",
		"/a%00": "/", "/a%0d%0aX:y": "/", "/%zz": "/", "/;@evil.test": "/",
		SignInPath: "/", SignInPath + "?next=/x": "/", SignOutPath: "/", LinkPath: "/", "/-/%73ign-out": "/", SignInPath + "/start": "/",
		"/x?" + strings.Repeat("a", maxNext): "/",
	} {
		if got := ownPath(next); got != want {
			t.Errorf("%q: %q, want %q", next, got, want)
		}
	}
}

// A page that needs a session shows the form at once, and the form leads back to it.
func TestTokenInAddress_SigningInLeadsBack(t *testing.T) {
	const page = "/c/one/api/v1/pods?labelSelector=a%3Db"
	for what, c := range map[string]struct{ target, next, lands string }{
		"a page":                        {page, page, page},
		"the form itself":               {SignInPath, "/", "/"},
		"the form with a page":          {SignInPath + "?next=" + url.QueryEscape(page), page, page},
		"the form with a foreign site":  {SignInPath + "?next=" + url.QueryEscape("//evil.test"), "/", "/"},
		"a used link":                   {"/?code=used", "/", "/"},
		"a form that was tampered with": {"/learn", "https://evil.test", "/"},
	} {
		g := newGuard(t, Options{})
		shown := answered(t, g, get(t, c.target))
		if want := map[bool]int{true: 200, false: 401}[strings.HasPrefix(c.target, SignInPath)]; shown.Code != want || !strings.Contains(shown.Body.String(), `name="token"`) {
			t.Errorf("%s: %d %s", what, shown.Code, shown.Body)
		}
		if c.next != "https://evil.test" && !strings.Contains(shown.Body.String(), `name="next" value="`+c.next+`"`) {
			t.Errorf("%s: the form doesn't lead to %s: %s", what, c.next, shown.Body)
		}
		wrong := answered(t, g, form(t, "a-wrong-one", c.next))
		if wrong.Code != http.StatusUnauthorized || !strings.Contains(wrong.Body.String(), `name="next" value="`+ownPath(c.next)+`"`) {
			t.Errorf("%s: after a wrong token: %d %s", what, wrong.Code, wrong.Body)
		}
		if in := answered(t, g, form(t, testToken, c.next)); in.Code != http.StatusSeeOther || in.Header().Get("Location") != c.lands {
			t.Errorf("%s: signing in leads to %d %q", what, in.Code, in.Header().Get("Location"))
		}
	}
}

// An address of a cluster that a person opens leads to the form, and then back. Programs, and what scripts load, get a Status.
func TestAddressesOfClustersLeadToTheForm(t *testing.T) {
	const address = "/clusters/one/api/v1/pods?limit=5"
	for what, c := range map[string]struct {
		header map[string]string
		form   bool
	}{
		"a person":               {map[string]string{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"}, true},
		"a script":               {map[string]string{"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"}, false},
		"a program":              {nil, false},
		"one with a bad token":   {map[string]string{"Authorization": "Bearer wrong"}, false},
		"a page of another site": {map[string]string{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site"}, false},
		"no HTML":                {map[string]string{"Sec-Fetch-Mode": "navigate", "Accept": "application/json"}, false},
	} {
		r := get(t, address)
		for name, value := range c.header {
			r.Header.Set(name, value)
		}
		w := answered(t, newGuard(t, Options{}), r)
		body := w.Body.String()
		if shown := strings.Contains(body, `name="token"`) && strings.Contains(body, `name="next" value="`+address+`"`); shown != c.form || shown && w.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d\n%s", what, w.Code, body)
		}
		if !c.form && !strings.Contains(body, `"kind":"Status"`) {
			t.Errorf("%s: %s", what, body)
		}
	}
	if in := answered(t, newGuard(t, Options{}), form(t, testToken, address)); in.Header().Get("Location") != address {
		t.Errorf("signing in leads to %q", in.Header().Get("Location"))
	}
}

func FuzzOwnPath(f *testing.F) {
	f.Add("/c/practice/api/v1/pods?wide#x")
	f.Add(`/\evil.test`)
	f.Add("//evil.test")
	base := &url.URL{Scheme: "http", Host: "127.0.0.1:8080", Path: "/"}
	f.Fuzz(func(t *testing.T, next string) {
		got := ownPath(next)
		there, err := base.Parse(got)
		if err != nil || there.Host != base.Host || there.Scheme != "http" || there.User != nil || strings.HasPrefix(there.Path, "//") {
			t.Errorf("%q leads to %q: %v %v", next, got, there, err)
		}
		if strings.ContainsAny(got, "\\\r\n\t\x00") || ownPath(got) != got {
			t.Errorf("%q leads to %q", next, got)
		}
	})
}

// get is a request for a page, as a browser makes it.
func get(t *testing.T, target string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Accept", "text/html")
	return r
}

// form is the sign-in form sent from our own page.
func form(t *testing.T, token, next string) *http.Request {
	t.Helper()
	body := url.Values{tokenParameter: {token}, nextParameter: {next}}.Encode()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, SignInPath, strings.NewReader(body))
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://127.0.0.1:8080")
	return r
}

// answered gives the guard's answer; requests that get through are answered with 204.
func answered(t *testing.T, g *Guard, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })).ServeHTTP(w, r)
	return w
}

// TestFailedUpgrade_ARefusedOneEndsItsConnection: a proxy in front of us would send the next request on it, of somebody else.
func TestFailedUpgrade_ARefusedOneEndsItsConnection(t *testing.T) {
	g := newGuard(t, Options{})
	for upgrade, want := range map[string]string{"websocket": "close", "": ""} {
		r := get(t, "/socket")
		if upgrade != "" {
			r.Header.Set("Upgrade", upgrade)
			r.Header.Set("Connection", "Upgrade")
		}
		if w := answered(t, g, r); w.Code != http.StatusUnauthorized || w.Header().Get("Connection") != want {
			t.Errorf("with the upgrade %q: %d, Connection: %q", upgrade, w.Code, w.Header().Get("Connection"))
		}
	}
}
