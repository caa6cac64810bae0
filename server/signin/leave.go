package signin

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
)

// signOut ends the session here, tells the issuers that nobody may renew its tokens, and offers to sign out there.
func (d *Door) signOut(w http.ResponseWriter, r *http.Request) {
	if !d.only(w, r, http.MethodPost) {
		return
	}
	if no := d.guard.ProvenOwn(r); no.Code != 0 {
		d.guard.Deny(w, r, no)
		return
	}
	if no := readForm(w, r); no.Code != 0 {
		d.guard.Deny(w, r, no)
		return
	}
	s, no := d.readSession(r)
	d.clearSessionCookies(w, r)
	d.pending.Delete(w, r)
	d.forgetLogins(w, r, 0)
	n := guard.Notice{
		Status: http.StatusOK, Title: "Signed out", Words: "You are signed out of Fieldmark in this browser.",
		Links:  []guard.Link{{Text: "Sign in again", Href: guard.SignInPath}},
		Action: guard.SignInPath,
	}
	var troubles []string
	if no.Code == 0 {
		s = d.newest(r.Context(), s)
		d.memory.endSession(s.ID)
		troubles = d.revoke(r.Context(), s)
		n.Links = append(n.Links, d.issuersOut(r, s)...)
	}
	if len(n.Links) > 1 {
		n.Words += " You may still be signed in at the issuer."
		if r.PostForm.Get("issuer") != "" && len(troubles) == 0 {
			n.Refresh = n.Links[1].Href
		}
	}
	n.Words = strings.Join(append([]string{n.Words}, troubles...), " ")
	d.guard.Show(w, n)
}

// newest is the newest state of a session that a browser sent. It waits for a renewal that runs, so that its refresh token is the one
// that gets revoked.
func (d *Door) newest(ctx context.Context, sent *session) *session {
	if flight := d.memory.flying(sent.ID); flight != nil {
		select {
		case <-flight:
		case <-ctx.Done():
		case <-time.After(d.patience):
		}
	}
	if known := d.memory.findSession(sent.ID); known != nil && known.newerThan(sent) {
		return known
	}
	return sent
}

// revoke ends the refresh tokens of a session at their issuers. Other replicas don't know that the session has ended, and would accept a
// copy of its cookies. So the copy ends with its tokens, which nobody can renew any longer (threat: copied session). The results are
// sentences about the issuers that didn't end them.
func (d *Door) revoke(ctx context.Context, s *session) (troubles []string) {
	for _, i := range d.Issuers {
		t, ok := s.Logins[i.Name()]
		if !ok {
			continue
		}
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.patience) // also if the browser has gone
		err := i.Revoke(bounded, t)
		cancel()
		if err != nil {
			d.Log.Warn("a refresh token isn't revoked", "session", s.ID, "issuer", i.Name(), "why", err.Error())
			troubles = append(troubles, err.Error())
		}
	}
	if len(troubles) > 0 {
		troubles = append(troubles, "If somebody has a copy of this browser’s cookies, end your sessions at the issuer.")
	}
	return troubles
}

// outTime is how long somebody may take to sign out at the issuer.
const outTime = 10 * time.Minute

// issuersOut are the addresses at which the issuers of a session sign people out. The state is sealed, so no cookie has to remember it.
func (d *Door) issuersOut(r *http.Request, s *session) (links []guard.Link) {
	ctx, cancel := context.WithTimeout(r.Context(), d.patience)
	defer cancel()
	for _, i := range d.Issuers {
		if _, ok := s.Logins[i.Name()]; !ok {
			continue
		}
		state, err := d.Sealer.Seal("sign-out", []byte(i.Name()))
		if err != nil {
			d.Log.Error("the state of a sign-out can't be sealed", "error", err)
			continue
		}
		if address := i.SignOut(ctx, d.Public.JoinPath(OutPath).String(), state); address != "" {
			links = append(links, guard.Link{Text: "Sign out at " + i.Title(), Href: address})
		}
	}
	return links
}

// signedOut is where an issuer leads back to. It only shows words, and those only to a browser without a session.
func (d *Door) signedOut(w http.ResponseWriter, r *http.Request) {
	if !d.only(w, r, http.MethodGet) {
		return
	}
	name, _, err := d.Sealer.Open("sign-out", r.URL.Query().Get("state"), outTime)
	i := d.issuers[string(name)]
	if _, no := d.readSession(r); err != nil || i == nil || no.Code == 0 {
		d.redirect(w, guard.SignInPath)
		return
	}
	d.guard.Show(w, guard.Notice{
		Status: http.StatusOK, Title: "Signed out", Words: "You are signed out of Fieldmark in this browser, and at " + i.Title() + ".",
		Links:  []guard.Link{{Text: "Sign in again", Href: guard.SignInPath}},
		Action: guard.SignInPath,
	})
}
