package signin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/seal"
)

// login is a sign-in that has begun. It is in a cookie of its own, which browsers also send when the issuer leads back: SameSite=Lax.
type login struct {
	issuer.Attempt
	Issuer  string `json:"i"`
	Mark    string `json:"k"` // of the issuer
	Cluster string `json:"c"`
	Next    string `json:"t"`
	// Merge is the id of the session that the browser had, to which the sign-in adds a cluster; empty: none. The callback doesn't get the
	// session's cookies, because they are SameSite=Strict.
	Merge string `json:"m,omitempty"`
}

const (
	loginTime   = 10 * time.Minute // for one sign-in at the issuer
	pendingTime = 2 * time.Minute  // for the way from the callback to done
	maxLogins   = 4                // at once in one browser
	loginName   = "fieldmark-login-"
)

// loginJar has one cookie for each sign-in, so that two tabs don't disturb each other. Its name tells nothing of the state.
func (d *Door) loginJar(state string) seal.Jar {
	sum := sha256.Sum256([]byte(state))
	return d.jar(loginName+hex.EncodeToString(sum[:4]), "login", http.SameSiteLaxMode, loginTime)
}

// start leads to the issuer of a cluster. It is a GET, because the Content-Security-Policy forbids a form that leads to another site. So a page
// of another site that leads here only sees the sign-in page (threat: forged sign-in).
func (d *Door) start(w http.ResponseWriter, r *http.Request) {
	if !d.only(w, r, http.MethodGet) {
		return
	}
	next := guard.OwnPath(r.URL.Query().Get("next"))
	c, known := d.clusters[r.URL.Query().Get("cluster")]
	switch {
	case !ownNavigation(r):
		d.redirect(w, guard.SignInPath+"?"+url.Values{"next": {next}}.Encode())
	case !known || c.Issuer == "":
		d.guard.Deny(w, r, refuse(http.StatusNotFound, "There is no issuer for this cluster."))
	default:
		d.leadAway(w, r, c, next)
	}
}

// ownNavigation tells whether a page of ours, or the person, opened this address.
func ownNavigation(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return (site == "" || site == "same-origin" || site == "none") && navigation(r)
}

// navigation tells whether a browser opens this address as a page, and not as a part of one.
func navigation(r *http.Request) bool {
	mode, dest := r.Header.Get("Sec-Fetch-Mode"), r.Header.Get("Sec-Fetch-Dest")
	return (mode == "" || mode == "navigate") && (dest == "" || dest == "document")
}

// leadAway remembers the attempt in a cookie, and redirects to the issuer.
func (d *Door) leadAway(w http.ResponseWriter, r *http.Request, c Cluster, next string) {
	attempt, err := issuer.NewAttempt(d.Random)
	if err != nil {
		d.broken(w, r, err)
		return
	}
	address, err := d.issuers[c.Issuer].SignIn(r.Context(), attempt)
	if err != nil {
		d.failed(w, r, err)
		return
	}
	begun := login{Attempt: attempt, Issuer: c.Issuer, Mark: d.issuers[c.Issuer].Mark(), Cluster: c.Slug, Next: next}
	if s, no := d.readSession(r); no.Code == 0 && !d.over(s) {
		begun.Merge = s.ID
	}
	d.forgetLogins(w, r, maxLogins)
	if err := d.put(w, r, d.loginJar(attempt.State), begun); err != nil {
		d.broken(w, r, err)
		return
	}
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusSeeOther)
}

// put keeps a value in a browser's cookies.
func (d *Door) put(w http.ResponseWriter, r *http.Request, j seal.Jar, value any) error {
	content, err := json.Marshal(value)
	if err != nil {
		return err
	}
	parts, err := j.Pack(content)
	if err != nil {
		return err
	}
	j.Set(w, r, parts)
	return nil
}

// forgetLogins deletes the cookies of sign-ins that have begun, if there are at least so many.
func (d *Door) forgetLogins(w http.ResponseWriter, r *http.Request, most int) {
	if begun := d.cookieNames(r, loginName); len(begun) >= max(most, 1) {
		d.forget(w, begun)
	}
}

const foreignLogin = "This sign-in began in another browser, was used before, or is older than 10 minutes. Sign in again."

// callback takes the response of the issuer, which the browser brings.
func (d *Door) callback(w http.ResponseWriter, r *http.Request) {
	if !d.only(w, r, http.MethodGet) {
		return
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || doubled(query) || !navigation(r) {
		d.guard.Deny(w, r, refuse(http.StatusBadRequest, "This isn't the response of an issuer."))
		return
	}
	begun, ok := d.takeLogin(w, r, query.Get("state"))
	if !ok {
		d.guard.Deny(w, r, refuse(http.StatusForbidden, foreignLogin))
		return
	}
	r = leadingTo(r, begun.Next)
	tokens, err := d.redeem(r.Context(), begun, query)
	if err != nil {
		d.failed(w, r, err)
		return
	}
	d.arrive(w, r, begun, tokens)
}

// doubled tells whether a parameter is there more than once, so that two programs could read different responses.
func doubled(query url.Values) bool {
	for _, values := range query {
		if len(values) > 1 {
			return true
		}
	}
	return false
}

// takeLogin finds the sign-in that a response belongs to, in the same browser, and uses it up (threat: state replay).
func (d *Door) takeLogin(w http.ResponseWriter, r *http.Request, state string) (login, bool) {
	var begun login
	jar := d.loginJar(state)
	content, err := jar.Open(r)
	if state == "" || err != nil || json.Unmarshal(content, &begun) != nil {
		return login{}, false
	}
	jar.Delete(w, r)
	same := subtle.ConstantTimeCompare([]byte(state), []byte(begun.State)) == 1
	i := d.issuers[begun.Issuer]
	return begun, same && i != nil && i.Mark() == begun.Mark && d.spent.first(state)
}

// redeem exchanges the code of a response for tokens.
func (d *Door) redeem(ctx context.Context, begun login, query url.Values) (issuer.Tokens, error) {
	i := d.issuers[begun.Issuer]
	if err := i.CheckIssuer(ctx, query.Get("iss")); err != nil {
		return issuer.Tokens{}, err
	}
	if why := query.Get("error"); why != "" {
		return issuer.Tokens{}, errors.New(declined(i, why))
	}
	return i.Exchange(ctx, query.Get("code"), begun.Attempt)
}

// declined says why an issuer doesn't sign somebody in. Its description isn't shown: a link could have it from anybody.
func declined(i *issuer.Issuer, why string) string {
	known := map[string]string{
		"access_denied":             i.Title() + " refuses the sign-in, or you cancelled it.",
		"invalid_scope":             i.Title() + " doesn't know a scope. Check issuers." + i.Name() + ".scopes.",
		"unauthorized_client":       i.Title() + " doesn't allow this client to sign people in. Check issuers." + i.Name() + ".clientID.",
		"unsupported_response_type": i.Title() + " doesn't allow this client the authorization code flow. Allow it at the issuer.",
		"server_error":              i.Title() + " has an error. Try again.",
		"temporarily_unavailable":   i.Title() + " is overloaded. Try again.",
	}
	if words, ok := known[why]; ok {
		return words
	}
	return i.Title() + " doesn't sign you in. Its log has the reason."
}

// arrive opens the session, or leads to done, which joins the sign-in with the session that the browser has. Either way a page of ours opens
// the next one: a redirect would still count as coming from the issuer's site, and browsers would leave the new cookies out.
func (d *Door) arrive(w http.ResponseWriter, r *http.Request, begun login, tokens issuer.Tokens) {
	there := begun.Next
	if begun.Merge == "" {
		if !d.enter(w, r, nil, d.withLogin(begun, tokens), begun.Cluster) {
			return
		}
	} else {
		if err := d.put(w, r, d.pending, arrival{begun, tokens}); err != nil {
			d.broken(w, r, err)
			return
		}
		there = donePath
	}
	d.guard.Show(w, guard.Notice{
		Status: http.StatusOK, Title: "Signed in", Words: "The next page opens by itself.", Refresh: there, Action: guard.SignInPath,
	})
}

// arrival is a sign-in on its way to the session that it joins.
type arrival struct {
	Login  login         `json:"l"`
	Tokens issuer.Tokens `json:"t"`
}

// done adds a sign-in to the session of the browser.
func (d *Door) done(w http.ResponseWriter, r *http.Request) {
	if !d.only(w, r, http.MethodGet) {
		return
	}
	var a arrival
	content, err := d.pending.Open(r)
	if err != nil || !ownNavigation(r) || json.Unmarshal(content, &a) != nil || d.issuers[a.Login.Issuer] == nil ||
		!d.spent.first(donePath+a.Login.State) {
		d.guard.Deny(w, r, refuse(http.StatusForbidden, foreignLogin))
		return
	}
	d.pending.Delete(w, r)
	r = leadingTo(r, a.Login.Next)
	old, no := d.readSession(r)
	if no.Code != 0 || old.ID != a.Login.Merge || d.memory.hasEnded(old.ID) || d.over(old) {
		old = nil
	}
	if d.enter(w, r, old, d.withLogin(a.Login, a.Tokens), a.Login.Cluster) {
		d.redirect(w, a.Login.Next)
	}
}

// withLogin adds a sign-in at an issuer to a session. Somebody else's session is not continued.
func (d *Door) withLogin(begun login, tokens issuer.Tokens) func(*session) bool {
	return func(s *session) bool {
		if before, ok := s.Logins[begun.Issuer]; ok && before.Subject != tokens.Subject {
			return false
		}
		s.Logins[begun.Issuer] = tokens
		delete(s.Pasted, begun.Cluster)
		s.first(begun.Issuer, "")
		return true
	}
}
