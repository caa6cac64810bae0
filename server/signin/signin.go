// Package signin is the door of the shared mode: it says which person sends a request, and has the pages at which people sign in. What it
// knows of a browser is in sealed cookies of that browser, so each replica can serve each person.
//
// A person comes in by one of these ways. There is no other, and no way falls back to another.
//
//	a browser ── sign-in page ──▶ issuer ──▶ callback ──▶ cookies     oidc.go; as.go if Fieldmark's own account impersonates
//	a browser ── pasted token ──▶ SelfSubjectReview ────▶ cookies     token.go
//	a proxy   ── token in a header, from a trusted address            proxy.go, proxied.go
//	kubectl   ── Authorization: Bearer, reviewed                      bearer.go
package signin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/seal"
)

// The door's own addresses, besides those of the guard.
const (
	StartPath    = guard.SignInPath + "/start"    // leads to the issuer: ?cluster=…&next=…
	CallbackPath = guard.SignInPath + "/callback" // where the issuer leads back to
	donePath     = guard.SignInPath + "/done"     // where a sign-in joins the session that the browser has already
	OutPath      = guard.SignOutPath + "/done"    // where an issuer leads back to after signing out
)

// Cluster is a cluster that people sign in for. Errors name its fields as clusters.SLUG.field.
type Cluster struct {
	Slug, Title string
	// Issuer is the name of the issuer whose tokens the API server accepts (issuer); empty: none.
	Issuer string
	// Audience is what the API server requires in the token's aud (audience); empty: it isn't compared.
	Audience string
	// Impersonate sends requests with Fieldmark's own account, as the person (impersonate). The issuer says who it is.
	Impersonate bool
	// Proxy sends the token of the trusted proxy to this cluster (proxy).
	Proxy bool
	// Mark is another one if the cluster has another API server, so that tokens that were pasted for one are not sent to the other.
	Mark string
}

// Review asks the API server of a cluster whose token it is. The error wraps ErrWrongToken if the API server refuses the token.
type Review func(ctx context.Context, slug, token string) (name string, groups []string, err error)

// ErrWrongToken is the error of a Review of a token that the API server refuses.
var ErrWrongToken = errors.New("the API server refuses the token")

// Config is a door. Zero values mean the defaults.
type Config struct {
	// Public is the address at which browsers reach Fieldmark. Its path, if any, is removed before requests reach the guard.
	Public   *url.URL
	Clusters []Cluster
	Issuers  []*issuer.Issuer
	Sealer   *seal.Sealer
	// AllowToken lets people paste a token.
	AllowToken bool
	// Review is needed for pasted tokens, for a trusted proxy, and for programs.
	Review Review
	// Proxy is a trusted proxy that sends the person's token.
	Proxy Proxy
	// ImpersonateGroups are the groups whose members may use clusters with Impersonate.
	ImpersonateGroups []string
	// WriteGroups are the groups whose members may write; empty: everybody may.
	WriteGroups []string
	// WorkloadGroups are the groups whose members may connect to workloads: exec, attach, port-forward, proxy; empty: everybody may.
	WorkloadGroups []string
	// Idle ends a session that was not used for so long; default 8 hours. Expiry ends every session; default 24 hours.
	Idle, Expiry time.Duration
	// MaxSessions bounds what a replica remembers of sessions; default 10,000. A session that it forgets stays good.
	MaxSessions int
	// SessionEnded is called with the id of a session that has ended, or that this replica forgets, so that its data can be deleted.
	SessionEnded func(id string)

	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
}

// Door implements guard.Door for the shared mode. It is safe for concurrent use.
type Door struct {
	Config
	guard    *guard.Guard
	clusters map[string]Cluster
	issuers  map[string]*issuer.Issuer
	session  seal.Jar // without the id in its name
	pending  seal.Jar // a sign-in that joins a session
	memory   *memory
	spent    *spent // the states of sign-ins that were used
	entries  *entries
	reviews  *reviews
	spread   float64 // 0 to 1, so that replicas don't renew a session at the same moment
	patience time.Duration
}

// New makes a door. Before it is used, tell it the guard with Behind. The error is one line that names the setting.
func New(c Config) (*Door, error) {
	c.setDefaults()
	d := &Door{Config: c, clusters: map[string]Cluster{}, issuers: map[string]*issuer.Issuer{}, patience: defaultPatience}
	if err := d.check(); err != nil {
		return nil, err
	}
	var b [1]byte
	if _, err := io.ReadFull(c.Random, b[:]); err != nil {
		return nil, fmt.Errorf("reading random bytes: %w", err)
	}
	d.spread = float64(b[0]) / 255
	d.session = d.jar(sessionName, "session", http.SameSiteStrictMode, c.Expiry)
	d.pending = d.jar("fieldmark-new", "pending", http.SameSiteStrictMode, pendingTime)
	d.memory, d.reviews, d.spent, d.entries = newMemory(c), newReviews(c), &spent{now: c.Now}, newEntries(c)
	return d, nil
}

// Behind tells the door which guard it belongs to.
func (d *Door) Behind(g *guard.Guard) { d.guard = g }

func (d *Door) jar(name string, purpose seal.Purpose, site http.SameSite, age time.Duration) seal.Jar {
	return seal.Jar{Sealer: d.Sealer, Purpose: purpose, Name: name, Secure: d.Public.Scheme == "https", SameSite: site, MaxAge: age}
}

// Who finds the sender of a request.
func (d *Door) Who(w http.ResponseWriter, r *http.Request) (guard.Session, guard.Refusal) {
	if token, no := d.proxied(r); no.Code != 0 {
		return guard.Session{}, no
	} else if token != "" {
		return d.byProxy(r, token)
	}
	if values, given := r.Header["Authorization"]; given {
		return d.byBearer(r, values)
	}
	return d.byCookie(w, r)
}

// Own has the pages of signing in and out.
func (d *Door) Own(r *http.Request) http.Handler {
	handler, ok := map[string]http.HandlerFunc{
		guard.SignInPath: d.signIn, StartPath: d.start, CallbackPath: d.callback, donePath: d.done,
		guard.SignOutPath: d.signOut, OutPath: d.signedOut,
	}[r.URL.Path]
	if !ok {
		return nil
	}
	return handler
}

// Sweep ends the sessions that this replica has not seen for too long.
func (d *Door) Sweep() { d.memory.sweep() }

func refuse(code int, words string) guard.Refusal { return guard.Refusal{Code: code, Words: words} }

// only refuses other methods than those of a handler.
func (d *Door) only(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	for _, m := range methods {
		if r.Method == m {
			return true
		}
	}
	allowed := strings.Join(methods, ", ")
	w.Header().Set("Allow", allowed)
	d.guard.Deny(w, r, refuse(http.StatusMethodNotAllowed, "This address accepts only "+allowed+"."))
	return false
}

// redirect responds with 303. there is a path of ours.
func (d *Door) redirect(w http.ResponseWriter, there string) {
	w.Header().Set("Location", there)
	w.WriteHeader(http.StatusSeeOther)
}

// slugOf is the cluster that a path is about; empty: none.
func slugOf(path string) string {
	for _, prefix := range []string{"/clusters/", "/c/"} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			slug, _, _ := strings.Cut(rest, "/")
			return slug
		}
	}
	return ""
}
