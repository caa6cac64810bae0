package guard

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// visit opens a one-visit link in a browser with these cookies.
func visit(t *testing.T, g *Guard, link string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" || u.Host != "127.0.0.1:8080" || u.Path != "/" {
		t.Fatalf("the link is %q: %v", link, err)
	}
	r := get(t, u.RequestURI())
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return answered(t, g, r)
}

func link(t *testing.T, g *Guard, there string) string {
	t.Helper()
	l, err := g.Link(there)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTokenInAddress_ALinkIsGoodOnceAndForAFewMinutes(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	g := newGuard(t, Options{Now: func() time.Time { return now }})
	good := link(t, g, "/learn?x=1")
	now = now.Add(codeTime - time.Second)
	w := visit(t, g, good)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/learn?x=1" || len(w.Result().Cookies()) != 1 {
		t.Errorf("the first visit: %d %v", w.Code, w.Header())
	}
	mine := w.Result().Cookies()[0]
	late := link(t, g, "/")
	now = now.Add(codeTime)
	for what, l := range map[string]string{"used": good, "late": late, "made up": "http://127.0.0.1:8080/?code=AAAA", "empty": "http://127.0.0.1:8080/?code="} {
		w := visit(t, g, l)
		if w.Code != http.StatusUnauthorized || len(w.Result().Cookies()) != 0 {
			t.Errorf("%s: %d %v", what, w.Code, w.Header())
		}
		for _, words := range []string{"no longer works", `name="token"`, "--token", "FIELDMARK_TOKEN"} {
			if !strings.Contains(w.Body.String(), words) {
				t.Errorf("%s: no %q in %s", what, words, w.Body)
			}
		}
		if w := visit(t, g, l, mine); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" || len(w.Result().Cookies()) != 0 {
			t.Errorf("%s, in a browser that is signed in: %d %v", what, w.Code, w.Header())
		}
	}
}

// Nothing but a visit by a person uses a code up, and what does is gone.
func TestTokenInAddress_WhatUsesALinkUp(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*http.Request)
		code   int
		used   bool
	}{
		"an image": {func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Mode", "no-cors")
			r.Header.Set("Sec-Fetch-Dest", "image")
		}, 403, false},
		"a frame": {func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, 403, false},
		"HEAD":           {func(r *http.Request) { r.Method = http.MethodHead }, 401, false},
		"POST":           {func(r *http.Request) { r.Method = http.MethodPost }, 401, false},
		"another path":   {func(r *http.Request) { r.URL.Path = "/learn" }, 401, false},
		"a foreign Host": {func(r *http.Request) { r.Host = "evil.test" }, 403, false},
		"a WebSocket":    {func(r *http.Request) { r.Header.Set("Upgrade", "websocket"); r.Header.Set("Connection", "Upgrade") }, 401, false},
		"a person's visit": {func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "document")
		}, 303, true},
		"an old browser's": {func(*http.Request) {}, 303, true},
	} {
		g := newGuard(t, Options{})
		l := link(t, g, "/")
		r := get(t, strings.TrimPrefix(l, "http://127.0.0.1:8080"))
		c.change(r)
		if w := answered(t, g, r); w.Code != c.code {
			t.Errorf("%s: %d", what, w.Code)
		}
		if still := visit(t, g, l).Code == http.StatusSeeOther; still == c.used {
			t.Errorf("%s: the link is still good: %v", what, still)
		}
	}
}

func TestTokenInAddress_CodesAreRandomAndBounded(t *testing.T) {
	g := newGuard(t, Options{})
	seen := map[string]bool{}
	first := link(t, g, "/")
	for range 3 * maxCodes {
		l := link(t, g, "/")
		_, code, _ := strings.Cut(l, "?code=")
		if seen[l] || len(code) < 22 {
			t.Fatalf("%q is no good", l)
		}
		seen[l] = true
	}
	if len(g.launch.codes.byHash) != maxCodes {
		t.Errorf("%d codes are kept", len(g.launch.codes.byHash))
	}
	if w := visit(t, g, first); w.Code != http.StatusUnauthorized {
		t.Errorf("the oldest is still good: %d", w.Code)
	}
}

// The launch token in a URL signs nobody in, and is taken out of the address. It isn't looked at either: a page of another site can lead here.
func TestTokenInAddress_TheTokenInAURLIsNeitherTakenNorJudged(t *testing.T) {
	var log strings.Builder
	g := newGuard(t, Options{Log: logTo(&log)})
	in := answered(t, g, form(t, testToken, "/"))
	for range 3 * failureBurst {
		for target, c := range map[string]struct{ stranger, mine string }{
			"/?token=" + testToken:             {SignInPath, "/"},
			"/?token=wrong":                    {SignInPath, "/"},
			"/learn?token=" + testToken:        {SignInPath + "?next=%2Flearn", "/learn"},
			"/c/one?a=1&token=x&token=y":       {SignInPath + "?next=%2Fc%2Fone%3Fa%3D1", "/c/one?a=1"},
			SignInPath + "?token=" + testToken: {"", ""},
		} {
			r := get(t, target)
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			w := answered(t, g, r)
			if c.stranger != "" && (w.Code != http.StatusSeeOther || w.Header().Get("Location") != c.stranger) || len(w.Result().Cookies()) != 0 {
				t.Fatalf("%s: %d %v", target, w.Code, w.Header())
			}
			r = get(t, target)
			r.AddCookie(in.Result().Cookies()[0])
			if w := answered(t, g, r); c.mine != "" && w.Header().Get("Location") != c.mine {
				t.Fatalf("%s, signed in: %d %v", target, w.Code, w.Header())
			}
		}
	}
	if w := answered(t, g, form(t, "the-first-wrong-one", "/")); w.Code != http.StatusUnauthorized {
		t.Errorf("visits were counted as guesses: %d", w.Code)
	}
	if strings.Contains(log.String(), testToken) {
		t.Errorf("the token is in the log: %s", &log)
	}
}

func TestTokenInAddress_ASessionMakesALinkForAnotherBrowser(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	g := newGuard(t, Options{Now: func() time.Time { return now }, IdleExpiry: 100 * time.Hour, Expiry: 10 * time.Hour})
	mine := answered(t, g, form(t, testToken, "/")).Result().Cookies()[0]
	ask := func(change ...func(*http.Request)) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, LinkPath, nil)
		r.Host = "127.0.0.1:8080"
		r.Header.Set("Accept", "text/html")
		r.Header.Set("Origin", "http://127.0.0.1:8080")
		r.AddCookie(mine)
		for _, c := range change {
			c(r)
		}
		return answered(t, g, r)
	}
	for what, c := range map[string]struct {
		change func(*http.Request)
		code   int
	}{
		"by GET":       {func(r *http.Request) { r.Method = http.MethodGet }, 405},
		"another site": {func(r *http.Request) { r.Header.Set("Origin", "http://evil.test") }, 403},
		"no origin":    {func(r *http.Request) { r.Header.Del("Origin") }, 403},
		"no session":   {func(r *http.Request) { r.Header.Del("Cookie") }, 401},
	} {
		if w := ask(c.change); w.Code != c.code || strings.Contains(w.Body.String(), "?code=") {
			t.Errorf("%s: %d %s", what, w.Code, w.Body)
		}
	}
	if w := answered(t, g, signedIn(get(t, SignInPath), mine)); w.Code != 200 || !strings.Contains(w.Body.String(), LinkPath) || strings.Contains(w.Body.String(), `name="token"`) {
		t.Errorf("the sign-in page of somebody who is signed in: %d %s", w.Code, w.Body)
	}
	if w := answered(t, g, signedIn(get(t, SignInPath+"?next=%2Flearn"), mine)); w.Code != 303 || w.Header().Get("Location") != "/learn" {
		t.Errorf("somebody who is signed in already is led to %d %q", w.Code, w.Header().Get("Location"))
	}
	now = now.Add(6 * time.Hour)
	made := ask()
	_, rest, found := strings.Cut(made.Body.String(), "<code>")
	l, _, _ := strings.Cut(rest, "</code>")
	if made.Code != http.StatusOK || !found || made.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", made.Code, made.Body)
	}
	theirs := visit(t, g, l).Result().Cookies()
	if len(theirs) != 1 {
		t.Fatal("the link signs nobody in")
	}
	// Both sessions end together: links that make links must not go on for ever.
	for _, c := range []struct {
		after time.Duration
		code  int
	}{{3 * time.Hour, 204}, {2 * time.Hour, 401}} {
		now = now.Add(c.after)
		if w := answered(t, g, signedIn(get(t, "/learn"), theirs[0])); w.Code != c.code {
			t.Errorf("after %s more: %d", c.after, w.Code)
		}
	}
}

func signedIn(r *http.Request, cookie *http.Cookie) *http.Request {
	r.AddCookie(cookie)
	return r
}
