package team

import (
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/dev/team/dex"
	"github.com/fieldmark/fieldmark/dev/team/replica"
)

const host = "127.0.0.1"

// sessionCookies are those that hold the session, and the marker that says which session counts, which is the last by name. The session has at
// least as many as asked for, because a person with many groups has a long token.
func (v *visitor) sessionCookies(t *testing.T, least int) map[string]*http.Cookie {
	t.Helper()
	found := v.Jar.Named(host, "fieldmark")
	if len(found) < least+1 {
		t.Fatalf("%d cookies: %v", len(found), slices.Sorted(maps.Keys(found)))
	}
	return found
}

// TestCookiesThatDontBelongTogether: cookies of two people, or changed ones, open no session, at no replica.
func TestCookiesThatDontBelongTogether(t *testing.T) {
	s := onStage(t)
	many := make([]string, 200)
	for i := range many {
		many[i] = rand.Text() // what repeats would be compressed
	}
	for _, p := range []dex.Person{ada, ben} {
		if err := s.Dex.Regroup(t.Context(), p, append(slices.Clone(p.Groups), many...)...); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Dex.Regroup(context.Background(), p, p.Groups...) })
	}
	of, other := s.visit(t, ada, "/"), s.visit(t, ben, "/")
	good, foreign := of.sessionCookies(t, 2), other.sessionCookies(t, 2)
	names := slices.Sorted(maps.Keys(good))
	first, second, marker := names[0], names[1], names[len(names)-1]
	theirs := slices.Sorted(maps.Keys(foreign))
	for what, change := range map[string]func(map[string]*http.Cookie){
		"cut off":               func(c map[string]*http.Cookie) { c[second].Value = c[second].Value[:len(c[second].Value)-1] },
		"a part is missing":     func(c map[string]*http.Cookie) { delete(c, second) },
		"another order":         func(c map[string]*http.Cookie) { c[first].Value, c[second].Value = c[second].Value, c[first].Value },
		"a part of another":     func(c map[string]*http.Cookie) { c[second].Value = foreign[theirs[1]].Value },
		"the marker of another": func(c map[string]*http.Cookie) { c[marker].Value = foreign[theirs[len(theirs)-1]].Value },
		"the name of another":   func(c map[string]*http.Cookie) { c[first].Name, c[second].Name = theirs[0], theirs[1] },
		"one letter is changed": func(c map[string]*http.Cookie) { c[first].Value = changed(c[first].Value) },
	} {
		cookies := of.sessionCookies(t, 2)
		change(cookies)
		for range s.Replicas {
			thief := *of
			thief.Browser = of.Twin(host, cookies)
			if got := thief.status(t, http.MethodGet, secretsA, ""); got != http.StatusUnauthorized {
				t.Errorf("%s: %d", what, got)
			}
		}
	}
	if got := of.status(t, http.MethodGet, secretsA, ""); got != http.StatusOK {
		t.Errorf("the person's own cookies: %d", got)
	}
}

// changed is text with another letter in the middle.
func changed(text string) string {
	b := []byte(text)
	middle := len(b) / 2
	if b[middle]++; b[middle] == '{' || b[middle] == '[' || b[middle] == ':' {
		b[middle] = 'A'
	}
	return string(b)
}

// TestAnotherSessionKey: replicas with the old key beside the new one open the sessions from before. Without the old key, those are over.
func TestAnotherSessionKey(t *testing.T) {
	s := onStage(t)
	v := s.visit(t, fay, "/")
	before, old := v.sessionCookies(t, 1), s.Keys
	fresh, err := replica.Key(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Keys = old
		s.Proxy.Lead(s.Addresses()...)
	})
	for _, c := range []struct {
		what string
		keys []string
		want int
	}{
		{"the old key beside the new one", append([]string{fresh}, old...), http.StatusOK},
		{"the new key alone", []string{fresh}, http.StatusUnauthorized},
	} {
		s.Keys = c.keys
		r, err := s.Another(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Kill)
		s.Proxy.Lead(r.Address)
		twin := *v
		twin.Browser = v.Twin(host, before)
		if got := twin.status(t, http.MethodGet, secretsA, ""); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}
