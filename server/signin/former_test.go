package signin

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer/issuertest"
)

// late is a request with a browser's cookies of now, to the replica of now. Its response comes when it is let through.
type late struct {
	b    *browser
	hold chan struct{}
	over chan *httptest.ResponseRecorder
}

// held sends a request that waits for a renewal at an issuer.
func held(p *place, b *browser) *late {
	b.t.Helper()
	l := &late{b, make(chan struct{}), make(chan *httptest.ResponseRecorder, 1)}
	calls := p.one.Calls("/token")
	p.one.Set(func(b *issuertest.Behaviour) { b.Hold = l.hold })
	former := p.copyOf(b)
	former.at = &place{handler: p.handler}
	go func() { l.over <- former.quietly("/c/first/x") }()
	for deadline := time.Now().Add(time.Minute); p.one.Calls("/token") == calls; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatal("nothing is renewed")
		}
	}
	return l
}

// arrive lets the response come to the browser.
func (l *late) arrive() *httptest.ResponseRecorder {
	close(l.hold)
	w := <-l.over
	l.b.take(w)
	return w
}

// TestFormerReader_ALateResponseBringsNobodyBack: a request of a tab is on its way, to another replica than the one where the next person
// signs in, or where the person signs out. Its response has the renewed session of the former person, and comes last.
func TestFormerReader_ALateResponseBringsNobodyBack(t *testing.T) {
	for name, c := range map[string]struct {
		then func(p *place, b *browser)
		path string
		want string // who the browser is then; empty: nobody
	}{
		"somebody else signs in": {func(_ *place, b *browser) { b.get(b.signIn("second", "/")) }, "/c/second/x", "ben"},
		"the person signs in for another cluster": {func(p *place, b *browser) {
			p.two.Set(func(b *issuertest.Behaviour) { b.Subject = "ada" })
			b.get(b.signIn("second", "/"))
		}, "/c/first/x", "ada"},
		"the person signs out": {func(p *place, b *browser) {
			p.one.Set(func(b *issuertest.Behaviour) { b.RevocationStatus = 400 }) // or the renewal fails
			b.post(guard.SignOutPath, "same-origin", nil)
		}, "/c/first/x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, b := signedIn(t, nil)
			p.two.Set(func(b *issuertest.Behaviour) { b.Subject = "ben" })
			here := p.handler
			p.clock.forward(100 * time.Second)
			p.replica(t, nil)
			l := held(p, b)
			p.handler = here
			c.then(p, b)
			if w := l.arrive(); w.Code != http.StatusOK || len(w.Result().Cookies()) == 0 {
				t.Fatalf("the late response is %d with %d cookies", w.Code, len(w.Result().Cookies()))
			}
			w := b.get(c.path)
			if c.want == "" && w.Code != http.StatusUnauthorized {
				t.Errorf("somebody is signed in again: %s", words(w))
			}
			if c.want != "" && (w.Code != http.StatusOK || decode(t, w.Body).Name != c.want) {
				t.Errorf("%d, not %s: %s", w.Code, c.want, words(w))
			}
			count := len(b.cookies)
			if b.get(c.path); len(b.cookies) != count || c.want == "" && count != 0 {
				t.Errorf("%d cookies, then %d: the former ones stay", count, len(b.cookies))
			}
		})
	}
}

// TestFormerReader_ALateRefusalSignsNobodyOut: the replica ends a session as soon as somebody else signs in, so a tab of the former person may
// be refused before the browser has the new cookies, and its response may come after these.
func TestFormerReader_ALateRefusalSignsNobodyOut(t *testing.T) {
	p, b := signedIn(t, nil)
	p.two.Set(func(b *issuertest.Behaviour) { b.Subject = "ben" })
	former := p.copyOf(b)
	b.get(b.signIn("second", "/"))
	w := former.quietly("/c/first/x")
	check(t, "the former person", w, http.StatusUnauthorized, "has ended")
	b.take(w)
	if s := b.who("/c/second/x"); s.Name != "ben" {
		t.Errorf("%+v", s)
	}
}

// TestForgedCookie_WhatTheMarkerNames: the marker chooses among the sessions of this browser, and opens none.
func TestForgedCookie_WhatTheMarkerNames(t *testing.T) {
	p := open(t, nil)
	ada, ben := p.browser(t), p.browser(t)
	ada.signIn("first", "/")
	ben.signIn("first", "/")
	const marker = "__Host-" + markerName
	for name, value := range map[string]string{
		"a session of another browser": ben.cookies[marker].Value,
		"nothing":                      "",
		"too long":                     ada.cookies[marker].Value + "x",
		"no name of a cookie":          "../../../../../x",
	} {
		b := p.copyOf(ada)
		b.cookies[marker] = &http.Cookie{Name: marker, Value: value, SameSite: http.SameSiteStrictMode}
		check(t, name, b.get("/c/first/x"), http.StatusUnauthorized, "Sign in")
		if len(b.session()) != 0 {
			t.Errorf("%s: %q stay", name, b.session())
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, c := range []*http.Cookie{ada.cookies[marker], ben.cookies[marker]} {
		r.AddCookie(&http.Cookie{Name: marker, Value: c.Value})
	}
	if id := p.door.marked(r); id != "" {
		t.Errorf("of two markers, %q counts", id)
	}
}

// TestFormerReader_ARequestWhileTheCookiesArrive: browsers may take the cookies of a response one by one, and send requests in between. No response
// to these may take the new session away.
func TestFormerReader_ARequestWhileTheCookiesArrive(t *testing.T) {
	p, b := signedIn(t, nil)
	p.two.Set(func(b *issuertest.Behaviour) { b.Subject = "ben" })
	there := b.signIn("second", "/")
	before := p.copyOf(b)
	fresh := b.get(there).Result().Cookies()
	for arrived := range fresh {
		between := p.copyOf(before)
		for _, c := range fresh[:arrived] {
			between.cookies[c.Name] = c
		}
		late := between.quietly("/c/second/x")
		after := p.copyOf(b)
		after.take(late)
		if s := after.who("/c/second/x"); s.Name != "ben" {
			t.Errorf("after %d of %d cookies: %+v", arrived, len(fresh), s)
		}
	}
}
