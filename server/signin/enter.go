package signin

import (
	"errors"
	"net/http"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/seal"
)

// first makes a sign-in the first one, if the session has lost its first one: at an issuer, or with a token for a cluster.
func (s *session) first(issuer, cluster string) {
	_, login := s.Logins[s.FirstLogin]
	_, token := s.Pasted[s.FirstPasted]
	if !login && !token {
		s.FirstLogin, s.FirstPasted = issuer, cluster
	}
}

// enter opens a session for a sign-in for a cluster. old is the session that it joins; nil: none. add adds the sign-in, or says that old
// belongs to somebody else. If there is no session in the end, enter responds itself.
func (d *Door) enter(w http.ResponseWriter, r *http.Request, old *session, add func(*session) bool, slug string) bool {
	s, err := d.opened(old, add)
	if err != nil {
		d.broken(w, r, err)
		return false
	}
	if _, why := d.grant(s, d.clusters[slug]); why != "" {
		d.guard.Deny(w, r, refuse(http.StatusForbidden, why))
		return false
	}
	if wait := d.entries.wait(d.key(s)); wait > 0 {
		d.guard.Deny(w, r, guard.Refusal{Code: http.StatusTooManyRequests, Wait: wait, Words: "You signed in too often. Wait a moment, and try again."})
		return false
	}
	parts, err := d.pack(s)
	if err != nil {
		d.broken(w, r, err)
		return false
	}
	if old != nil {
		d.memory.endSession(old.ID)
	}
	d.setSessionCookies(w, r, s.ID, parts)
	d.Log.Info("somebody signed in", "session", s.ID, "person", d.key(s), "cluster", slug)
	return true
}

// opened is a new session, with a new id, that has a sign-in and what is still good of an old session.
func (d *Door) opened(old *session, add func(*session) bool) (*session, error) {
	id, err := newID(d.Random)
	if err != nil {
		return nil, err
	}
	now := d.Now().UnixMilli()
	fresh := &session{ID: id, Opened: now, Used: now}
	if old != nil {
		joined := d.stillGood(old)
		joined.ID, joined.Used = id, now
		if add(joined) {
			return joined, nil
		}
	}
	fresh = fresh.clone()
	add(fresh)
	return fresh, nil
}

// stillGood is a copy of a session without the tokens that have expired for good.
func (d *Door) stillGood(s *session) *session {
	c, now := s.clone(), d.Now()
	for name, t := range c.Logins {
		if t.Refresh == "" && !now.Before(t.Expires) {
			delete(c.Logins, name)
		}
	}
	for slug := range c.Pasted {
		if _, ok := d.pastedFor(s, slug); !ok {
			delete(c.Pasted, slug)
		}
	}
	return c
}

// failed responds to a sign-in that an issuer or an API server doesn't complete. The error's text is for people.
func (d *Door) failed(w http.ResponseWriter, r *http.Request, err error) {
	kind := issuer.KindOf(err)
	d.Log.Warn("a sign-in failed", "kind", string(kind), "path", r.URL.Path)
	code := http.StatusForbidden
	switch kind {
	case issuer.Unreachable, issuer.ForeignCA, issuer.NotIssuer, issuer.OtherIssuer, issuer.WrongClient, issuer.WrongClock:
		code = http.StatusBadGateway
	}
	d.guard.Deny(w, r, refuse(code, err.Error()))
}

// broken responds to a sign-in that fails because of Fieldmark itself.
func (d *Door) broken(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, seal.ErrTooLong) {
		d.guard.Deny(w, r, refuse(http.StatusForbidden, "Your tokens and groups don't fit into the cookies of a browser. "+
			"Let the issuer send fewer groups or claims, or sign out and sign in for fewer clusters."))
		return
	}
	d.Log.Error("a sign-in failed", "error", err)
	d.guard.Deny(w, r, refuse(http.StatusInternalServerError, "Fieldmark can't start a session."))
}
