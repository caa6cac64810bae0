package guard

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/fieldmark/fieldmark/server/identity"
)

// The bounds of whom a session can view a cluster as.
const (
	MaxViewName   = 512 // bytes of the name of a user or a group
	MaxViewGroups = 32
	maxViewCookie = 3800 // bytes; browsers keep cookies of up to 4,096 bytes with their name and attributes
)

// viewCookie is what a browser keeps while it views a cluster as somebody else. It is no credential: the session's own credentials ask
// the API server for permission with each request. Session ties it to one signing in, so nobody else's session goes on with the view.
type viewCookie struct {
	Session string   `json:"s"`
	Start   string   `json:"n"` // random, so that a view that has ended doesn't begin again
	Cluster string   `json:"c"`
	User    string   `json:"u"`
	Groups  []string `json:"g,omitempty"`
}

// viewing finds out whom the session views a cluster as. Then its id is another one, so that logs, streams and scans of the two are
// apart, and it only reads. A cookie that Fieldmark can't have written counts as none (threat: hostile view).
func (g *Guard) viewing(r *http.Request, s Session) Session {
	if s.Kind != Cookie {
		return s
	}
	for _, c := range r.CookiesNamed(g.viewName) {
		kept, ok := readView(c.Value)
		if !ok || kept.Session != s.ID {
			continue
		}
		s.View = identity.View{Cluster: kept.Cluster, As: identity.Impersonation{User: kept.User, Groups: kept.Groups}}
		s.ID = identity.ViewID(s.ID, s.View, kept.Start)
		if s.ReadOnly == "" {
			s.ReadOnly = fmt.Sprintf("You view the cluster %s as %s.", kept.Cluster, kept.User)
		}
		return s
	}
	return s
}

// SetView makes the next requests of the browser view a cluster as somebody. The zero View ends that, and the data of the view with it.
// The request must have passed the guard. An error says in words why there can be no such view.
func (g *Guard) SetView(w http.ResponseWriter, r *http.Request, v identity.View) error {
	s, ok := SessionFrom(r.Context())
	if !ok || s.Kind != Cookie {
		return fmt.Errorf("only a browser that is signed in can view a cluster as somebody else")
	}
	viewer, viewed := identity.ViewerOf(s.ID)
	cookie := &http.Cookie{Name: g.viewName, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: g.secure()}
	if !v.None() {
		value, err := g.newView(viewer, v)
		if err != nil {
			return err
		}
		cookie.Value, cookie.MaxAge = value, int(g.opt.Expiry.Seconds())
	}
	http.SetCookie(w, cookie)
	if viewed {
		g.opt.SessionEnded(s.ID)
	}
	return nil
}

func (g *Guard) newView(session string, v identity.View) (string, error) {
	var start [8]byte
	if _, err := io.ReadFull(g.opt.Rand, start[:]); err != nil {
		return "", fmt.Errorf("reading random bytes for a view: %w", err)
	}
	kept := viewCookie{Session: session, Start: hex.EncodeToString(start[:]), Cluster: v.Cluster, User: v.As.User, Groups: v.As.Groups}
	if why := kept.unfit(); why != "" {
		return "", fmt.Errorf("%s", why)
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return "", fmt.Errorf("writing the view: %w", err)
	}
	value := base64.RawURLEncoding.EncodeToString(text)
	if len(value) > maxViewCookie {
		return "", fmt.Errorf("the names are too long together: a browser can keep about %d bytes of them", maxViewCookie*3/4-200)
	}
	return value, nil
}

// readView reads the value of a cookie. It is false for everything that newView doesn't write.
func readView(value string) (kept viewCookie, ok bool) {
	if len(value) > maxViewCookie {
		return viewCookie{}, false
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.unfit() != "" {
		return viewCookie{}, false
	}
	return kept, true
}

// unfit says why names can't be sent to an API server; empty: they can.
func (v viewCookie) unfit() string {
	switch {
	case v.Session == "" || v.Start == "" || v.Cluster == "":
		return "the view names no session or no cluster"
	case v.User == "":
		return "name a user: an API server can't impersonate groups alone"
	case len(v.Groups) > MaxViewGroups:
		return fmt.Sprintf("name at most %d groups", MaxViewGroups)
	}
	for _, name := range append([]string{v.Cluster, v.User}, v.Groups...) {
		if why := unfitName(name); why != "" {
			return why
		}
	}
	return ""
}

// unfitName refuses what a header can't carry, or what an API server would read as another name.
func unfitName(name string) string {
	switch why := identity.UnfitName(name); {
	case name == "":
		return "a group has no name"
	case len(name) > MaxViewName:
		return fmt.Sprintf("a name may have at most %d bytes", MaxViewName)
	case why != "":
		return fmt.Sprintf("the name %q can't be sent: %s", name, why)
	}
	return ""
}

// viewCookieName is the name of the cookie. local is the name of the session's cookie in local mode, which has the port; empty: shared
// mode. Its prefix __Host- keeps other hosts of the same domain from setting the cookie.
func (g *Guard) viewCookieName(local string) string {
	switch {
	case local != "":
		return local + "_view"
	case g.secure():
		return "__Host-fieldmark-view"
	}
	return "fieldmark-view"
}

// secure tells whether browsers reach Fieldmark with TLS only.
func (g *Guard) secure() bool { return g.opt.Public != nil && g.opt.Public.Scheme == "https" }
