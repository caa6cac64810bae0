// Package guard decides who may connect to Fieldmark, and which requests they may make. It is in front of every handler. It responds to
// everything that it refuses, and sends nothing of it to an API server.
package guard

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/server/identity"
)

// Options describe one Fieldmark and who may use it. Zero values mean the defaults.
type Options struct {
	// Listen holds the addresses that are listened on, ports resolved. The first one's port names the cookie.
	Listen []string
	// Hosts are further values of the Host header to answer to, such as a name that was configured.
	Hosts []string
	// Address is host:port in the links that the guard makes; default the first of Listen. It must be a number: a name could lead to a
	// server of somebody else.
	Address string
	// Public is the address at which browsers reach a shared Fieldmark: scheme and host. It is nil in local mode.
	Public *url.URL
	// Door says who may come in; nil: whoever has the launch token.
	Door Door
	// Token is the launch token of local mode; see NewToken.
	Token string
	// ReadOnly lets only get, list, watch and dry runs pass to the clusters.
	ReadOnly bool
	// WorkloadProxy allows …/proxy below pods, services and nodes.
	WorkloadProxy bool

	// IdleExpiry ends a session that was not used for so long; default 24 hours.
	IdleExpiry time.Duration
	// Expiry ends every session; default 7 days.
	Expiry time.Duration
	// MaxSessions bounds their number; default 1,000. The session that was unused longest is ended.
	MaxSessions int
	// StrangerTime bounds how long a request may take to arrive, body included, until its sender is known; default 10 s.
	StrangerTime time.Duration
	// BodyTime bounds how long the body of a request takes whose sender is known; default one minute.
	BodyTime time.Duration
	// Linger bounds how long a connection stays open for the rest of a body that nobody reads; default one second.
	Linger time.Duration

	// SessionEnded is called with the id of a session that has ended, so that its data can be deleted.
	SessionEnded func(id string)

	// Stylesheet gives the URL of the stylesheet for the guard's own pages.
	Stylesheet func() string
	// Inline names the one inline script that pages may run, as a Content-Security-Policy does: 'sha256-…'. Empty: none.
	Inline string
	// Page renders the guard's own pages; by default they are plain.
	Page func(w io.Writer, n Notice) error

	Now  func() time.Time
	Rand io.Reader
	Log  *slog.Logger
}

// Guard decides about every request to Fieldmark.
type Guard struct {
	opt      Options
	hosts    map[string]bool
	origins  map[string]bool
	door     Door
	launch   *launch // the door of local mode; nil in shared mode
	programs *programs

	hPolicy  []string // the Content-Security-Policy; never appended to
	viewName string   // of the cookie that as.go reads
}

// New makes a Guard. Without a door of its own, it has that of local mode, and refuses a launch token that could be guessed.
func New(opt Options) (*Guard, error) {
	if len(opt.Listen) == 0 {
		return nil, errors.New("the guard needs a listen address")
	}
	opt.setDefaults()
	g := &Guard{opt: opt, door: opt.Door, programs: newPrograms(opt), hPolicy: []string{contentPolicy(opt.Inline)}}
	cookie, err := g.allowHosts()
	if err != nil {
		return nil, err
	}
	g.viewName = g.viewCookieName(cookie)
	if g.door != nil {
		return g, nil
	}
	if g.launch, err = newLaunch(g, cookie); err != nil {
		return nil, err
	}
	g.door = g.launch
	return g, nil
}

func (o *Options) setDefaults() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Address == "" {
		o.Address = o.Listen[0]
	}
	if o.IdleExpiry == 0 {
		o.IdleExpiry = 24 * time.Hour
	}
	if o.Expiry == 0 {
		o.Expiry = 7 * 24 * time.Hour
	}
	o.setDeadlines()
	if o.MaxSessions == 0 {
		o.MaxSessions = 1000
	}
	if o.Page == nil {
		o.Page = plainPage
	}
	if o.Stylesheet == nil {
		o.Stylesheet = func() string { return "" }
	}
	if o.SessionEnded == nil {
		o.SessionEnded = func(string) {}
	}
}

func (o *Options) setDeadlines() {
	if o.StrangerTime == 0 {
		o.StrangerTime = headerDeadline
	}
	if o.BodyTime == 0 {
		o.BodyTime = time.Minute
	}
	if o.Linger == 0 {
		o.Linger = time.Second
	}
}

// Kind says how a request proved its session.
type Kind string

// The kinds of session.
const (
	Cookie Kind = "cookie" // a browser
	Bearer Kind = "bearer" // kubectl, curl: the launch token itself, or a person's own token
)

// Session is the sender of a request. Its ID is opaque and safe for logs, because it gives no access.
type Session struct {
	ID   string
	Kind Kind
	// Person is who it is in shared mode; nil in local mode.
	Person *identity.Person
	// ReadOnly says why this session only reads; empty: it may write. Whole sentences.
	ReadOnly string
	// NoWorkloads says why this session may not connect to workloads (exec, attach, port-forward, proxy); empty: it may. Whole sentences.
	NoWorkloads string
	// Ends is when the session ends at the latest; zero: it isn't known. What it makes must not last longer.
	Ends time.Time
	// View is how the session looks at one cluster; see as.go.
	View identity.View
}

type sessionKey struct{}

// SessionFrom is the session of a request that the guard accepted. It is false if the request needs no session.
func SessionFrom(ctx context.Context) (Session, bool) {
	s, ok := ctx.Value(sessionKey{}).(Session)
	return s, ok
}

// sweepEvery is how late the end of an unused session may be noticed.
const sweepEvery = time.Minute

// Expire ends sessions when their time is over, also sessions without requests (they may have open streams), until ctx ends.
func (g *Guard) Expire(ctx context.Context) {
	every := time.NewTicker(sweepEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			g.door.Sweep()
		}
	}
}

// ClientSession is the one session that all clients with the launch token share, such as kubectl. In shared mode there is none: its ID is
// empty.
func (g *Guard) ClientSession() Session {
	if g.launch == nil {
		return Session{}
	}
	return g.launch.bearer
}

// Deadlines and bounds of the HTTP server. There is no write deadline: watches last.
const (
	headerDeadline = 10 * time.Second
	idleDeadline   = 2 * time.Minute
	maxHeaderBytes = 1 << 20 // as in the API server
	maxStreams     = 250     // requests at once on one connection of HTTP/2
)

// Server is an http.Server with the deadlines that keep slow clients from holding connections (threat: exhaustion), and with
// the hooks that Listener needs. Serve it with g.Server(h).Serve(guard.Listener(l)).
//
// It speaks HTTP/2 where Listener lets it pass. To net/http that is HTTP/2 in the clear, for TLS ends in the listener.
func (g *Guard) Server(handler http.Handler) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Protocols:         protocols,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		Handler:           handler,
		ReadHeaderTimeout: headerDeadline,
		ReadTimeout:       g.opt.StrangerTime, // the guard removes it, and gives known clients more time
		IdleTimeout:       idleDeadline,
		MaxHeaderBytes:    maxHeaderBytes,
		ConnContext:       ConnContext,
		// Otherwise net/http would answer OPTIONS * before the guard sees it.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(g.opt.Log.Handler(), slog.LevelDebug),
	}
}

// remote is the client's address, for which failures are counted.
func remote(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
