package guard

import (
	"net/http"
	"net/url"
	"strings"
)

// maxNext bounds the address of a page to go to after signing in.
const maxNext = 8 << 10

// ownPath reads where to go after signing in. The result is always a path on this server. An address that leads elsewhere, or that browsers
// and servers can read differently, becomes the first page. Otherwise an attacker could make a link that leads from the sign-in page to
// a copy of it, and the copy could ask for the token again.
func ownPath(next string) string {
	const home = "/"
	if len(next) > maxNext || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") {
		return home
	}
	// Browsers read a backslash as a slash, and leave out tabs and line breaks.
	if strings.ContainsFunc(next, func(r rune) bool { return r <= ' ' || r == '\\' || r >= 0x7f }) {
		return home
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" {
		return home
	}
	if unambiguous(u.EscapedPath()) != nil {
		return home
	}
	if u.Path == SignInPath || strings.HasPrefix(u.Path, SignInPath+"/") || u.Path == SignOutPath || u.Path == LinkPath {
		return home
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// pathAfterSignIn is where to go after signing in: to the page that was requested.
func (l *launch) pathAfterSignIn(r *http.Request) string {
	switch {
	case r.URL.Path == SignInPath && r.Method == http.MethodPost:
		return ownPath(r.PostForm.Get(nextParameter)) // nil where the form was not read
	case r.URL.Path == SignInPath:
		return ownPath(r.URL.Query().Get(nextParameter))
	case l.isVisit(r) || !reads(r.Method):
		return "/"
	}
	return ownPath(r.URL.RequestURI())
}
