package people

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
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

// house has people, and a cluster "k" that responds with the credential of each request.
type house struct {
	*People
	t         *testing.T
	now       time.Time
	forgotten []string
}

func newHouse(t *testing.T, change ...func(*Options)) *house {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s as %q %q", r.Header.Get("Authorization"), r.Header.Get("Impersonate-User"), r.Header.Values("Impersonate-Group"))
	}))
	t.Cleanup(server.Close)
	h := &house{t: t, now: time.Now()}
	o := Options{Sites: sites(t, server), Now: func() time.Time { return h.now }, Forgotten: func(id string) { h.forgotten = append(h.forgotten, id) }}
	for _, c := range change {
		c(&o)
	}
	h.People = New(o)
	return h
}

func sites(t *testing.T, server *httptest.Server) []*cluster.Site {
	t.Helper()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	file := filepath.Join(t.TempDir(), "clusters")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters:\n- name: k\n  cluster:\n    server: %s\n    certificate-authority-data: %s\n",
		server.URL, base64.StdEncoding.EncodeToString(ca))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := cluster.ReadSites(file)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// comes lets a session send a request with a token that ends after some time; zero: never.
func (h *house) comes(id, person, token string, lasts time.Duration) {
	grant := identity.Grant{Token: token}
	if lasts != 0 {
		grant.Expires = h.now.Add(lasts)
	}
	h.Seen(guard.Session{ID: id, Person: &identity.Person{Key: person, Grants: map[string]identity.Grant{"k": grant}}})
}

// sends is what the API server says of a session's request, or why none is sent.
func (h *house) sends(id string) string {
	h.t.Helper()
	c, ok := h.For(identity.WithSession(h.t.Context(), id)).Get("k")
	if !ok {
		return "no cluster"
	}
	client, err := c.Client()
	if err != nil {
		return err.Error()
	}
	answer, err := client.Do(h.t.Context(), api.Request{Path: "/version"})
	if err != nil {
		return err.Error()
	}
	return string(answer.Body)
}

func (h *house) want(id, says string) {
	h.t.Helper()
	if got := h.sends(id); !strings.Contains(got, says) {
		h.t.Errorf("session %s: %s, want %s", id, got, says)
	}
}

func TestTwoSessions_EachHasItsPersonsCredentials(t *testing.T) {
	h := newHouse(t)
	h.comes("s1", "ada", "of ada", 0)
	h.comes("s2", "ben", "of ben", 0)
	h.want("s1", "Bearer of ada")
	h.want("s2", "Bearer of ben")
	h.want("", "no cluster")
	h.want("s3", "no cluster")
}

func TestTheNewestGrantCounts(t *testing.T) {
	h := newHouse(t)
	h.comes("s", "ada", "first", time.Minute)
	h.comes("s", "ada", "second", 2*time.Minute)
	h.comes("s", "ada", "first", time.Minute) // a request with an older cookie, which arrived later
	h.want("s", "Bearer second")
	h.comes("s", "ada", "third", 0) // nobody knows when it ends
	h.want("s", "Bearer third")
}

// A proxy in front says which token is the newest, also if an older one would end later: that one may have been revoked.
func TestBorrowedCredentials_AProxysNewestTokenIsSent(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct {
		token string
		ends  time.Duration
	}{{"long", time.Hour}, {"short", time.Minute}, {"shorter", time.Second}} {
		h.Seen(guard.Session{ID: "s", Person: &identity.Person{
			Key: "ada", Way: identity.Proxy, Grants: map[string]identity.Grant{"k": {Token: c.token, Expires: h.now.Add(c.ends)}},
		}})
		h.want("s", "Bearer "+c.token)
	}
}

// A watch or a connection of a program may last for hours without another request of its session.
func TestASessionWithAnOpenRequestIsInUse(t *testing.T) {
	h := newHouse(t)
	h.comes("s", "ada", "of ada", 0)
	done := h.busy(identity.ViewID("s", identity.View{Cluster: "k"}, "1"))
	h.now = h.now.Add(24 * time.Hour)
	h.Sweep()
	h.want("s", "Bearer of ada")
	h.now = h.now.Add(24 * time.Hour)
	done()
	h.Sweep()
	h.want("s", "Bearer of ada")
	h.now = h.now.Add(24 * time.Hour)
	h.Sweep()
	h.want("s", "no cluster")
	h.busy("s")() // a session that isn't known
}

func TestAGrantThatEnds(t *testing.T) {
	h := newHouse(t)
	h.comes("s", "ada", "short", time.Minute)
	h.want("s", "Bearer short")
	h.now = h.now.Add(time.Minute)
	h.want("s", "your sign-in for this cluster has ended")
	h.comes("s", "ada", "renewed", time.Minute)
	h.want("s", "Bearer renewed")
	h.Seen(guard.Session{ID: "other", Person: &identity.Person{Key: "ada"}})
	h.want("other", "you are not signed in for this cluster")
}

// TestTwoSessions_ANewPersonGetsNothingOfTheOld signs another person in with the same session.
func TestTwoSessions_ANewPersonGetsNothingOfTheOld(t *testing.T) {
	h := newHouse(t)
	h.comes("s", "ada", "of ada", 0)
	ctx := identity.WithSession(t.Context(), "s")
	before := h.For(ctx)
	over := before.Login("k").Over
	h.comes("s", "ben", "of ben", 0)
	select {
	case <-over:
	default:
		t.Error("the login of the first person goes on")
	}
	if before == h.For(ctx) || !slices.Equal(h.forgotten, []string{"s"}) {
		t.Errorf("the data of the first person is kept; forgotten: %q", h.forgotten)
	}
	h.want("s", "Bearer of ben")
}

func TestSessionsAreForgotten(t *testing.T) {
	for name, c := range map[string]struct {
		happens   func(*house)
		forgotten []string
	}{
		"unused for long": {func(h *house) { h.now = h.now.Add(time.Hour); h.Sweep() }, []string{"first"}},
		"used of late": {func(h *house) {
			h.now = h.now.Add(20 * time.Minute)
			h.sends("first")
			h.now = h.now.Add(20 * time.Minute)
			h.Sweep()
		}, nil},
		"signed out": {func(h *house) { h.EndSession("first") }, nil},
		"the person has too many": {func(h *house) {
			for i := range 3 {
				h.now = h.now.Add(time.Second)
				h.comes(fmt.Sprint("ada", i), "ada", "t", 0)
			}
		}, []string{"first"}},
		"the server has too many": {func(h *house) {
			for i := range 5 {
				h.now = h.now.Add(time.Second)
				h.comes(fmt.Sprint("s", i), fmt.Sprint("p", i), "t", 0)
			}
		}, []string{"first"}},
	} {
		h := newHouse(t, func(o *Options) { o.MaxPerson, o.MaxSessions = 3, 5 })
		h.comes("first", "ada", "t", 0)
		over := h.For(identity.WithSession(t.Context(), "first")).Login("k").Over
		c.happens(h)
		if !slices.Equal(h.forgotten, c.forgotten) {
			t.Errorf("%s: forgotten: %q", name, h.forgotten)
		}
		ended := name != "used of late"
		select {
		case <-over:
			if !ended {
				t.Errorf("%s: the login has ended", name)
			}
		default:
			if ended {
				t.Errorf("%s: the login goes on", name)
			}
		}
		if h.Count() > 5 {
			t.Errorf("%s: %d sessions are kept", name, h.Count())
		}
	}
}

func TestImpersonation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	must(t, os.WriteFile(file, []byte("account-1\n"), 0o600))
	var h *house
	h = newHouse(t, func(o *Options) {
		account, err := NewAccount(file, func() time.Time {
			if h == nil {
				return time.Time{}
			}
			return h.now
		}, nil)
		must(t, err)
		o.Accounts = map[string]*Account{"k": account}
	})
	as := func(user string, groups ...string) {
		h.Seen(guard.Session{ID: "s", Person: &identity.Person{Key: "ada", Grants: map[string]identity.Grant{
			"k": {As: identity.Impersonation{User: user, Groups: groups}},
		}}})
	}
	as("ada", "devs", "ops")
	h.want("s", `Bearer account-1 as "ada" ["devs" "ops"]`)
	must(t, os.WriteFile(file, []byte("account-2"), 0o600))
	h.now = h.now.Add(time.Minute)
	h.want("s", "Bearer account-2")
	must(t, os.Remove(file))
	h.now = h.now.Add(time.Minute)
	h.want("s", "Bearer account-2")
	as("system:admin")
	h.want("s", "never impersonates")
	as("ada", "devs", "system:masters")
	h.want("s", "never impersonates")
	as(" system:admin")
	h.want("s", "never impersonates")
	as("ada", " devs")
	h.want("s", "never impersonates")
}

func TestImpersonationNeedsAnAccount(t *testing.T) {
	h := newHouse(t)
	h.Seen(guard.Session{ID: "s", Person: &identity.Person{Key: "ada", Grants: map[string]identity.Grant{"k": {As: identity.Impersonation{User: "ada"}}}}})
	h.want("s", "Fieldmark has no account of its own")
	empty := filepath.Join(t.TempDir(), "token")
	must(t, os.WriteFile(empty, []byte("\n"), 0o600))
	for _, file := range []string{empty, empty + "x"} {
		if _, err := NewAccount(file, nil, nil); err == nil {
			t.Errorf("an account of %s", file)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A person stays the same while they view a cluster as somebody else: their newest token counts for both.
func TestAViewIsOfItsSession(t *testing.T) {
	h := newHouse(t)
	h.comes(identity.ViewID("s1", identity.View{Cluster: "k", As: identity.Impersonation{User: "cleo"}}, "1"), "ada", "of ada", 0)
	h.want("s1", "Bearer of ada")
	if n := h.Count(); n != 1 {
		t.Errorf("%d sessions", n)
	}
	for id, want := range map[string]string{"s1": "ada", identity.ViewID("s1", identity.View{Cluster: "k"}, "1"): "ada", "unknown": ""} {
		if got := h.Owner(id); got != want {
			t.Errorf("%s is of %q", id, got)
		}
	}
}
