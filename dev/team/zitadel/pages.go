package zitadel

import (
	"context"
	"crypto/rand"
	"html/template"
	"net/http"
)

// pages are those that the library leaves to others: the form with name and password. A browser that has signed in isn't asked again until it signs
// out.
type pages struct {
	store *store
	back  func(context.Context, string) string
}

// cookie has the id of a browser's session at the issuer.
const cookie = "__Host-issuer"

var form = template.Must(template.New("form").Parse(`<!doctype html>
<form method="post" action="/login?id={{.}}"><input name="login"><input name="password" type="password"></form>`))

// form asks who somebody is, unless the browser is signed in.
func (p *pages) form(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	if user := p.store.userOf(sessionOf(r.Context())); user != "" {
		p.arrive(w, r, id, user)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = form.Execute(w, id)
}

// login takes the form.
func (p *pages) login(w http.ResponseWriter, r *http.Request) {
	user := p.store.check(r.PostFormValue("login"), r.PostFormValue("password"))
	if user == "" {
		http.Error(w, "This name and this password don't belong together.", http.StatusForbidden)
		return
	}
	session := rand.Text()
	p.store.openSession(session, user)
	http.SetCookie(w, &http.Cookie{Name: cookie, Value: session, Path: "/", Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	p.arrive(w, r, r.URL.Query().Get("id"), user)
}

// arrive leads back to the library.
func (p *pages) arrive(w http.ResponseWriter, r *http.Request, id, user string) {
	if !p.store.done(id, user) {
		http.Error(w, "There is no such sign-in.", http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, p.back(r.Context(), id), http.StatusFound)
}

type sessionKey struct{}

// known notes the browser's session in the context of each request, because the library doesn't give requests to its storage.
func (p *pages) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie(cookie); err == nil {
			r = r.WithContext(context.WithValue(r.Context(), sessionKey{}, c.Value))
		}
		next.ServeHTTP(w, r)
	})
}

// sessionOf is the browser's session; empty: it has none.
func sessionOf(ctx context.Context) string {
	id, _ := ctx.Value(sessionKey{}).(string)
	return id
}
