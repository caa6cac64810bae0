package viewas

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// kubeconfig has two contexts, "one" and "two", of an API server that responds with the impersonated user.
func kubeconfig(t *testing.T) *cluster.Registry {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, "%s %v", r.Header.Get("Impersonate-User"), r.Header["Impersonate-Group"])
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "config")
	text := strings.ReplaceAll(`{"apiVersion":"v1","kind":"Config","clusters":[{"name":"k","cluster":{"server":"URL"}}],
		"contexts":[{"name":"one","context":{"cluster":"k"}},{"name":"two","context":{"cluster":"k"}}]}`, "URL", server.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := cluster.Load(cluster.Options{Kubeconfig: file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bySession is a source like that of the shared mode: it tells which session it was asked for.
type bySession struct {
	*cluster.Registry
	asked []string
}

func (b *bySession) For(ctx context.Context) *cluster.Registry {
	b.asked = append(b.asked, identity.SessionOf(ctx))
	return b.Registry
}

var ada = identity.View{Cluster: "one", As: identity.Impersonation{User: "ada", Groups: []string{"dev", "ops"}}}

func viewing(session string, v identity.View) guard.Session {
	return guard.Session{ID: identity.ViewID(session, v, "1"), Kind: guard.Cookie, View: v}
}

// as is whom a request of a session is made as.
func as(t *testing.T, s *Source, session, slug string) string {
	t.Helper()
	c, ok := s.For(identity.WithSession(t.Context(), session)).Get(slug)
	if !ok {
		return "no cluster"
	}
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(t.Context(), api.Request{Path: "/x"})
	if err != nil {
		t.Fatal(err)
	}
	return string(answer.Body)
}

func TestAViewIsOfOneCluster(t *testing.T) {
	own := &bySession{Registry: kubeconfig(t)}
	s := New(Options{Clusters: own})
	v := viewing("browser-1", ada)
	s.see(v)
	for _, c := range []struct{ session, slug, want string }{
		{"browser-1", "one", " []"},
		{v.ID, "one", "ada [dev ops]"},
		{v.ID, "two", " []"},
		{v.ID, "three", "no cluster"},
	} {
		if got := as(t, s, c.session, c.slug); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.session, c.slug, got, c.want)
		}
	}
	if slices.ContainsFunc(own.asked, func(id string) bool { return id != "browser-1" }) {
		t.Errorf("the sessions' own source was asked for %v", own.asked)
	}
	first, _ := s.For(identity.WithSession(t.Context(), v.ID)).Get("one")
	if again, _ := s.For(identity.WithSession(t.Context(), v.ID)).Get("one"); again != first {
		t.Error("each request has a cluster of its own, without what others have read")
	}
}

func TestHostileView_AViewThatIsNotKnownHasNoClusters(t *testing.T) {
	s := New(Options{Clusters: kubeconfig(t)})
	v := viewing("browser-1", ada)
	if got := as(t, s, v.ID, "one"); got != "no cluster" {
		t.Errorf("before it is known: %q", got)
	}
	s.see(v)
	s.EndSession("browser-1")
	if got := as(t, s, v.ID, "two"); got != "no cluster" {
		t.Errorf("after the session: %q", got)
	}
}

func TestViewsAreForgotten(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	var ended []string
	s := New(Options{Clusters: kubeconfig(t), Now: func() time.Time { return now }, Ended: func(id string) { ended = append(ended, id) }})
	mine, other := viewing("browser-1", ada), viewing("browser-2", ada)
	s.see(mine)
	s.see(other)
	s.EndSession("browser-1")
	if !slices.Equal(ended, []string{mine.ID}) || len(s.views) != 1 {
		t.Errorf("after the session: %v", ended)
	}
	s.EndSession(other.ID) // the guard has told everybody else already
	if len(ended) != 1 || len(s.views) != 0 {
		t.Errorf("after the view: %v", ended)
	}
	s.see(mine)
	now = now.Add(idle)
	s.see(other)
	if !slices.Equal(ended, []string{mine.ID, mine.ID}) || len(s.views) != 1 {
		t.Errorf("after an hour: %v", ended)
	}
	ended = nil
	for n := range maxViews {
		now = now.Add(time.Second)
		s.see(viewing(fmt.Sprint("browser-", n+3), ada))
	}
	if !slices.Equal(ended, []string{other.ID}) || len(s.views) != maxViews {
		t.Errorf("with many: %v, %d", ended, len(s.views))
	}
}

// The browser's cookie is the only memory of a view: another replica, or this one after it has forgotten, learns it from the next request.
func TestViewsAreLearnedFromRequests(t *testing.T) {
	token, ended := "launch-token-for-tests", ""
	var s *Source
	g, err := guard.New(guard.Options{Listen: []string{"127.0.0.1:8080"}, Token: token, SessionEnded: func(id string) { ended = id; s.EndSession(id) }})
	if err != nil {
		t.Fatal(err)
	}
	s = New(Options{Clusters: kubeconfig(t)})
	var id string
	var then func(http.ResponseWriter, *http.Request)
	handler := g.Wrap(s.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id = identity.SessionOf(r.Context())
		then(w, r)
	})))
	var cookies []*http.Cookie
	send := func(method, target, body string) {
		r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
		r.Host = "127.0.0.1:8080"
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		_, _ = io.Copy(io.Discard, w.Result().Body)
		cookies = append(cookies, w.Result().Cookies()...)
	}
	send(http.MethodPost, guard.SignInPath, "token="+token)
	then = func(w http.ResponseWriter, r *http.Request) {
		if err := g.SetView(w, r, ada); err != nil {
			t.Error(err)
		}
	}
	send(http.MethodPost, "/x", "")
	then = func(http.ResponseWriter, *http.Request) {}
	send(http.MethodGet, "/x", "")
	if got := as(t, s, id, "one"); got != "ada [dev ops]" {
		t.Errorf("%s: %q", id, got)
	}
	then = func(w http.ResponseWriter, r *http.Request) {
		if err := g.SetView(w, r, identity.View{}); err != nil {
			t.Error(err)
		}
	}
	send(http.MethodPost, "/x", "")
	if ended != id || as(t, s, id, "one") != "no cluster" {
		t.Errorf("after the end of %s: %s ended", id, ended)
	}
}
