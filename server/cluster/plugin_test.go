package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// settled is the state of a cluster once its plugin has ended. On a busy machine, a plugin takes longer than a page waits for it.
func settled(t *testing.T, c *Cluster) State {
	t.Helper()
	for deadline := time.Now().Add(2 * patient); ; time.Sleep(10 * time.Millisecond) {
		if s := c.State(t.Context(), nil); !s.Waits || time.Now().After(deadline) {
			return s
		}
	}
}

// withPlugin is a kubeconfig whose user runs a shell script as credentials plugin.
func withPlugin(t *testing.T, server string, ca []byte, script string) *clientcmdapi.Config {
	t.Helper()
	file := filepath.Join(t.TempDir(), "plugin")
	must(t, os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	config := oneContext(server, ca)
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{Exec: &clientcmdapi.ExecConfig{
		Command: file, Args: []string{"get-token", "--flag"}, APIVersion: supportedPlugins[0],
		InteractiveMode: clientcmdapi.IfAvailableExecInteractiveMode,
	}}
	return config
}

func credential(status string) string {
	return `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":` + status + `}'`
}

func TestPluginGivesAToken(t *testing.T) {
	ca := newPKI(t)
	seen := make(chan string, 10)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("Authorization")
		answers(w, r)
	}))
	script := `[ "$1 $2" = "get-token --flag" ] && [ -n "$KUBERNETES_EXEC_INFO" ] && ! read x && ` + credential(`{"token":"from-plugin"}`)
	c := load(t, withPlugin(t, server.URL, ca.pem, script), Options{})
	if s := settled(t, c); s.Phase != Ready {
		t.Errorf("%+v", s)
	}
	if got := <-seen; got != "Bearer from-plugin" {
		t.Errorf("the server got %q", got)
	}
}

// A plugin is somebody else's program: it gets our environment, but not the token that opens Fieldmark.
func TestPluginGetsTheEnvironmentWithoutTheLaunchToken(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	file := filepath.Join(t.TempDir(), "environment")
	t.Setenv("FIELDMARK_TOKEN", "launch-token-for-tests")
	t.Setenv("FIELDMARK_TEST_KEPT", "kept")
	config := withPlugin(t, server.URL, ca.pem, "env > "+file+"; "+credential(`{"token":"from-plugin"}`))
	config.AuthInfos["u"].Exec.Env = []clientcmdapi.ExecEnvVar{{Name: "OF_THE_KUBECONFIG", Value: "given"}}
	if s := settled(t, load(t, config, Options{})); s.Phase != Ready {
		t.Errorf("%+v", s)
	}
	got, err := os.ReadFile(file)
	must(t, err)
	if strings.Contains(string(got), "launch-token-for-tests") || strings.Contains(string(got), "FIELDMARK_TOKEN") {
		t.Error("the plugin gets the launch token")
	}
	for _, want := range []string{"FIELDMARK_TEST_KEPT=kept\n", "OF_THE_KUBECONFIG=given\n", "KUBERNETES_EXEC_INFO="} {
		if !strings.Contains(string(got), want) {
			t.Errorf("it does not get %q", want)
		}
	}
}

// State is less patient with a context that has a plugin. It says that nothing came yet, not that nothing came within the probe timeout.
func TestASlowServerBehindAPluginIsWaitedFor(t *testing.T) {
	t.Parallel()
	ca := newPKI(t)
	release := make(chan struct{})
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-release
		answers(w, r)
	}))
	c := load(t, withPlugin(t, server.URL, ca.pem, credential(`{"token":"from-plugin"}`)), Options{})
	s := c.State(t.Context(), nil)
	for deadline := time.Now().Add(patient); s.Phase != Unreachable && time.Now().Before(deadline); s = c.State(t.Context(), nil) {
		if !s.Waits {
			t.Fatalf("%+v", s) // it may still wait for the plugin
		}
	}
	if !s.Waits || s.Text != "the API server has not responded yet" {
		t.Errorf("%+v", s)
	}
	if p := c.Waits(t.Context(), nil); p == nil || !p.Pending {
		t.Errorf("%+v", p)
	}
	close(release)
	if s := settled(t, c); s.Phase != Ready {
		t.Errorf("%+v", s)
	}
}

func TestEnviron(t *testing.T) {
	own := []string{"A=b", "FIELDMARK_TOKEN=secret", "fieldmark_token=secret", "FIELDMARK_TOKENS=kept", "ODD", "C=FIELDMARK_TOKEN=kept"}
	if got := strings.Join(Environ(own), " "); got != "A=b FIELDMARK_TOKENS=kept ODD C=FIELDMARK_TOKEN=kept" || own[1] != "FIELDMARK_TOKEN=secret" {
		t.Errorf("%s; ours is %q", got, own)
	}
}

func TestPluginGivesACertificate(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	cert, key := ca.issue("plugin-user", time.Now().Add(time.Hour))
	quote := func(pem []byte) string {
		text, err := json.Marshal(string(pem))
		must(t, err)
		return strings.ReplaceAll(string(text), `\n`, `\\n`) // sh's echo unquotes once
	}
	status := fmt.Sprintf(`{"clientCertificateData":%s,"clientKeyData":%s}`, quote(cert), quote(key))
	c := load(t, withPlugin(t, server.URL, ca.pem, credential(status)), Options{})
	if s := settled(t, c); s.Phase != Ready || s.User != "plugin-user" {
		t.Errorf("%+v", s)
	}
}

// Threat: kubeconfig credentials. A plugin's output reaches neither words nor logs, whatever it does.
func TestKubeconfigCredentials_PluginsThatFail(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	const tell = `echo "token: hunter2" >&2; `
	for name, c := range map[string]struct{ script, says string }{
		"exits":                  {tell + "exit 3", "failed with exit code 3"},
		"exits high":             {tell + "exit 255", "failed"},
		"is killed":              {tell + "kill -9 $$", "failed"},
		"hangs":                  {tell + "sleep 60", "did not finish within 1s, so Fieldmark stopped it"},
		"hangs, deaf to signals": {tell + "trap '' TERM INT; sleep 60 & wait; sleep 60", "did not finish within 1s"},
		"prints no JSON":         {tell + "echo hunter2", "is not a credential"},
		"prints another object":  {tell + `echo '{"kind":"Secret","data":"hunter2"}'`, "is not a credential"},
		"prints no status":       {tell + `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}'`, "is not a credential"},
		"prints half a pair":     {tell + credential(`{"clientKeyData":"hunter2"}`), "is not a credential"},
		"prints a bad pair":      {tell + credential(`{"clientKeyData":"hunter2","clientCertificateData":"hunter2"}`), "is not a credential"},
		"prints another version": {tell + `echo '{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","status":{"token":"hunter2"}}'`, "is not a credential"},
		"prints without end":     {tell + "yes hunter2", "is not a credential"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var logged lockedBuffer
			timeout := patient
			if strings.HasPrefix(name, "hangs") {
				timeout = time.Second
			}
			cluster := load(t, withPlugin(t, server.URL, ca.pem, c.script), Options{
				PluginTimeout: timeout, ProbeTimeout: 2 * patient,
				Log: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})),
			})
			began := time.Now()
			s := settled(t, cluster)
			if s.Phase != Unauthorized || !strings.Contains(s.Text, c.says) || !strings.Contains(s.Text, `"plugin"`) {
				t.Errorf("%s: %q %q", s.Phase, s.Text, s.Advice)
			}
			if took := time.Since(began); took > patient {
				t.Errorf("it took %s", took)
			}
			if all := fmt.Sprintf("%+v %s", s, logged.String()); strings.Contains(all, "hunter2") {
				t.Errorf("a secret is told: %s", all)
			}
		})
	}
}

func TestPluginsWithSoftwareMissing(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	config := withPlugin(t, server.URL, ca.pem, "")
	exec := config.AuthInfos["u"].Exec
	exec.Command, exec.Env = "no-such-plugin", []clientcmdapi.ExecEnvVar{{Name: "PATH", Value: "/usr/bin"}}
	if s := settled(t, load(t, config, Options{})); s.Phase != Unauthorized || !strings.Contains(s.Text, "not installed") {
		t.Errorf("%+v", s)
	}
	exec.Command = filepath.Join(t.TempDir(), "text")
	must(t, os.WriteFile(exec.Command, []byte("no program"), 0o700))
	if s := settled(t, load(t, config, Options{})); s.Phase != Unauthorized || !strings.Contains(s.Text, "can't be started") {
		t.Errorf("%+v", s)
	}
}

// A plugin that hangs holds nobody up: State answers in its own time and says what it waits for, requests
// leave at their deadline, and the plugin's end is told to the next who ask without running it again.
func TestHangingPluginHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	runs := filepath.Join(t.TempDir(), "runs")
	c := load(t, withPlugin(t, server.URL, ca.pem, "echo x >> "+runs+"; sleep 60"), Options{PluginTimeout: 2 * time.Second, ProbeTimeout: 200 * time.Millisecond})
	if s := c.State(t.Context(), nil); s.Phase != Unauthorized || !strings.Contains(s.Text, "has not responded yet") {
		t.Errorf("%+v", s)
	}
	client, err := c.Client()
	must(t, err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, err := client.Do(ctx, api.Request{Path: "/version"})
			if u := upstream.Unreach(err); u.Cause != upstream.Timeout {
				t.Errorf("got %v (%s)", err, u.Cause)
			}
		})
	}
	all.Wait()
	_, err = client.Do(t.Context(), api.Request{Path: "/version"})
	if u := upstream.Unreach(err); u.Cause != upstream.Credentials || !strings.Contains(u.Text, "stopped it") {
		t.Errorf("got %v", err)
	}
	for range 5 {
		if _, err := client.Do(t.Context(), api.Request{Path: "/version"}); err == nil {
			t.Error("an answer without credentials")
		}
	}
	if text, _ := os.ReadFile(runs); len(text) != len("x\n") {
		t.Errorf("the plugin ran %d times", len(text)/2)
	}
}

func TestPluginMainWantsACommand(t *testing.T) {
	for _, args := range [][]string{nil, {"--"}, {"--timeout", "soon", "--", "true"}, {"--else"}} {
		if code := PluginMain(args); code != exitUsage {
			t.Errorf("%q gave %d", args, code)
		}
	}
}

// Whoever holds the request must not see the credentials that were added to it further down.
func TestCredentialsAreAddedToACopy(t *testing.T) {
	ca := newPKI(t)
	var got http.Header
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Clone() }))
	token := oneContext(server.URL, ca.pem)
	token.AuthInfos["u"].Impersonate = "somebody"
	for name, config := range map[string]*clientcmdapi.Config{"token": token, "plugin": withPlugin(t, server.URL, ca.pem, credential(`{"token":"secret-token"}`))} {
		target, err := load(t, config, Options{}).Target()
		must(t, err)
		req := httptest.NewRequest(http.MethodPost, server.URL+"/x", strings.NewReader("body"))
		req.RequestURI = ""
		req.Header = http.Header{"authorization": {"Bearer theirs"}, "Authorization": {"Bearer theirs"}, "Impersonate-User": {"root"}, "impersonate-extra-x": {"y"}, "Accept": {"text/plain"}}
		sent := req.Header.Clone()
		resp, err := target.Transport.RoundTrip(req)
		must(t, err)
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if fmt.Sprint(req.Header) != fmt.Sprint(sent) {
			t.Errorf("%s: the request became %v", name, req.Header)
		}
		if got.Get("Authorization") != "Bearer secret-token" || got.Get("Impersonate-Extra-X") != "" || got.Get("Accept") != "text/plain" {
			t.Errorf("%s: the server got %v", name, got)
		}
		if user := got.Get("Impersonate-User"); user != config.AuthInfos["u"].Impersonate {
			t.Errorf("%s: impersonates %q", name, user)
		}
	}
}

// An expired token makes the plugin run again, and the server's no is told as such.
func TestPluginRunsAgainAfter401(t *testing.T) {
	ca := newPKI(t)
	var asked atomic.Int32
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1); r.Header.Get("Authorization") == "Bearer 1" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		answers(w, r)
	}))
	count := filepath.Join(t.TempDir(), "count")
	script := `echo x >> ` + count + `; n=$(wc -l < ` + count + `); echo "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"$((n))\"}}"`
	c := load(t, withPlugin(t, server.URL, ca.pem, script), Options{})
	if s := settled(t, c); s.Phase != Unauthorized || !strings.Contains(s.Text, "does not accept") {
		t.Errorf("%+v", s)
	}
	c.Forget()
	if s := settled(t, c); s.Phase != Ready {
		t.Errorf("%+v", s)
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}
