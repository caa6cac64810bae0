package pages

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// slowPlugin is a kubeconfig for the practice cluster whose user has a real plugin. The plugin prints lines on stderr and waits until the file
// done exists. Then it gives the certificate of the practice user.
func slowPlugin(t *testing.T, done string) (kubeconfig string) {
	t.Helper()
	practice, err := os.ReadFile(practiceFile(t))
	must(t, err)
	field := func(name string) string {
		found := regexp.MustCompile(name + `: "?([^"\n]+)`).FindSubmatch(practice)
		if found == nil {
			t.Fatalf("the kubeconfig has no %s", name)
		}
		return string(found[1])
	}
	pem := func(name string) string {
		text, err := base64.StdEncoding.DecodeString(field(name))
		must(t, err)
		return string(text)
	}
	credential, err := json.Marshal(map[string]any{
		"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
		"status": map[string]string{"clientCertificateData": pem("client-certificate-data"), "clientKeyData": pem("client-key-data")},
	})
	must(t, err)
	folder := t.TempDir()
	answer, script, kubeconfig := filepath.Join(folder, "credential"), filepath.Join(folder, "login-helper"), filepath.Join(folder, "config")
	must(t, os.WriteFile(answer, credential, 0o600))
	must(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\necho 'Open https://login.example/<b>device</b> in a browser, password: hunter2' >&2\nwhile [ ! -e %s ]; do sleep 0.05; done\ncat %s\n", done, answer), 0o700))
	must(t, os.WriteFile(kubeconfig, fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: k, cluster: {server: %q, certificate-authority-data: %s}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: %s, interactiveMode: Never}}}]
contexts: [{name: helped, context: {cluster: k, user: u}}]
`, field("server"), field("certificate-authority-data"), script), 0o600))
	return kubeconfig
}

// A credentials plugin waits for a person. Each page says so soon, with the line that the plugin printed, as plain text and without the password.
// When the plugin ends, the pages show the cluster.
func TestPagesSayWhatAPluginWaitsFor(t *testing.T) {
	done := filepath.Join(t.TempDir(), "done")
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: slowPlugin(t, done)})
	must(t, err)
	s := newSite(t, clusters)
	const said = "The credentials plugin \"login-helper\" has not responded yet; it says: “Open https://login.example/<b>device</b> in a browser, password: [redacted]”"
	for address, code := range map[string]int{"/": 200, "/c/helped/api/v1/namespaces": 503, "/c/helped": 503, "/c/helped/-/discovery": 503, "/c/helped/api/v1/namespaces/default": 503} {
		p := s.get(address)
		for deadline := time.Now().Add(time.Minute); !strings.Contains(p.main(), said) && time.Now().Before(deadline); {
			p = s.get(address)
		}
		p.says(said).inert()
		if p.code != code || strings.Contains(p.body, "hunter2") {
			t.Errorf("%s: %d", address, p.code)
		}
	}
	must(t, os.WriteFile(done, nil, 0o600))
	p := s.get("/c/helped/api/v1/namespaces")
	for deadline := time.Now().Add(time.Minute); p.code != http.StatusOK && time.Now().Before(deadline); {
		p = s.get("/c/helped/api/v1/namespaces")
	}
	p.says("kube-system").inert()
	s.want(http.StatusOK, "/").says("Connected.")
}
