package signin

import (
	"encoding/base64"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/seal"
)

// BenchmarkWho measures what signing in adds to each request of a browser: opening the cookies of a session with an id_token of 6 KiB and
// 200 groups.
func BenchmarkWho(b *testing.B) {
	sealer, err := seal.New(seal.Options{}, testKey)
	if err != nil {
		b.Fatal(err)
	}
	d := &Door{Config: Config{Idle: time.Hour, Expiry: time.Hour, Now: time.Now, Clusters: []Cluster{{Slug: "first", Issuer: "one"}}}}
	d.clusters = map[string]Cluster{"first": d.Clusters[0]}
	d.memory = newMemory(Config{Now: time.Now, Idle: time.Hour, Expiry: time.Hour, MaxSessions: 10, SessionEnded: func(string) {}})
	d.session = seal.Jar{Sealer: sealer, Purpose: "session", Name: sessionName, Secure: true, MaxAge: time.Hour}
	now := time.Now()
	s := &session{ID: idPrefix + "AAAAAAAAAAAAAAAA", Opened: now.UnixMilli(), Used: now.UnixMilli(), FirstLogin: "one", Logins: map[string]issuer.Tokens{
		"one": {Token: noise(6 << 10), Subject: "ada", Name: "ada", Groups: fillers(200), Issued: now, Expires: now.Add(time.Hour)},
	}}
	parts, err := d.pack(s)
	if err != nil {
		b.Fatal(err)
	}
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/c/first/x", nil)
	w := httptest.NewRecorder()
	d.setSessionCookies(w, r, s.ID, parts)
	for _, c := range w.Result().Cookies() {
		r.AddCookie(c)
	}
	for b.Loop() {
		if got, no := d.byCookie(httptest.NewRecorder(), r); no.Code != 0 || got.Person.Name != "ada" {
			b.Fatal(no.Words)
		}
	}
}

// noise is text of so many bytes that compression can't shorten much, like a token.
func noise(size int) string {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	return base64.RawURLEncoding.EncodeToString(b)[:size]
}
