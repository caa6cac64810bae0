package cluster

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// breakage is what is wrong with a context, and what is said of it.
type breakage struct {
	breaks func(*clientcmdapi.Cluster, *clientcmdapi.AuthInfo)
	says   string
}

func breakages(ca *pki) map[string]breakage {
	cert, key := ca.issue("u", time.Now().Add(time.Hour))
	_, otherKey := ca.issue("u", time.Now().Add(time.Hour))
	plugin := func(change func(*clientcmdapi.ExecConfig)) func(*clientcmdapi.Cluster, *clientcmdapi.AuthInfo) {
		return func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) {
			u.Exec = &clientcmdapi.ExecConfig{Command: "true", APIVersion: supportedPlugins[0], InteractiveMode: clientcmdapi.NeverExecInteractiveMode}
			change(u.Exec)
		}
	}
	return map[string]breakage{
		"no server":          {func(k *clientcmdapi.Cluster, _ *clientcmdapi.AuthInfo) { k.Server = "" }, "no server URL"},
		"bad server":         {func(k *clientcmdapi.Cluster, _ *clientcmdapi.AuthInfo) { k.Server = "https://a b:9" }, "can't be used"},
		"other scheme":       {func(k *clientcmdapi.Cluster, _ *clientcmdapi.AuthInfo) { k.Server = "ftp://host" }, "can't be used"},
		"password in server": {func(k *clientcmdapi.Cluster, _ *clientcmdapi.AuthInfo) { k.Server = "ftp://u:hunter2@host" }, "can't be used"},
		"bad proxy":          {func(k *clientcmdapi.Cluster, _ *clientcmdapi.AuthInfo) { k.ProxyURL = "gopher://p:hunter2@q" }, "proxy-url"},
		"CA file missing": {func(k *clientcmdapi.Cluster, _ *clientcmdapi.AuthInfo) {
			k.CertificateAuthority, k.CertificateAuthorityData = "/none/ca", nil
		}, "/none/ca can't be read (no such file"},
		"CA is no PEM":    {func(k *clientcmdapi.Cluster, _ *clientcmdapi.AuthInfo) { k.CertificateAuthorityData = []byte("x") }, "contains no certificate"},
		"CA and insecure": {func(k *clientcmdapi.Cluster, _ *clientcmdapi.AuthInfo) { k.InsecureSkipTLSVerify = true }, "only one of them is allowed"},
		"no client key":   {func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) { u.ClientCertificateData = cert }, "but no key"},
		"client key missing": {func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) {
			u.ClientCertificateData, u.ClientKey = cert, "/none/key"
		}, "client key file /none/key"},
		"another's key": {func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) {
			u.ClientCertificateData, u.ClientKeyData = cert, otherKey
		}, "do not match"},
		"certificate missing": {func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) {
			u.ClientCertificate, u.ClientKeyData = "/none/cert", key
		}, "client certificate file /none/cert"},
		"token file missing": {func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) { u.Token, u.TokenFile = "", "/none/token" }, "token file /none/token"},
		"two ways to log in": {func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) { u.Username, u.Password = "hunter", "hunter2" }, "more than one authentication method"},
		"auth provider is gone": {func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) {
			u.AuthProvider = &clientcmdapi.AuthProviderConfig{Name: "gcp"}
		}, "gcp"},
		"plugin not installed":   {plugin(func(e *clientcmdapi.ExecConfig) { e.Command, e.InstallHint = "no-such-plugin", "brew install x" }), `"no-such-plugin" is not installed`},
		"plugin without command": {plugin(func(e *clientcmdapi.ExecConfig) { e.Command = "" }), "has no command"},
		"plugin's old API":       {plugin(func(e *clientcmdapi.ExecConfig) { e.APIVersion = "client.authentication.k8s.io/v1alpha1" }), "not supported"},
		"plugin wants to ask":    {plugin(func(e *clientcmdapi.ExecConfig) { e.InteractiveMode = clientcmdapi.AlwaysExecInteractiveMode }), "terminal"},
	}
}

func TestBrokenContextsAreToldAndHurtNoOther(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	cases := breakages(ca)
	config := oneContext(server.URL, ca.pem)
	for name, c := range cases {
		k, u := config.Clusters["k"].DeepCopy(), config.AuthInfos["u"].DeepCopy()
		c.breaks(k, u)
		config.Clusters[name], config.AuthInfos[name] = k, u
		config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	}
	config.Contexts["cluster unknown"] = &clientcmdapi.Context{Cluster: "nowhere", AuthInfo: "u"}
	config.Contexts["user unknown"] = &clientcmdapi.Context{Cluster: "k", AuthInfo: "nobody"}
	r, err := Load(Options{Kubeconfig: write(t, config), ProbeTimeout: patient})
	must(t, err)
	if n := len(r.List()); n != len(cases)+3 {
		t.Errorf("%d contexts are listed", n)
	}
	for _, c := range r.List() {
		s := c.State(t.Context(), nil)
		switch name := c.Name(); name {
		case "c":
			if s.Phase != Ready {
				t.Errorf("the sound context: %+v", s)
			}
		case "cluster unknown", "user unknown":
			wantMisconfigured(t, name, s, s.Text, "which is not in the kubeconfig")
		default:
			wantMisconfigured(t, name, s, s.Text, cases[name].says)
		}
		_, err := c.Target()
		if _, isProblem := errors.AsType[*Problem](err); isProblem != (s.Phase == Misconfigured) {
			t.Errorf("%s: Target gives %v", c.Name(), err)
		}
	}
}

func wantMisconfigured(t *testing.T, name string, s State, text, says string) {
	t.Helper()
	if s.Phase != Misconfigured || !strings.Contains(text, says) || !strings.HasSuffix(s.Advice, ".") {
		t.Errorf("%s: %s %q %q", name, s.Phase, s.Text, s.Advice)
	}
	if strings.Contains(s.Text+s.Advice, "hunter2") || strings.Contains(s.Text+s.Advice, "secret-token") {
		t.Errorf("%s: a secret is shown: %q %q", name, s.Text, s.Advice)
	}
	if name == "plugin not installed" && s.Hint != "brew install x" {
		t.Errorf("the install hint is %q", s.Hint)
	}
}

func TestWhatIsMendedWorksAtOnce(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	config := oneContext(server.URL, nil)
	file := t.TempDir() + "/ca.pem"
	config.Clusters["k"].CertificateAuthority = file
	now := time.Now()
	c := load(t, config, Options{Now: func() time.Time { return now }})
	if s := c.State(t.Context(), nil); s.Phase != Misconfigured {
		t.Errorf("%+v", s)
	}
	must(t, os.WriteFile(file, ca.pem, 0o600))
	now = now.Add(stateLife + time.Second)
	if s := c.State(t.Context(), nil); s.Phase != Ready {
		t.Errorf("%+v", s)
	}
}

func TestTokenFilesAreReadAnew(t *testing.T) {
	ca := newPKI(t)
	seen := make(chan string, 10)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("Authorization")
		answers(w, r)
	}))
	config := oneContext(server.URL, ca.pem)
	file := t.TempDir() + "/token"
	must(t, os.WriteFile(file, []byte("first"), 0o600))
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{TokenFile: file}
	c := load(t, config, Options{})
	c.State(t.Context(), nil)
	if got := <-seen; got != "Bearer first" {
		t.Errorf("got %q", got)
	}
}

func TestRelativePathsAreThoseOfTheFile(t *testing.T) {
	file := writeText(t, strings.Replace(contextsOnly("c"), "{token: t}", "{tokenFile: token}", 1))
	r, err := Load(Options{Kubeconfig: file})
	must(t, err)
	c, _ := r.Get("c")
	if _, err := c.Target(); err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(file, "config")+"token") {
		t.Errorf("got %v", err)
	}
}
