package promises

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// parity is what all parts share: one kubectl, two ways to one cluster, and a place to look at.
type parity struct {
	kubectl string
	home    string
	run     string // names what this run makes
	direct  side
	through side
	shared  place
}

// side is one way to the cluster. Both have the same contexts: admin, who may do everything, and viewer, who may not.
type side struct {
	name       string
	kubeconfig string
	cache      string // of what the server offers; kubectl keeps it on disk
	server     string // as kubectl tells it
}

func newParity(t *testing.T) *parity {
	t.Helper()
	practice, dir := practiceKubeconfig(t), t.TempDir()
	p := &parity{kubectl: kubectlProgram(t), home: dir, run: random(t, 3)}
	p.direct = side{name: "directly", kubeconfig: filepath.Join(dir, "direct"), cache: filepath.Join(dir, "direct-cache")}
	p.through = side{name: "through Fieldmark", kubeconfig: filepath.Join(dir, "through"), cache: filepath.Join(dir, "through-cache")}
	p.copyContexts(t, practice)
	startFieldmark(t, p.direct.kubeconfig, p.through.kubeconfig)
	for _, s := range []*side{&p.direct, &p.through} {
		s.server = p.must(t, *s, "", step{args: "config view --minify -o jsonpath={.clusters[0].cluster.server}"})
		p.must(t, *s, "", step{args: "get namespace default"}) // fills the cache before anyone counts requests
	}
	if !strings.HasSuffix(p.through.server, "/clusters/admin") || strings.HasPrefix(p.through.server, p.direct.server) {
		t.Fatalf("%s is not Fieldmark's way to %s: both sides would be one", p.through.server, p.direct.server)
	}
	t.Cleanup(func() { p.removeNamespaces(t) })
	p.stage(t)
	return p
}

// copyContexts gives the practice cluster's contexts names that Fieldmark doesn't keep for its own practice cluster.
func (p *parity) copyContexts(t *testing.T, kubeconfig string) {
	t.Helper()
	content, err := os.ReadFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.direct.kubeconfig, content, 0o600); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"practice": "admin", "practice-viewer": "viewer"} {
		rename := exec.CommandContext(t.Context(), p.kubectl, "--kubeconfig", p.direct.kubeconfig, "config", "rename-context", from, to)
		if out, err := rename.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

func kubectlProgram(t *testing.T) string {
	t.Helper()
	if program := os.Getenv(kubectlEnv); program != "" {
		return program
	}
	program, err := exec.LookPath("kubectl")
	if err != nil {
		t.Fatalf("%s names no kubectl, and there is none in the PATH", kubectlEnv)
	}
	return program
}

func random(t *testing.T, bytes int) string {
	t.Helper()
	b := make([]byte, bytes)
	if _, err := rand.Read(b); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(b)
}

// removeNamespaces takes away what this run has made, and waits until it is gone.
func (p *parity) removeNamespaces(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	gone := p.call(ctx, p.direct, "", step{args: "delete namespaces --wait -l parity=" + p.run})
	if gone.code != 0 {
		t.Errorf("namespaces of this test are left: %s%s", gone.stdout, gone.stderr)
	}
}
