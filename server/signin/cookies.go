package signin

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/server/seal"
)

// A session's cookies are named after its id, and one more cookie, the marker, says which session counts in this browser. Only signing in sets
// the marker, and only signing out deletes it. Every other response sets or deletes cookies of the session that its request had. So a response
// that arrives late neither brings the former reader back nor signs the next one out (threat: former reader).
const (
	markerName  = "fieldmark-session"
	sessionName = "fieldmark-s-" // the id, without person-, follows
	idPrefix    = "person-"
)

// ids are the ids of sessions, without their prefix.
var ids = regexp.MustCompile(`^[A-Za-z0-9_-]{16}$`)

// ownJar has the cookies of one session.
func (d *Door) ownJar(id string) seal.Jar {
	j := d.session
	j.Name = sessionName + strings.TrimPrefix(id, idPrefix)
	return j
}

// marked is the id of the session that counts in the browser of a request; empty: none.
func (d *Door) marked(r *http.Request) string {
	all := r.CookiesNamed(seal.CookieName(markerName, d.session.Secure))
	if len(all) != 1 || !ids.MatchString(all[0].Value) {
		return ""
	}
	return idPrefix + all[0].Value
}

// setSessionCookies gives a session that has just begun to the browser. The marker comes first: a request that leaves while the browser takes the
// cookies then lacks a session, and its response doesn't delete the new one's as another's.
func (d *Door) setSessionCookies(w http.ResponseWriter, r *http.Request, id string, parts seal.Parts) {
	d.mark(w, strings.TrimPrefix(id, idPrefix), int(d.session.MaxAge.Seconds()))
	d.ownJar(id).Set(w, r, parts)
	d.forgetOthers(w, r, id)
}

// clearSessionCookies takes every session from the browser.
func (d *Door) clearSessionCookies(w http.ResponseWriter, r *http.Request) {
	if len(r.CookiesNamed(seal.CookieName(markerName, d.session.Secure))) > 0 {
		d.mark(w, "", -1)
	}
	d.forgetOthers(w, r, "")
}

func (d *Door) mark(w http.ResponseWriter, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: seal.CookieName(markerName, d.session.Secure), Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: d.session.Secure, SameSite: d.session.SameSite,
	})
}

// forgetOthers deletes the cookies of all sessions but one; empty: of all. Late responses leave such cookies.
func (d *Door) forgetOthers(w http.ResponseWriter, r *http.Request, id string) {
	own := seal.CookieName(d.ownJar(id).Name, d.session.Secure) + "-"
	d.forget(w, slices.DeleteFunc(d.cookieNames(r, sessionName), func(name string) bool { return id != "" && strings.HasPrefix(name, own) }))
}

// cookieNames are the names of the request's cookies that begin with a prefix.
func (d *Door) cookieNames(r *http.Request, prefix string) (names []string) {
	for _, c := range r.Cookies() {
		if strings.HasPrefix(c.Name, seal.CookieName(prefix, d.session.Secure)) {
			names = append(names, c.Name)
		}
	}
	return names
}

func (d *Door) forget(w http.ResponseWriter, names []string) {
	for _, name := range names {
		http.SetCookie(w, &http.Cookie{Name: name, Path: "/", MaxAge: -1, HttpOnly: true, Secure: d.session.Secure, SameSite: http.SameSiteLaxMode})
	}
}
