package guard

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
)

// Where the guard's own handlers are.
const (
	SignInPath  = "/-/sign-in"
	SignOutPath = "/-/sign-out"
)

// tokenParameter carries the launch token in the one URL that is printed at the start.
const tokenParameter = "token"

// visit remembers that the token was used in a URL: URLs end up in histories and logs, so it is good for one
// visit only (case 16). As a Bearer token, and in the sign-in form, the token stays good.
type visit struct{ used atomic.Bool }

// identify finds out who is asking.
func (g *Guard) identify(r *http.Request) (Session, refusal) {
	if token, given := bearerToken(r); given {
		if no := g.try(r, token); no.yes() {
			return Session{}, no
		}
		return g.bearer, refusal{}
	}
	if id, _, ok := g.browser(r); ok {
		return Session{ID: id, Kind: Cookie}, refusal{}
	}
	return Session{}, refuse(http.StatusUnauthorized, "You are not signed in. Open the URL that Fieldmark printed when it started, or sign in with its launch token; programs send the token as a Bearer token.")
}

// browser finds the session of a request's cookie. Another program on this host may have set a cookie of the same
// name for a narrower path, so all of them are tried.
func (g *Guard) browser(r *http.Request) (id, cookie string, ok bool) {
	for _, c := range r.CookiesNamed(g.cookie) {
		if id, ok := g.sessions.find(c.Value); ok {
			return id, c.Value, true
		}
	}
	return "", "", false
}

// isVisit tells a page request with a token in its query.
func (g *Guard) isVisit(r *http.Request) bool {
	if r.Method != http.MethodGet || r.URL.RawQuery == "" || r.Header.Get("Upgrade") != "" {
		return false
	}
	if strings.HasPrefix(r.URL.Path, clusters) || r.URL.Path == "/socket" {
		return false
	}
	return strings.Contains(r.URL.RawQuery, tokenParameter+"=") && r.URL.Query().Has(tokenParameter)
}

// firstVisit exchanges the token in the URL for a cookie, and redirects to the URL without it.
func (g *Guard) firstVisit(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	token := query.Get(tokenParameter)
	query.Del(tokenParameter)
	there := (&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: query.Encode()}).RequestURI()
	if _, _, ok := g.browser(r); ok {
		redirect(w, there)
		return
	}
	if no := g.visitRefused(r, token); no.yes() {
		g.deny(w, r, no)
		return
	}
	if no := g.setCookie(w); no.yes() {
		g.deny(w, r, no)
		return
	}
	redirect(w, there)
}

func (g *Guard) visitRefused(r *http.Request, token string) refusal {
	// A foreign page could try tokens, or use up our patience, with images and the like; only a person's visit counts.
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" && (mode != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document") {
		return refuse(http.StatusForbidden, "Another site's page may not load this.")
	}
	if no := g.try(r, token); no.yes() {
		return no
	}
	if g.visit.used.Swap(true) {
		return refuse(http.StatusForbidden, "This URL was used already, and it is good for one visit. Sign in with the launch token instead.")
	}
	return refusal{}
}

// redirect answers 303 with a path of our own. pathShape has seen to it that it does not start with two slashes,
// which would lead elsewhere.
func redirect(w http.ResponseWriter, there string) {
	w.Header().Set("Location", there)
	w.WriteHeader(http.StatusSeeOther)
}

// setCookie opens a session. The cookie has the port in its name, for cookies know hosts only: two Fieldmarks on one
// host must not sign each other out.
func (g *Guard) setCookie(w http.ResponseWriter) refusal {
	value, err := g.sessions.open()
	if err != nil {
		g.opt.Log.Error("no session could be opened", "error", err)
		return refuse(http.StatusInternalServerError, "No session could be opened.")
	}
	http.SetCookie(w, g.newCookie(value, int(g.opt.Expiry.Seconds())))
	return refusal{}
}

func (g *Guard) newCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: g.cookie, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
}

// signIn shows the form, and takes the token that was pasted into it.
func (g *Guard) signIn(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		g.show(w, r, http.StatusOK, "Paste the launch token: it stands behind token= in the URL that Fieldmark printed when it started.")
	case http.MethodPost:
		g.takeToken(w, r)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		g.deny(w, r, refuse(http.StatusMethodNotAllowed, "This page is read with GET and sent with POST."))
	}
}

// maxForm is room for a token and what browsers add.
const maxForm = 4 << 10

func (g *Guard) takeToken(w http.ResponseWriter, r *http.Request) {
	no := g.provenOwn(r)
	if !no.yes() {
		no = readForm(w, r)
	}
	if !no.yes() {
		no = g.try(r, strings.TrimSpace(r.PostFormValue(tokenParameter)))
	}
	if !no.yes() {
		no = g.setCookie(w)
	}
	if no.yes() {
		g.deny(w, r, no)
		return
	}
	redirect(w, "/")
}

// readForm reads the form. One that does not arrive is no wrong token.
func readForm(w http.ResponseWriter, r *http.Request) refusal {
	if r.ContentLength > maxForm {
		return notIn(&http.MaxBytesError{Limit: maxForm})
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return notIn(err)
	}
	return refusal{}
}

// signOut ends the session.
func (g *Guard) signOut(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		g.deny(w, r, refuse(http.StatusMethodNotAllowed, "Signing out is done with POST."))
		return
	}
	if no := g.provenOwn(r); no.yes() {
		g.deny(w, r, no)
		return
	}
	if _, cookie, ok := g.browser(r); ok {
		g.sessions.close(cookie)
	}
	http.SetCookie(w, g.newCookie("", -1))
	redirect(w, SignInPath)
}
