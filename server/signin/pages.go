package signin

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/server/guard"
)

// signIn shows the clusters and the ways in, and takes tokens.
func (d *Door) signIn(w http.ResponseWriter, r *http.Request) {
	if !d.only(w, r, http.MethodGet, http.MethodHead, http.MethodPost) {
		return
	}
	if r.Method == http.MethodPost {
		d.takeToken(w, r)
		return
	}
	next := d.pathAfterSignIn(r)
	s, no := d.readSession(r)
	if no.Code == 0 && (d.over(s) || d.memory.hasEnded(s.ID)) {
		s = nil
	}
	n := guard.Notice{Status: http.StatusOK, Title: "Sign in", Words: "Choose a cluster, and how to sign in."}
	if s != nil {
		if slug := slugOf(next); slug != "" && d.has(s, slug) {
			d.redirect(w, next)
			return
		}
		name, _, _, _ := d.called(s, "")
		n.Words = "You are signed in as " + name + ". Choose a cluster to sign in for another one."
		n.Links = []guard.Link{{Text: "Continue", Href: next}, {Text: "Tokens for programs", Href: guard.ProgramsPath}}
	}
	d.offer(&n, s, next)
	d.guard.Show(w, n)
}

// has tells whether a session has a credential for a cluster.
func (d *Door) has(s *session, slug string) bool {
	c, known := d.clusters[slug]
	_, why := d.grant(s, c)
	return known && why == ""
}

// Invite adds the ways in to a page that refuses a request. A link of another site leads here without cookies, because they are
// SameSite=Strict: then the page opens itself again, once, and the second request has them.
func (d *Door) Invite(r *http.Request, n *guard.Notice) {
	own := strings.HasPrefix(r.URL.Path, guard.SignInPath)
	if own && n.Status >= http.StatusBadRequest {
		n.Title = "Signing in failed"
	}
	if n.Status == http.StatusUnauthorized && n.Words == notSignedIn && !own && fromElsewhere(r) {
		n.Title, n.Words = "One moment", "The page opens again by itself, with your session."
		n.Refresh, n.Action = guard.OwnPath(r.URL.RequestURI()), guard.SignInPath
		return
	}
	if n.Status != http.StatusUnauthorized && !own || n.Status == http.StatusInternalServerError {
		return
	}
	s, no := d.readSession(r)
	if no.Code != 0 {
		s = nil
	}
	if n.Words == notSignedIn {
		n.Words = "Sign in to open this page."
	}
	d.offer(n, s, d.pathAfterSignIn(r))
}

// fromElsewhere tells whether a page of another site leads a browser to this address.
func fromElsewhere(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Method == http.MethodGet && navigation(r) && (site == "cross-site" || site == "same-site")
}

// nextKey is the key of where a sign-in that has begun leads to.
type nextKey struct{}

// leadingTo is a request of a sign-in that has begun. If the sign-in fails, its page still leads to where the person wanted to go.
func leadingTo(r *http.Request, next string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), nextKey{}, next))
}

// pathAfterSignIn is where to go after signing in: to the page that was requested.
func (d *Door) pathAfterSignIn(r *http.Request) string {
	begun, ok := r.Context().Value(nextKey{}).(string)
	switch {
	case ok:
		return begun
	case strings.HasPrefix(r.URL.Path, guard.SignInPath) && r.Method == http.MethodPost:
		return guard.OwnPath(r.PostForm.Get("next")) // nil where the form was not read
	case strings.HasPrefix(r.URL.Path, guard.SignInPath):
		return guard.OwnPath(r.URL.Query().Get("next"))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return "/"
	}
	return guard.OwnPath(r.URL.RequestURI())
}

// offer adds the clusters to a page, first the one that the next page is about. s is the browser's session; nil: it has none.
func (d *Door) offer(n *guard.Notice, s *session, next string) {
	wanted := slugOf(next)
	n.Next, n.Action = next, guard.SignInPath
	for _, c := range d.Clusters {
		if c.Issuer == "" && !d.AllowToken {
			continue // only the proxy signs people in for it
		}
		place := d.signInPlace(s, c, next)
		place.Wanted = c.Slug == wanted
		n.Places = append(n.Places, place)
	}
	slices.SortStableFunc(n.Places, func(a, b guard.Place) int {
		switch {
		case a.Wanted == b.Wanted:
			return 0
		case a.Wanted:
			return -1
		}
		return 1
	})
}

func (d *Door) signInPlace(s *session, c Cluster, next string) guard.Place {
	p := guard.Place{Slug: c.Slug, Title: c.Title, Token: d.AllowToken}
	if p.Title == "" {
		p.Title = c.Slug
	}
	if i := d.issuers[c.Issuer]; i != nil {
		p.By = i.Title()
		p.Start = StartPath + "?" + url.Values{"cluster": {c.Slug}, "next": {next}}.Encode()
	}
	if c.Impersonate {
		p.Why = "Fieldmark’s own account sends your requests to this cluster, and impersonates you."
	}
	if s == nil {
		return p
	}
	if d.has(s, c.Slug) {
		p.Person, _, _, _ = d.called(s, c.Slug)
	} else if _, tried := s.Logins[c.Issuer]; tried {
		_, p.Why = d.grant(s, c)
	}
	return p
}
