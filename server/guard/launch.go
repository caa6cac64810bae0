package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
)

// launch is the door of local mode: whoever has the launch token is its user. Browsers exchange the token, or a code from a link, for a
// cookie.
type launch struct {
	*Guard
	cookie   string // its name
	token    [sha256.Size]byte
	bearer   Session
	sessions *sessions
	codes    *codes
	failures *failures
}

// newLaunch refuses a token that could be guessed.
func newLaunch(g *Guard, cookie string) (*launch, error) {
	opt := g.opt
	if len(opt.Token) < minToken {
		return nil, errors.New("the launch token is too short: it needs at least 16 characters")
	}
	id := sha256.Sum256([]byte("bearer " + opt.Token))
	return &launch{
		Guard: g, cookie: cookie, token: sha256.Sum256([]byte(opt.Token)), failures: newFailures(opt.Now),
		bearer:   Session{ID: "client-" + hex.EncodeToString(id[:6]), Kind: Bearer},
		sessions: newSessions(opt), codes: newCodes(opt),
	}, nil
}

// Who finds the session of a request, by its token or its cookie.
func (l *launch) Who(_ http.ResponseWriter, r *http.Request) (Session, Refusal) {
	if token, given := bearerToken(r); given {
		if no := l.try(r, token); no.yes() {
			return Session{}, no
		}
		return l.bearer, Refusal{}
	}
	if id, _, ok := l.browser(r); ok {
		return Session{ID: id, Kind: Cookie}, Refusal{}
	}
	return Session{}, refuse(http.StatusUnauthorized, notSignedIn)
}

// Own has the sign-in form, signing out, and links for one visit.
func (l *launch) Own(r *http.Request) http.Handler {
	switch {
	case r.URL.Path == SignInPath:
		return http.HandlerFunc(l.signIn)
	case r.URL.Path == SignOutPath:
		return http.HandlerFunc(l.signOut)
	case r.URL.Path == LinkPath:
		return http.HandlerFunc(l.makeLink)
	case l.isVisit(r):
		return http.HandlerFunc(l.visit)
	case holdsToken(r):
		return http.HandlerFunc(l.dropToken)
	}
	return nil
}

// Invite shows the form where signing in helps.
func (l *launch) Invite(r *http.Request, n *Notice) {
	n.Form = n.Status == http.StatusUnauthorized || r.URL.Path == SignInPath && n.Status != http.StatusInternalServerError
	n.SignIn = !n.Form && n.Status == http.StatusForbidden
	if n.Form {
		n.Next = l.pathAfterSignIn(r)
	}
	if n.Status == http.StatusUnauthorized && r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Method == http.MethodGet && !l.isVisit(r) {
		n.Again = r.URL.RequestURI()
	}
}

// Sweep ends the sessions that have expired.
func (l *launch) Sweep() { l.sessions.sweep() }
