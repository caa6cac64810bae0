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

// browser finds the session of a request's cookie. Another program on this host may have set a cookie of the same
// name for a narrower path, so all of them are tried.
func (l *launch) browser(r *http.Request) (id, cookie string, ok bool) {
	for _, c := range r.CookiesNamed(l.cookie) {
		if id, ok := l.sessions.findSession(c.Value); ok {
			return id, c.Value, true
		}
	}
	return "", "", false
}

// isVisit tells whether the request is for a one-visit link.
func (l *launch) isVisit(r *http.Request) bool {
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
func (l *launch) visit(w http.ResponseWriter, r *http.Request) {
	// Only a visit of the page itself may use up the code, not an image on a page of another site.
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" && (mode != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document") {
		l.deny(w, r, refuse(http.StatusForbidden, "Pages of other sites can't load this address."))
		return
	}
	granted, good := l.codes.redeemCode(r.URL.Query().Get(codeParameter))
	_, _, signedIn := l.browser(r)
	switch {
	case signedIn && good:
		redirect(w, granted.there)
	case signedIn:
		redirect(w, "/")
	case !good:
		l.deny(w, r, refuse(http.StatusUnauthorized, "This link no longer works. A link signs in one browser once, and only within 5 minutes. Sign in with the launch token instead."))
	default:
		l.openSession(w, r, granted.since, granted.there)
	}
}

// dropToken redirects to the sign-in form, or to the page itself if the browser is signed in. It doesn't look at the token: a page of
// another site can lead here, and must not be able to make guesses.
func (l *launch) dropToken(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	query.Del(tokenParameter)
	there := ownPath((&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: query.Encode()}).RequestURI())
	if _, _, ok := l.browser(r); ok {
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

// openSession opens a session that counts as opened at since, and redirects.
func (l *launch) openSession(w http.ResponseWriter, r *http.Request, since time.Time, there string) {
	if no := l.setCookie(w, since); no.yes() {
		l.deny(w, r, no)
		return
	}
	redirect(w, there)
}

// setCookie opens a session. The cookie's name contains the port, because cookies apply to all ports of a host. Otherwise two
// Fieldmarks on one host would sign each other out.
func (l *launch) setCookie(w http.ResponseWriter, since time.Time) Refusal {
	value, err := l.sessions.openSession(since)
	if err != nil {
		l.opt.Log.Error("no session could be opened", "error", err)
		return refuse(http.StatusInternalServerError, "Fieldmark can't start a session.")
	}
	http.SetCookie(w, l.newCookie(value, int(l.opt.Expiry.Seconds())))
	return Refusal{}
}

func (l *launch) newCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: l.cookie, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
}

// signIn shows the form, and takes the token that was pasted into it.
func (l *launch) signIn(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		_, _, signedIn := l.browser(r)
		if there := l.pathAfterSignIn(r); signedIn && there != "/" {
			redirect(w, there)
			return
		}
		if signedIn {
			l.page(w, Notice{Status: http.StatusOK, Title: "Signed in", Words: "This browser is signed in. To sign in another browser, make a link.", Share: true, Links: []Link{{Text: "Tokens for programs", Href: ProgramsPath}}})
			return
		}
		l.show(w, r, http.StatusOK, "Enter the launch token.")
	case http.MethodPost:
		l.takeToken(w, r)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		l.deny(w, r, refuse(http.StatusMethodNotAllowed, "This address accepts only GET, HEAD and POST."))
	}
}

// maxForm bounds the sign-in form in bytes: a token, an address with every character escaped, and what browsers add.
const maxForm = 4<<10 + 3*maxNext

func (l *launch) takeToken(w http.ResponseWriter, r *http.Request) {
	no := l.provenOwn(r)
	if !no.yes() {
		no = readForm(w, r)
	}
	if !no.yes() {
		no = l.try(r, strings.TrimSpace(r.PostFormValue(tokenParameter)))
	}
	if no.yes() {
		l.deny(w, r, no)
		return
	}
	l.openSession(w, r, l.opt.Now(), l.pathAfterSignIn(r))
}

// makeLink makes a one-visit link for another browser. It needs a browser that is signed in.
func (l *launch) makeLink(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		l.deny(w, r, refuse(http.StatusMethodNotAllowed, "This address accepts only POST."))
		return
	}
	_, cookie, ok := l.browser(r)
	if !ok {
		l.deny(w, r, refuse(http.StatusUnauthorized, notSignedIn))
		return
	}
	if no := l.provenOwn(r); no.yes() {
		l.deny(w, r, no)
		return
	}
	link, err := l.link(l.sessions.since(cookie), "/")
	if err != nil {
		l.opt.Log.Error("no link could be made", "error", err)
		l.deny(w, r, refuse(http.StatusInternalServerError, "Fieldmark can't make a link."))
		return
	}
	l.page(w, Notice{Status: http.StatusOK, Title: "Sign in another browser", Words: "Open this link in the other browser. It works once, and only within 5 minutes.", Link: link})
}

// readForm reads the form. A form that does not arrive doesn't count as a wrong token.
func readForm(w http.ResponseWriter, r *http.Request) Refusal {
	if r.ContentLength > maxForm {
		return notIn(&http.MaxBytesError{Limit: maxForm})
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return notIn(err)
	}
	return Refusal{}
}

// signOut ends the session.
func (l *launch) signOut(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		l.deny(w, r, refuse(http.StatusMethodNotAllowed, "This address accepts only POST."))
		return
	}
	if no := l.provenOwn(r); no.yes() {
		l.deny(w, r, no)
		return
	}
	if _, cookie, ok := l.browser(r); ok {
		l.sessions.close(cookie)
	}
	http.SetCookie(w, l.newCookie("", -1))
	redirect(w, SignInPath)
}
