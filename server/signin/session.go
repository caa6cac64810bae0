package signin

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/seal"
)

// session is what the cookies of a browser hold. A session is never changed: a new one takes its place.
type session struct {
	// ID is new at each sign-in (threat: session fixation).
	ID string `json:"i"`
	// Opened and Used are Unix milliseconds, and so is Renewed, when a token was last renewed. The later Renewed, then Used, is the newer
	// one of two with the same ID.
	Opened  int64 `json:"o"`
	Used    int64 `json:"u"`
	Renewed int64 `json:"r,omitempty"`
	// The first sign-in gives the person's key: FirstLogin is its issuer, or FirstPasted the cluster of a pasted token.
	FirstLogin  string `json:"f,omitempty"`
	FirstPasted string `json:"fp,omitempty"`
	// Logins are by the name of the issuer, and Pasted by the slug of the cluster.
	Logins map[string]issuer.Tokens `json:"l,omitempty"`
	Pasted map[string]pasted        `json:"p,omitempty"`
}

// pasted is a token that somebody pasted, and whose it is.
type pasted struct {
	Token   string    `json:"t"`
	Name    string    `json:"n"`
	Groups  []string  `json:"g,omitempty"`
	Expires time.Time `json:"e,omitzero"`  // zero: not known
	Mark    string    `json:"m,omitempty"` // of the cluster
}

func (s *session) clone() *session {
	c := *s
	c.Logins, c.Pasted = maps.Clone(s.Logins), maps.Clone(s.Pasted)
	if c.Logins == nil {
		c.Logins = map[string]issuer.Tokens{}
	}
	if c.Pasted == nil {
		c.Pasted = map[string]pasted{}
	}
	return &c
}

// newerThan tells which of two states of a session to believe.
func (s *session) newerThan(other *session) bool {
	if s.Renewed != other.Renewed {
		return s.Renewed > other.Renewed
	}
	return s.Used > other.Used
}

// newID makes an id that is safe for logs, because it gives no access: the cookies do.
func newID(random io.Reader) (string, error) {
	if random == nil {
		random = rand.Reader
	}
	var b [12]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("reading random bytes for a session: %w", err)
	}
	return idPrefix + base64.RawURLEncoding.EncodeToString(b[:]), nil
}

const (
	notSignedIn = "You are not signed in."
	sessionOver = "Your session has ended. Sign in again."
	badSession  = "Your session can't be read, because its cookies were changed or Fieldmark has a new key. Sign in again."
)

// byCookie finds the session of a browser, renews its tokens, and sends the browser a newer state of the session if there is one.
func (d *Door) byCookie(w http.ResponseWriter, r *http.Request) (guard.Session, guard.Refusal) {
	id := d.marked(r)
	d.forgetOthers(w, r, id)
	sent, no := d.readSession(r)
	if no.Code != 0 {
		if no.Words != notSignedIn && no.Words != settingsChanged { // another replica may have these settings still
			d.ownJar(id).Delete(w, r)
		}
		return guard.Session{}, no
	}
	k, ended := d.memory.meet(sent)
	if ended || d.over(k.now()) {
		d.memory.endSession(sent.ID)
		d.ownJar(id).Delete(w, r)
		return guard.Session{}, refuse(http.StatusUnauthorized, sessionOver)
	}
	trouble := d.renew(r, k)
	if err := d.touch(k); err != nil {
		d.Log.Error("a session can't be sealed", "session", sent.ID, "error", err)
	}
	s, parts := k.state()
	if s.newerThan(sent) && parts != nil {
		d.ownJar(id).Set(w, r, parts)
	}
	if !d.valid(s) {
		return guard.Session{}, refuse(http.StatusUnauthorized, tokensOver(trouble))
	}
	return d.asSession(s, slugOf(r.URL.Path)), guard.Refusal{}
}

// tokensOver says why the person must sign in again. Sentences of a Fault name the setting.
func tokensOver(trouble error) string {
	if trouble == nil {
		return "Your sign-in has expired. Sign in again."
	}
	return "Your sign-in has expired. " + trouble.Error()
}

// readSession opens the cookies of the session that counts.
func (d *Door) readSession(r *http.Request) (*session, guard.Refusal) {
	id := d.marked(r)
	if id == "" {
		return nil, refuse(http.StatusUnauthorized, notSignedIn)
	}
	content, err := d.ownJar(id).Open(r)
	switch {
	case errors.Is(err, seal.ErrNone):
		return nil, refuse(http.StatusUnauthorized, notSignedIn)
	case errors.Is(err, seal.ErrOld):
		return nil, refuse(http.StatusUnauthorized, sessionOver)
	case err != nil:
		return nil, refuse(http.StatusUnauthorized, badSession)
	}
	var s session
	if json.Unmarshal(content, &s) != nil || s.ID != id {
		return nil, refuse(http.StatusUnauthorized, badSession)
	}
	settled, ok := d.settled(&s)
	if !ok {
		return nil, refuse(http.StatusUnauthorized, settingsChanged)
	}
	return settled, guard.Refusal{}
}

// over tells whether the time of a session is over.
func (d *Door) over(s *session) bool {
	now := d.Now()
	return now.Sub(time.UnixMilli(s.Opened)) >= d.Expiry || now.Sub(time.UnixMilli(s.Used)) >= d.Idle
}

// touch notes that the session is used, but seldom: each time costs the browser new cookies.
func (d *Door) touch(k *known) error {
	now := d.Now()
	return k.change(func(s *session) *session {
		if now.Sub(time.UnixMilli(s.Used)) < min(d.Idle/10, 5*time.Minute) {
			return nil
		}
		c := s.clone()
		c.Used = now.UnixMilli()
		return c
	}, d.pack)
}

// pack seals a session.
func (d *Door) pack(s *session) (seal.Parts, error) {
	content, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encoding a session: %w", err)
	}
	return d.session.Pack(content)
}
