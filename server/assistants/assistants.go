// Package assistants serves Fieldmark's tools to assistants over HTTP, on behalf of the session whose token they have.
//
//	assistant ── POST /mcp ──▶ guard: a token for programs ──▶ the session's tools ──▶ gate: reads, dry runs ──▶ wiretap ──▶ API server
//
// Each request stands alone: nothing of the protocol is kept between two of them. So an assistant that knows something of another one's session can't
// use it.
package assistants

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fieldmark/fieldmark/cli/mcp/tools"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/watched"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// Options are what the tools of all sessions share.
type Options struct {
	// Clusters has the clusters of each session.
	Clusters cluster.Source
	// Tap records the requests.
	Tap *wiretap.Log
	// Watches has the recordings of each session.
	Watches *watched.Watches
	// Session is the id of the session that sends a request, and Owner whose session it is: all sessions of one owner share the bounds of one client.
	Session func(*http.Request) string
	Owner   func(session string) string
	Redact  tools.Redact
	Library tools.Library
	Version string
	Log     *slog.Logger
}

// Assistants serves all sessions. It is safe for concurrent use.
type Assistants struct {
	opt     Options
	handler http.Handler

	mu       sync.Mutex
	sessions map[string]*sdk.Server
	turns    map[string]*tools.Turns // by owner
}

// maxBody bounds a request, in bytes. A manifest has at most 1 MiB, and its JSON is longer.
const maxBody = 3 << 20

// New makes a handler.
func New(o Options) *Assistants {
	if o.Owner == nil {
		o.Owner = func(session string) string { return session }
	}
	a := &Assistants{opt: o, sessions: map[string]*sdk.Server{}, turns: map[string]*tools.Turns{}}
	a.handler = sdk.NewStreamableHTTPHandler(a.server, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // the guard knows which hosts are ours
	})
	return a
}

// ServeHTTP serves one message of an assistant.
func (a *Assistants) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// server has the tools of the session that sends a request.
func (a *Assistants) server(r *http.Request) *sdk.Server {
	session := a.opt.Session(r)
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.sessions[session]; known != nil {
		return known
	}
	owner := a.opt.Owner(session)
	if a.turns[owner] == nil {
		a.turns[owner] = tools.NewTurns()
	}
	of := clusters{a.opt, session}
	made, err := tools.New(tools.Options{
		Clusters: of, Recorded: of, Redact: a.opt.Redact, Library: a.opt.Library, Version: a.opt.Version, Now: time.Now, Turns: a.turns[owner], Log: a.opt.Log,
		Called: func(c tools.Call) {
			a.opt.Log.Info("an assistant called a tool", "session", session, "tool", c.Tool, "ms", c.Took.Milliseconds(), "bytes", c.Bytes, "failed", c.Failed)
		},
	})
	if err != nil {
		a.opt.Log.Error("the tools for assistants can't be made", "err", err)
		return nil
	}
	a.sessions[session] = made
	return made
}

// EndSession forgets a session.
func (a *Assistants) EndSession(id string) {
	owner := a.opt.Owner(id)
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.sessions, id)
	for other := range a.sessions {
		if a.opt.Owner(other) == owner {
			return
		}
	}
	delete(a.turns, owner)
}
