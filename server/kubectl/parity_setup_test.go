package kubectl_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The environment that make test-cluster gives to tests.
const (
	practiceEnv  = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"
	fieldmarkEnv = "FIELDMARK_BIN"
	kubectlEnv   = "FIELDMARK_KUBECTL"
)

// patience bounds every waiting, so that a broken cluster ends a test with words and not with a stack.
const patience = 60 * time.Second

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
	practice, dir := os.Getenv(practiceEnv), t.TempDir()
	if practice == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no kubeconfig of a running practice cluster; make test starts one", practiceEnv)
	}
	p := &parity{kubectl: kubectlProgram(t), home: dir, run: random(t, 3)}
	p.direct = side{name: "directly", kubeconfig: filepath.Join(dir, "direct"), cache: filepath.Join(dir, "direct-cache")}
	p.through = side{name: "through Fieldmark", kubeconfig: filepath.Join(dir, "through"), cache: filepath.Join(dir, "through-cache")}
	p.copyContexts(t, practice)
	startFieldmark(t, fieldmarkProgram(t), p.direct.kubeconfig, p.through.kubeconfig)
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

func fieldmarkProgram(t *testing.T) string {
	t.Helper()
	if program := os.Getenv(fieldmarkEnv); program != "" {
		return program
	}
	program := filepath.Join(t.TempDir(), "fieldmark")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "github.com/fieldmark/fieldmark/server")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// startFieldmark returns when Fieldmark says that it is ready. It ends with the test, and also if the test is killed:
// then its standard input ends.
func startFieldmark(t *testing.T, program, kubeconfig, out string) {
	t.Helper()
	server := exec.Command("../../dev/scripts/die-with-stdin.sh", program, "--listen", "127.0.0.1:0", "--practice", "off",
		"--kubeconfig", kubeconfig, "--kubeconfig-out", out, "--allow-workload-proxy")
	alive, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log := newRecording()
	server.Stderr = log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(stdout).ReadString('\n') // what was read tells
		lines <- line
	}()
	t.Cleanup(func() { stopFieldmark(t, server, alive, log, out) })
	select {
	case line := <-lines:
		if !strings.HasPrefix(line, "Fieldmark is ready at ") {
			t.Fatalf("Fieldmark did not start: %s%s", line, log)
		}
	case <-time.After(patience):
		t.Fatalf("Fieldmark is not ready after %s: %s", patience, log)
	}
}

func stopFieldmark(t *testing.T, server *exec.Cmd, alive io.Closer, log *recording, kubeconfig string) {
	t.Helper()
	_ = alive.Close()
	late := time.AfterFunc(patience, func() { _ = server.Process.Kill() })
	defer late.Stop()
	if err := server.Wait(); err != nil {
		t.Errorf("Fieldmark did not end well: %v", err)
	}
	if _, err := os.Stat(kubeconfig); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the kubeconfig with the launch token is still there: %v", err)
	}
	if t.Failed() {
		t.Logf("Fieldmark's log:\n%s", log)
	}
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
