package signin

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// Sizes in bytes.
const (
	maxToken = 16 << 10 // of a token that somebody pastes or sends
	maxForm  = 64 << 10 // of the form: a token, and an address with every character escaped
)

// takeToken takes a token that was pasted into the sign-in page, if the API server of the cluster says whose it is.
func (d *Door) takeToken(w http.ResponseWriter, r *http.Request) {
	no := d.guard.ProvenOwn(r)
	if no.Code == 0 {
		no = readForm(w, r)
	}
	if no.Code != 0 {
		d.guard.Deny(w, r, no)
		return
	}
	slug, token := r.PostForm.Get("cluster"), strings.TrimSpace(r.PostForm.Get("token"))
	given, no := d.pastedToken(r, slug, token)
	if no.Code != 0 {
		d.guard.Deny(w, r, no)
		return
	}
	old, no := d.readSession(r)
	if no.Code != 0 || d.memory.hasEnded(old.ID) || d.over(old) {
		old = nil
	}
	if d.enter(w, r, old, withToken(slug, given), slug) {
		d.redirect(w, guard.OwnPath(r.PostForm.Get("next")))
	}
}

func (d *Door) pastedToken(r *http.Request, slug, token string) (pasted, guard.Refusal) {
	if _, known := d.clusters[slug]; !known || !d.AllowToken {
		return pasted{}, refuse(http.StatusForbidden, "Tokens can't be pasted for this cluster.")
	}
	whose, no := d.reviewed(r, slug, token)
	if no.Code != 0 {
		return pasted{}, no
	}
	return pasted{Token: token, Name: whose.name, Groups: whose.groups, Expires: expiryOf(token), Mark: d.clusters[slug].Mark}, guard.Refusal{}
}

// withToken adds a pasted token to a session. Somebody else's session is not continued.
func withToken(slug string, given pasted) func(*session) bool {
	return func(s *session) bool {
		if before, ok := s.Pasted[slug]; ok && before.Name != given.Name {
			return false
		}
		s.Pasted[slug] = given
		s.first("", slug)
		return true
	}
}

func readForm(w http.ResponseWriter, r *http.Request) guard.Refusal {
	if r.ContentLength > maxForm {
		return refuse(http.StatusRequestEntityTooLarge, "This form is too long.")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return refuse(http.StatusBadRequest, "This form can't be read.")
	}
	return guard.Refusal{}
}

// claims are what Fieldmark reads of a token that an API server has accepted.
type claims struct {
	Issuer  string `json:"iss"`
	Subject string `json:"sub"`
	Expires int64  `json:"exp"`
}

// claimsOf are the claims of a token, unless it has another form.
func claimsOf(token string) (c claims) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return claims{}
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(payload, &c) != nil {
		return claims{}
	}
	return c
}

// expiryOf is when a token says that it expires. It isn't verified: it only tells when to ask for a new one. Zero: it doesn't say.
func expiryOf(token string) time.Time {
	if c := claimsOf(token); c.Expires > 0 {
		return time.Unix(c.Expires, 0)
	}
	return time.Time{}
}

// serviceAccount begins the subject of a service account. Many clusters call their issuer by the same name.
const serviceAccount = "system:serviceaccount:"

// subjectOf is the key of the person whom a token names, the same as after a sign-in at its issuer. An API server has accepted the token. Empty: it
// names nobody whom two clusters would agree on.
func subjectOf(token string) string {
	c := claimsOf(token)
	if c.Issuer == "" || c.Subject == "" || strings.HasPrefix(c.Subject, serviceAccount) {
		return ""
	}
	return identity.KeyOf(c.Issuer, c.Subject)
}

// plausible tells whether a text can be a bearer token.
func plausible(token string) bool {
	return token != "" && len(token) <= maxToken && !strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c >= 0x7f })
}
