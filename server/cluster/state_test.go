package cluster

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/fieldmark/fieldmark/server/api"
)

func TestStates(t *testing.T) {
	ca, other := newPKI(t), newPKI(t)
	good := time.Now().Add(time.Hour)
	ok := ca.serve(good, http.HandlerFunc(answers))
	code := func(n int) string {
		return ca.serve(good, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(n) })).URL
	}
	plain := httptest.NewServer(http.HandlerFunc(answers))
	t.Cleanup(plain.Close)
	const probe = 3 * time.Second
	for name, c := range map[string]struct {
		server string
		change func(*clientcmdapi.Config)
		phase  Phase
		says   string
	}{
		"ready":            {ok.URL, nil, Ready, "connected"},
		"bad CA":           {ok.URL, func(c *clientcmdapi.Config) { c.Clusters["k"].CertificateAuthorityData = other.pem }, Untrusted, "authority"},
		"expired":          {ca.serve(time.Now().Add(-time.Hour), http.HandlerFunc(answers)).URL, nil, Untrusted, "expired on"},
		"wrong host":       {strings.Replace(ok.URL, "127.0.0.1", "localhost", 1), nil, Untrusted, `"localhost"`},
		"refused":          {"https://" + unusedAddress(t), nil, Unreachable, "nothing listens"},
		"hanging":          {"https://" + hangingAddress(t), nil, Unreachable, "respond"},
		"unknown host":     {"https://no-such-host.invalid:6443", nil, Unreachable, "not known"},
		"not TLS":          {strings.Replace(plain.URL, "http:", "https:", 1), nil, Misconfigured, "does not use TLS"},
		"closes at once":   {"https://" + closingAddress(t), nil, Unreachable, "the connection broke"},
		"401":              {code(401), nil, Unauthorized, "credentials"},
		"503":              {code(503), nil, Starting, "not ready"},
		"500":              {code(500), nil, Failed, "500"},
		"404 everywhere":   {code(404), nil, Failed, "not an API server"},
		"redirects":        {code(302), nil, Failed, "not an API server"},
		"not even JSON":    {code(200), nil, Failed, "does not respond like an API server"},
		"insecure, told":   {ok.URL, insecure, Ready, "connected"},
		"unusable proxy":   {ok.URL, func(c *clientcmdapi.Config) { c.Clusters["k"].ProxyURL = "http://" + unusedAddress(t) }, Unreachable, "proxy"},
		"without any user": {ok.URL, func(c *clientcmdapi.Config) { c.Contexts["c"].AuthInfo = "" }, Ready, "connected"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := oneContext(c.server, ca.pem)
			if c.change != nil {
				c.change(config)
			}
			s := load(t, config, Options{ProbeTimeout: probe}).State(t.Context(), nil)
			if s.Phase != c.phase || !strings.Contains(s.Text, c.says) {
				t.Errorf("got %s: %s — %s", s.Phase, s.Text, s.Advice)
			}
			if (s.Advice == "") != (s.Phase == Ready) {
				t.Errorf("advice %q", s.Advice)
			}
			if s.CheckedAt.IsZero() {
				t.Error("it is not told when")
			}
		})
	}
}

func insecure(c *clientcmdapi.Config) {
	c.Clusters["k"].CertificateAuthorityData, c.Clusters["k"].InsecureSkipTLSVerify = nil, true
}

func TestStateTellsWhoWeAre(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	config := oneContext(server.URL, ca.pem)
	s := load(t, config, Options{}).State(t.Context(), nil)
	if s.Version != "v1.37.1" || s.User != "known" || len(s.Notes) != 0 {
		t.Errorf("%+v", s)
	}
	cert, key := ca.issue("by-certificate", time.Now().Add(time.Hour))
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{ClientCertificateData: cert, ClientKeyData: key}
	if s := load(t, config, Options{}).State(t.Context(), nil); s.User != "by-certificate" {
		t.Errorf("%+v", s)
	}
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{}
	insecure(config)
	s = load(t, config, Options{}).State(t.Context(), nil)
	told := func(word string) bool {
		return slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, word) })
	}
	if !told("insecure-skip-tls-verify") || !told("anonymous") {
		t.Errorf("%+v", s)
	}
}

func TestOneSlowClusterDelaysNoOther(t *testing.T) {
	t.Parallel()
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	config := oneContext(server.URL, ca.pem)
	config.Clusters["hangs"] = &clientcmdapi.Cluster{Server: "https://" + hangingAddress(t), CertificateAuthorityData: ca.pem}
	config.Contexts["hangs"] = &clientcmdapi.Context{Cluster: "hangs", AuthInfo: "u"}
	r, err := Load(Options{Kubeconfig: write(t, config), ProbeTimeout: 2 * time.Second})
	must(t, err)
	fast := make(chan time.Duration)
	began := time.Now()
	go func() {
		c, _ := r.Get("c")
		c.State(t.Context(), nil)
		fast <- time.Since(began)
	}()
	states := States(t.Context(), r.List(), unrecorded)
	if took := <-fast; took > 1800*time.Millisecond {
		t.Errorf("the fast one took %s", took)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("all took %s", took)
	}
	if states[0].Phase != Ready || states[1].Phase != Unreachable {
		t.Errorf("%+v", states)
	}
}

func TestStateIsAskedOnceForAll(t *testing.T) {
	ca := newPKI(t)
	asked := make(chan string, 100)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		answers(w, r)
	}))
	now := time.Now()
	c := load(t, oneContext(server.URL, ca.pem), Options{Now: func() time.Time { return now }})
	list := slices.Repeat([]*Cluster{c}, 10)
	States(t.Context(), list, unrecorded)
	States(t.Context(), list, unrecorded)
	if n := len(asked); n != 2 {
		t.Errorf("%d requests instead of 2", n)
	}
	c.Forget()
	c.State(t.Context(), nil)
	if n := len(asked); n != 4 {
		t.Errorf("%d requests instead of 4", n)
	}
}

func TestStateOfWhoeverLeft(t *testing.T) {
	ca := newPKI(t)
	c := load(t, oneContext("https://"+hangingAddress(t), ca.pem), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s := c.State(ctx, nil); s.Phase != Unreachable {
		t.Errorf("%+v", s)
	}
}

// Threat: lost API server. A cluster that was made anew has a new authority; once the CA file is replaced, no restart is needed.
func TestLostServer_NewAuthority(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	file := filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(file, newPKI(t).pem, 0o600))
	config := oneContext(server.URL, nil)
	config.Clusters["k"].CertificateAuthority = file
	c := load(t, config, Options{})
	if s := c.State(t.Context(), nil); s.Phase != Untrusted {
		t.Errorf("%+v", s)
	}
	must(t, os.WriteFile(file, ca.pem, 0o600))
	c.Forget()
	if s := c.State(t.Context(), nil); s.Phase != Ready {
		t.Errorf("%+v", s)
	}
}

// Threat: lost API server. What comes back is found without a restart.
func TestLostServer_ServerComesBack(t *testing.T) {
	socket, address := bound(t)
	now := time.Now()
	config := oneContext("http://"+address, nil)
	c := load(t, config, Options{Now: func() time.Time { return now }})
	if s := c.State(t.Context(), nil); s.Phase != Unreachable {
		t.Errorf("%+v", s)
	}
	server := &http.Server{Addr: address, Handler: http.HandlerFunc(answers), ReadHeaderTimeout: time.Second}
	listener := listenAt(t, socket)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	now = now.Add(stateLife + time.Millisecond)
	s := c.State(t.Context(), nil)
	if s.Phase != Ready || len(s.Notes) != 2 || !strings.Contains(s.Notes[1], "http://") {
		t.Errorf("%+v", s)
	}
}

func TestAuthProviderThatFails(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	config := oneContext(server.URL, ca.pem)
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{AuthProvider: &clientcmdapi.AuthProviderConfig{
		Name: "oidc", Config: map[string]string{"idp-issuer-url": server.URL, "client-id": "hunter2"},
	}}
	if s := load(t, config, Options{}).State(t.Context(), nil); s.Phase != Unauthorized || !strings.Contains(s.Text, `"oidc" gave no credentials`) {
		t.Errorf("%+v", s)
	}
}

// Whoever was slow once does not hold up every page that follows.
func TestSlowClustersAreNotWaitedForAgain(t *testing.T) {
	t.Parallel()
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	for name, config := range map[string]*clientcmdapi.Config{
		"network": oneContext("https://"+hangingAddress(t), ca.pem),
		"plugin":  withPlugin(t, server.URL, ca.pem, "sleep 60"),
	} {
		c := load(t, config, Options{ProbeTimeout: 2 * time.Second, PluginTimeout: 5 * time.Second})
		first := c.State(t.Context(), nil)
		if name == "network" {
			c.state.forgetOlder(time.Now().Add(time.Hour)) // as if seconds had passed
		}
		began := time.Now()
		second := c.State(t.Context(), nil)
		if took := time.Since(began); took > 1800*time.Millisecond {
			t.Errorf("%s: it took %s again", name, took)
		}
		if first.Phase == Ready || second.Phase != first.Phase {
			t.Errorf("%s: first %+v, then %+v", name, first, second)
		}
	}
}

// A glance shows what is known, and says that it isn't the last word.
func TestAGlanceDoesNotWait(t *testing.T) {
	t.Parallel()
	ca, hangs, over := newPKI(t), make(chan struct{}), make(chan struct{})
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-hangs:
			<-over
		default:
			answers(w, r)
		}
	}))
	t.Cleanup(func() { close(over) })
	config := oneContext(server.URL, ca.pem)
	config.Clusters["hangs"] = &clientcmdapi.Cluster{Server: "https://" + hangingAddress(t), CertificateAuthorityData: ca.pem}
	config.Contexts["hangs"] = &clientcmdapi.Context{Cluster: "hangs", AuthInfo: "u"}
	r, err := Load(Options{Kubeconfig: write(t, config), ProbeTimeout: time.Minute})
	must(t, err)
	glance := func() []State { return Glances(t.Context(), r.List(), 20*time.Millisecond, unrecorded) }
	states := glance()
	for states[0].Phase != Ready || states[0].Waits {
		states = glance()
	}
	if states[1].Phase != Checking || !states[1].Waits || states[1].CheckedAt.IsZero() {
		t.Errorf("the one that hangs: %+v", states[1])
	}
	close(hangs)
	c, _ := r.Get("c")
	c.state.forgetOlder(time.Now().Add(time.Hour)) // as if seconds had passed
	if states = glance(); states[0].Phase != Ready || !states[0].Waits {
		t.Errorf("a known one that hangs now: %+v", states[0])
	}
}

// unrecorded has a cluster asked by its own client.
func unrecorded(*Cluster) *api.Client { return nil }
