package guard

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Where the guard's own handlers are.
const (
	SignInPath  = "/-/sign-in"
	SignOutPath = "/-/sign-out"
	LinkPath    = "/-/sign-in-link"
)

// Parameters of the guard's own handlers.
const (
	codeParameter  = "code"  // in the query of a one-visit link
	tokenParameter = "token" // in the sign-in form: the launch token
	nextParameter  = "next"  // in the sign-in form and the query of its page: where to go afterwards
)

const notSignedIn = "You are not signed in. Open the link that Fieldmark printed when it started, or sign in with the launch token. " +
	"Programs send the token as a Bearer token in the Authorization header."

// identify finds the session of a request, by its token or its cookie.
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
	return Session{}, refuse(http.StatusUnauthorized, notSignedIn)
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

// isVisit tells whether the request is for a one-visit link.
func (g *Guard) isVisit(r *http.Request) bool {
	return r.URL.Path == "/" && isPageWith(r, codeParameter)
}

// holdsToken tells whether a request for a page has a token in its query. Older versions printed such links, and people still have some.
func holdsToken(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, clusters) || r.URL.Path == "/socket" {
		return false
	}
	return isPageWith(r, tokenParameter)
}

func isPageWith(r *http.Request, parameter string) bool {
	if r.Method != http.MethodGet || r.URL.RawQuery == "" || r.Header.Get("Upgrade") != "" {
		return false
	}
	return strings.Contains(r.URL.RawQuery, parameter+"=") && r.URL.Query().Has(parameter)
}

// visit exchanges the code in the URL for a cookie, and redirects to a URL without it.
func (g *Guard) visit(w http.ResponseWriter, r *http.Request) {
	// Only a visit of the page itself may use up the code, not an image on a page of another site.
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" && (mode != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document") {
		g.deny(w, r, refuse(http.StatusForbidden, "Pages of other sites can't load this address."))
		return
	}
	granted, good := g.codes.take(r.URL.Query().Get(codeParameter))
	_, _, signedIn := g.browser(r)
	switch {
	case signedIn && good:
		redirect(w, granted.there)
	case signedIn:
		redirect(w, "/")
	case !good:
		g.deny(w, r, refuse(http.StatusUnauthorized, "This link no longer works. A link signs in one browser once, and only within 5 minutes. Sign in with the launch token instead."))
	default:
		g.open(w, r, granted.since, granted.there)
	}
}

// dropToken redirects to the sign-in form, or to the page itself if the browser is signed in. It doesn't look at the token: a page of
// another site can lead here, and must not be able to make guesses.
func (g *Guard) dropToken(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	query.Del(tokenParameter)
	there := ownPath((&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: query.Encode()}).RequestURI())
	if _, _, ok := g.browser(r); ok {
		redirect(w, there)
		return
	}
	if there == "/" || r.URL.Path == SignInPath {
		redirect(w, SignInPath)
		return
	}
	redirect(w, SignInPath+"?"+url.Values{nextParameter: {there}}.Encode())
}

// redirect responds with 303. there must be a path of this server: a constant, or a result of ownPath.
func redirect(w http.ResponseWriter, there string) {
	w.Header().Set("Location", there)
	w.WriteHeader(http.StatusSeeOther)
}

// open opens a session that counts as opened at since, and redirects.
func (g *Guard) open(w http.ResponseWriter, r *http.Request, since time.Time, there string) {
	if no := g.setCookie(w, since); no.yes() {
		g.deny(w, r, no)
		return
	}
	redirect(w, there)
}

// setCookie opens a session. The cookie's name contains the port, because cookies apply to all ports of a host. Otherwise two
// Fieldmarks on one host would sign each other out.
func (g *Guard) setCookie(w http.ResponseWriter, since time.Time) refusal {
	value, err := g.sessions.open(since)
	if err != nil {
		g.opt.Log.Error("no session could be opened", "error", err)
		return refuse(http.StatusInternalServerError, "Fieldmark can't start a session.")
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
		_, _, signedIn := g.browser(r)
		if there := g.next(r); signedIn && there != "/" {
			redirect(w, there)
			return
		}
		if signedIn {
			g.page(w, Notice{Status: http.StatusOK, Title: "Signed in", Words: "This browser is signed in. To sign in another browser, make a link.", Share: true})
			return
		}
		g.show(w, r, http.StatusOK, "Enter the launch token.")
	case http.MethodPost:
		g.takeToken(w, r)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		g.deny(w, r, refuse(http.StatusMethodNotAllowed, "This address accepts only GET, HEAD and POST."))
	}
}

// maxForm bounds the sign-in form in bytes: a token, an address with every character escaped, and what browsers add.
const maxForm = 4<<10 + 3*maxNext

func (g *Guard) takeToken(w http.ResponseWriter, r *http.Request) {
	no := g.provenOwn(r)
	if !no.yes() {
		no = readForm(w, r)
	}
	if !no.yes() {
		no = g.try(r, strings.TrimSpace(r.PostFormValue(tokenParameter)))
	}
	if no.yes() {
		g.deny(w, r, no)
		return
	}
	g.open(w, r, g.opt.Now(), g.next(r))
}

// makeLink makes a one-visit link for another browser. It needs a browser that is signed in.
func (g *Guard) makeLink(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		g.deny(w, r, refuse(http.StatusMethodNotAllowed, "This address accepts only POST."))
		return
	}
	_, cookie, ok := g.browser(r)
	if !ok {
		g.deny(w, r, refuse(http.StatusUnauthorized, notSignedIn))
		return
	}
	if no := g.provenOwn(r); no.yes() {
		g.deny(w, r, no)
		return
	}
	link, err := g.link(g.sessions.since(cookie), "/")
	if err != nil {
		g.opt.Log.Error("no link could be made", "error", err)
		g.deny(w, r, refuse(http.StatusInternalServerError, "Fieldmark can't make a link."))
		return
	}
	g.page(w, Notice{Status: http.StatusOK, Title: "Sign in another browser", Words: "Open this link in the other browser. It works once, and only within 5 minutes.", Link: link})
}

// readForm reads the form. A form that does not arrive doesn't count as a wrong token.
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
		g.deny(w, r, refuse(http.StatusMethodNotAllowed, "This address accepts only POST."))
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
