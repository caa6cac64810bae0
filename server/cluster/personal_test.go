package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// echo responds with the headers of the request. Watches stay open, and upgrades are granted.
func echo() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Upgrade") != "":
			c, rw, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			_, _ = rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n")
			_ = rw.Flush()
			_, _ = io.Copy(io.Discard, rw)
		case r.URL.Query().Has("watch"):
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			_ = json.NewEncoder(w).Encode(map[string]any{"headers": r.Header, "from": r.RemoteAddr})
		}
	})
}

// site is an API server that people share.
func site(t *testing.T, h http.Handler) *Site {
	t.Helper()
	ca := newPKI(t)
	sites, err := ReadSites(write(t, unnamed(ca.serve(time.Now().Add(time.Hour), h).URL, ca.pem)))
	must(t, err)
	return sites[0]
}

func having(token string) Credentials {
	return func() (Credential, error) { return Credential{Token: token}, nil }
}

// visit is a person's cluster at a site.
func visit(t *testing.T, s *Site, credentials Credentials) *Cluster {
	t.Helper()
	r := New(Options{ProbeTimeout: patient})
	r.Visit(s, credentials)
	t.Cleanup(r.End)
	c, ok := r.Get(s.Slug())
	if !ok {
		t.Fatal("the site isn't in the registry")
	}
	return c
}

type seen struct {
	Headers http.Header
	From    string
}

func (s seen) Get(name string) string { return s.Headers.Get(name) }

// sent is what the API server gets of a request.
func sent(t *testing.T, c *Cluster) (got seen) {
	t.Helper()
	client, err := c.Client()
	must(t, err)
	answer, err := client.Do(t.Context(), api.Request{Path: "/version", Header: http.Header{
		"Authorization": {"Bearer stolen"}, "Impersonate-User": {"root"}, "Impersonate-Extra-Scopes": {"all"}, "X-Kept": {"yes"},
	}})
	must(t, err)
	must(t, json.Unmarshal(answer.Body, &got))
	return got
}

// TestBorrowedCredentials_EveryRequestHasItsSendersOwn sends requests of two people over the connections of one site.
func TestBorrowedCredentials_EveryRequestHasItsSendersOwn(t *testing.T) {
	s := site(t, echo())
	ada, ben := visit(t, s, having("ada")), visit(t, s, having("ben"))
	from := map[string]bool{}
	for range 3 {
		for name, c := range map[string]*Cluster{"ada": ada, "ben": ben} {
			got := sent(t, c)
			from[got.From] = true
			if got.Get("Authorization") != "Bearer "+name || got.Get("Impersonate-User") != "" || got.Get("Impersonate-Extra-Scopes") != "" || got.Get("X-Kept") != "yes" {
				t.Errorf("%s sent %v", name, got.Headers)
			}
		}
	}
	if len(from) != 1 {
		t.Errorf("two people used %d connections for requests one after the other", len(from))
	}
}

// TestBorrowedCredentials_NoCredentialNoRequest lets a person's token be missing, empty or over.
func TestBorrowedCredentials_NoCredentialNoRequest(t *testing.T) {
	var asked atomic.Int32
	s := site(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	for name, credentials := range map[string]Credentials{
		"no grant": func() (Credential, error) { return Credential{}, SignInMissing() },
		"over":     func() (Credential, error) { return Credential{}, SignInEnded() },
		"empty":    having(""),
	} {
		var over atomic.Bool
		c := visit(t, s, func() (Credential, error) {
			if over.Load() {
				return credentials()
			}
			return Credential{Token: "good"}, nil
		})
		client, err := c.Client()
		must(t, err)
		over.Store(true)
		_, err = client.Do(t.Context(), api.Request{Path: "/version"})
		unreachable, ok := errors.AsType[*upstream.Unreachable](err)
		if !ok || !unreachable.SignIn || unreachable.HTTPStatus() != http.StatusUnauthorized {
			t.Errorf("%s: %v", name, err)
		}
		if got := visit(t, s, credentials).State(t.Context(), nil); got.Phase != Unauthorized || got.Advice == "" {
			t.Errorf("%s: the state is %+v", name, got)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("the API server got %d requests without a credential", asked.Load())
	}
}

func TestARenewedTokenNeedsNoNewConnection(t *testing.T) {
	token := "first"
	c := visit(t, site(t, echo()), func() (Credential, error) { return Credential{Token: token}, nil })
	before := sent(t, c)
	token = "second"
	after := sent(t, c)
	if after.Get("Authorization") != "Bearer second" || before.From != after.From {
		t.Errorf("%v from %s, then %v from %s", before.Headers, before.From, after.Headers, after.From)
	}
}

func TestImpersonationIsTheServersOwn(t *testing.T) {
	c := visit(t, site(t, echo()), func() (Credential, error) {
		return Credential{Token: "account", As: identity.Impersonation{User: "ada", Groups: []string{"devs", "ops"}}}, nil
	})
	got := sent(t, c)
	if got.Get("Authorization") != "Bearer account" || got.Get("Impersonate-User") != "ada" || len(got.Headers["Impersonate-Group"]) != 2 ||
		got.Get("Impersonate-Extra-Scopes") != "" {
		t.Errorf("sent %v", got.Headers)
	}
}

// TestStreamsEndWithTheirLogin ends the login of one person. The streams of another person stay, over the same connections.
func TestStreamsEndWithTheirLogin(t *testing.T) {
	s := site(t, echo())
	for name, prepare := range map[string]func(*http.Request){
		"a watch": func(r *http.Request) { r.URL.RawQuery = "watch=1" },
		"a watch that can be ended from outside": func(r *http.Request) {
			r.URL.RawQuery = "watch=1"
			ctx, cancel := context.WithCancel(r.Context())
			t.Cleanup(cancel)
			ctx, pulse := upstream.WithPulse(ctx)
			pulse.EndBy(cancel)
			*r = *r.WithContext(ctx)
		},
		"an upgrade": func(r *http.Request) { r.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"test"}} },
	} {
		registries := [2]*Registry{}
		bodies := [2]chan error{}
		for i := range registries {
			registries[i] = New(Options{})
			registries[i].Visit(s, having("t"))
			c, _ := registries[i].Get(s.Slug())
			bodies[i] = opened(t, c, prepare)
		}
		over := registries[0].Login(s.Slug()).Over
		registries[0].End()
		select {
		case err := <-bodies[0]:
			if err == nil {
				t.Errorf("%s: it sent something", name)
			}
		case <-time.After(patient):
			t.Fatalf("%s: it goes on after the end of its login", name)
		}
		select {
		case <-over:
		default:
			t.Errorf("%s: the login isn't over", name)
		}
		select {
		case err := <-bodies[1]:
			t.Errorf("%s: the stream of another person ended: %v", name, err)
		default:
		}
		registries[1].End()
		if err := <-bodies[1]; err == nil {
			t.Errorf("%s: the other stream sent something", name)
		}
	}
}

// opened sends a request, and returns what ends its response.
func opened(t *testing.T, c *Cluster, prepare func(*http.Request)) chan error {
	t.Helper()
	target, err := c.Target()
	must(t, err)
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, target.Base.String()+"/api/v1/pods", nil)
	must(t, err)
	prepare(req)
	resp, err := target.Transport.RoundTrip(req)
	must(t, err)
	end := make(chan error, 1)
	go func() {
		defer resp.Body.Close()
		_, err := bufio.NewReader(resp.Body).ReadByte()
		end <- err
	}()
	return end
}
