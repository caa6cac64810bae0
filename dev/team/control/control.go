// Package control lets browser tests disturb a stage: it serves a few addresses on this machine that make the issuer fail, start and kill a replica, or
// change the cluster with all rights.
package control

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/dev/team/dex"
	"github.com/fieldmark/fieldmark/dev/team/replica"
	"github.com/fieldmark/fieldmark/dev/team/stage"
)

// Control is a server that disturbs one stage.
type Control struct {
	// URL is where it listens.
	URL string

	stage *stage.Stage
	http  *http.Server

	mu     sync.Mutex
	victim *replica.Replica // the replica to be killed; nil: there is none
}

// mostBody bounds the body of a request, in bytes.
const mostBody = 1 << 20

// Start listens on a free port of this machine.
//
//	POST /issuers/main|frail/down|up|new-key        every request to the issuer fails; no longer; the next signing key
//	POST /issuers/main|frail/slow?wait=5s           each request to the issuer waits; 0s: no longer
//	POST /issuers/main|frail/revoke?person=NAME     the person's refresh tokens are removed
//	POST /victim/start|kill                         one more replica, which serves all requests, until it is killed
//	any  /cluster/…                                 a request to the API server with all rights
func Start(ctx context.Context, s *stage.Stage) (*Control, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for tests: %w", err)
	}
	c := &Control{URL: "http://" + listener.Addr().String(), stage: s}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /issuers/{issuer}/{do}", c.issuer)
	mux.HandleFunc("POST /victim/start", c.start)
	mux.HandleFunc("POST /victim/kill", c.kill)
	mux.HandleFunc("/cluster/", c.cluster)
	c.http = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)}
	go func() { _ = c.http.Serve(listener) }()
	return c, nil
}

// Stop ends the server, and the replica that wasn't killed.
func (c *Control) Stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.victim != nil {
		c.victim.Kill()
	}
	if err := c.http.Close(); err != nil {
		return fmt.Errorf("stopping the control: %w", err)
	}
	return nil
}

func (c *Control) issuer(w http.ResponseWriter, r *http.Request) {
	of := map[string]*dex.Dex{"main": c.stage.Dex, "frail": c.stage.Frail.Dex}[r.PathValue("issuer")]
	if of == nil {
		http.NotFound(w, r)
		return
	}
	var err error
	switch r.PathValue("do") {
	case "down":
		of.Down(true)
	case "up":
		of.Down(false)
	case "new-key":
		of.NewKey(r.Context())
	case "revoke":
		err = of.Revoke(r.Context(), dex.Person{Name: r.URL.Query().Get("person")})
	case "slow":
		var wait time.Duration
		if wait, err = time.ParseDuration(r.URL.Query().Get("wait")); err == nil {
			of.Slow(wait)
		}
	default:
		http.NotFound(w, r)
		return
	}
	done(w, err)
}

// start lets all requests go to one more replica, and kills the one that a test which failed has left.
func (c *Control) start(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.victim != nil {
		c.victim.Kill()
		c.victim = nil
	}
	one, err := c.stage.Another(r.Context())
	if err == nil {
		c.victim = one
		c.stage.Proxy.Lead(one.Address)
	}
	done(w, err)
}

// kill ends that replica like a machine that is gone. The proxy still has it among the others, and finds out.
func (c *Control) kill(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.victim == nil {
		http.Error(w, "there is none", http.StatusConflict)
		return
	}
	c.stage.Proxy.Lead(append(c.stage.Addresses(), c.victim.Address)...)
	c.victim.Kill()
	c.victim = nil
	done(w, nil)
}

// cluster sends a request to the API server with all rights.
func (c *Control) cluster(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var body any
	if len(text) > 0 {
		body = json.RawMessage(text)
	}
	got, err := c.stage.API.Admin(r.Context(), r.Method, r.URL.RequestURI()[len("/cluster"):], body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(got.Status)
	_, _ = w.Write(got.Body)
}

func done(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// Person is somebody who can sign in.
type Person struct {
	Email    string   `json:"email"`
	Password string   `json:"password"`
	Groups   []string `json:"groups"`
}

// Told is what a test needs to know of a stage.
type Told struct {
	// Origin is where Fieldmark is, and Control where this server is.
	Origin  string `json:"origin"`
	Control string `json:"control"`
	// Issuers are the URLs of the issuers, by the names of their clusters.
	Issuers map[string]string `json:"issuers"`
	// Print is the SHA-256 of the authority's public key in base64.
	Print string `json:"print"`
	// Tokens is how long a token is valid, in milliseconds.
	Tokens int64             `json:"tokens"`
	People map[string]Person `json:"people"` // by name
}

// Tell describes the stage.
func (c *Control) Tell() Told {
	s := c.stage
	told := Told{
		Origin: s.Public, Control: c.URL, Print: s.CA.Print, Tokens: s.Tokens.Milliseconds(), People: map[string]Person{},
		Issuers: map[string]string{replica.Slug: s.Dex.URL, stage.Second: s.Frail.Dex.URL},
	}
	for _, p := range stage.Everybody() {
		told.People[p.Name] = Person{Email: p.Email(), Password: p.Password(), Groups: p.Groups}
	}
	return told
}
