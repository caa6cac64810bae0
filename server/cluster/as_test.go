package cluster

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/identity"
)

var ada = identity.Impersonation{User: "ada", Groups: []string{"dev", "ops"}}

// A client's headers never choose whom a request is made as, with a view or without.
func TestSmuggledIdentity_OnlyTheServerImpersonates(t *testing.T) {
	ca := newPKI(t)
	var got http.Header
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Clone() }))
	for name, config := range map[string]*clientcmdapi.Config{
		"token": oneContext(server.URL, ca.pem), "plugin": withPlugin(t, server.URL, ca.pem, credential(`{"token":"secret-token"}`)),
	} {
		self := load(t, config, Options{})
		for as, want := range map[*Cluster]identity.Impersonation{self: {}, self.As(ada): ada, self.As(identity.Impersonation{User: "ben"}): {User: "ben"}} {
			target, err := as.Target()
			must(t, err)
			req := httptest.NewRequest(http.MethodGet, server.URL+"/x", nil)
			req.RequestURI = ""
			req.Header = http.Header{"impersonate-user": {"root"}, "Impersonate-User": {"root"}, "Impersonate-Group": {"system:masters"}, "Impersonate-Extra-X": {"y"}, "Impersonate-Uid": {"0"}}
			resp, err := target.Transport.RoundTrip(req)
			must(t, err)
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			sent := identity.Impersonation{User: got.Get("Impersonate-User"), Groups: got["Impersonate-Group"]}
			if !reflect.DeepEqual(sent, want) || len(got["Impersonate-User"]) > 1 || got.Get("Impersonate-Extra-X") != "" || got.Get("Impersonate-Uid") != "" {
				t.Errorf("%s: the server got %+v, want %+v: %v", name, sent, want, got)
			}
			if got.Get("Authorization") != "Bearer secret-token" {
				t.Errorf("%s: the server got the credential %q", name, got.Get("Authorization"))
			}
		}
	}
}

// reviewed is an API server that says as whom a request is made.
func reviewed(w http.ResponseWriter, r *http.Request) {
	if user := r.Header.Get("Impersonate-User"); user != "" && r.Method == http.MethodPost {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"status":{"userInfo":{"username":"`+user+`"}}}`)
		return
	}
	answers(w, r)
}

func TestSomebodyElsesCachesAreApart(t *testing.T) {
	ca := newPKI(t)
	self := load(t, oneContext(ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(reviewed)).URL, ca.pem), Options{})
	as := self.As(ada)
	if _, known := as.Last(); known {
		t.Error("a state is known before anybody asked for it")
	}
	if s := self.State(t.Context(), nil); s.User != "known" {
		t.Errorf("I am %+v", s)
	}
	if s := as.State(t.Context(), nil); s.User != "ada" {
		t.Errorf("as ada, I am %+v", s)
	}
	if last, known := as.Last(); !known || last.User != "ada" {
		t.Errorf("the last state is %+v", last)
	}
	if as.Slug() != self.Slug() || as.Info() != self.Info() || as.LoginInfo() != self.LoginInfo() {
		t.Error("it isn't the same cluster")
	}
}

func TestNobodyImpersonatesTwice(t *testing.T) {
	ca := newPKI(t)
	config := oneContext("https://127.0.0.1:1", ca.pem)
	config.AuthInfos["u"].Impersonate = "ben"
	_, err := load(t, config, Options{}).As(ada).Target()
	if problem, ok := errors.AsType[*Problem](err); !ok || !strings.Contains(problem.Text, `impersonate "ben"`) {
		t.Errorf("got %v", err)
	}
}

func TestAViewEndsWithTheLogin(t *testing.T) {
	ca := newPKI(t)
	file := write(t, oneContext(ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(reviewed)).URL, ca.pem))
	r, err := Load(Options{Kubeconfig: file})
	must(t, err)
	self, _ := r.Get("c")
	as := self.As(ada)
	viewed := r.With(as)
	if got, ok := viewed.Get("c"); !ok || got != as {
		t.Errorf("the view has %v", got)
	}
	if got, _ := r.Get("c"); got != self {
		t.Error("the registry itself has changed")
	}
	r.mu.Lock()
	r.drop(self)
	r.mu.Unlock()
	select {
	case <-viewed.Login("c").Over:
	default:
		t.Error("the login of the view goes on")
	}
	client := func() error { _, err := as.Client(); return err }
	if client() == nil {
		t.Error("requests go on")
	}
	if without := r.With(as); len(without.List()) != 0 {
		t.Errorf("a cluster that has gone is in %v", without.List())
	}
	if api.Code(client()) != 0 {
		t.Error("the API server was asked")
	}
}

func TestSmuggledIdentity_APersonsViewIsSentWithTheirToken(t *testing.T) {
	s := site(t, echo())
	self := visit(t, s, having("ben"))
	as := self.As(ada)
	for c, want := range map[*Cluster]string{self: "", as: "ada"} {
		if got := sent(t, c); got.Get("Authorization") != "Bearer ben" || got.Get("Impersonate-User") != want || got.Get("Impersonate-Extra-Scopes") != "" {
			t.Errorf("sent %v", got.Headers)
		}
	}
	already := visit(t, s, func() (Credential, error) {
		return Credential{Token: "own", As: identity.Impersonation{User: "ben"}}, nil
	})
	client, err := already.As(ada).Client()
	must(t, err)
	if _, err := client.Do(t.Context(), api.Request{Path: "/version"}); err == nil || !strings.Contains(err.Error(), `impersonate "ben"`) {
		t.Errorf("two impersonations: %v", err)
	}
}
