package promises

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
)

func TestProgressIsToldStepByStep(t *testing.T) {
	p := sharedCluster(t)
	events, _ := p.soFar()
	if len(p.bad) > 0 {
		t.Errorf("lines that are no events: %q", p.bad)
	}
	var done []string
	started := map[string]bool{}
	for i, e := range events {
		if i > 0 && e.ElapsedMS < events[i-1].ElapsedMS {
			t.Errorf("time ran backwards at %+v", e)
		}
		if e.State == "started" {
			started[e.Step] = true
		}
		if e.State == "done" {
			done = append(done, e.Step)
			if !started[e.Step] && e.Step != "ready" {
				t.Errorf("%s was done before it was started", e.Step)
			}
		}
	}
	if len(done) != 9 || !slices.Equal(done[:4], []string{"folder", "certificates", "etcd", "apiserver"}) || done[8] != "ready" {
		t.Errorf("the steps came in this order: %v", done)
	}
	for _, step := range []string{"controllers", "nodes", "content", "aggregated"} {
		if !slices.Contains(done, step) {
			t.Errorf("%s was not told", step)
		}
	}
}

func TestKubeconfig(t *testing.T) {
	p := sharedCluster(t)
	for _, path := range []string{p.kubeconfig(), filepath.Join(filepath.Dir(p.dir), "kubeconfig")} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", path, info.Mode().Perm())
		}
		config, err := clientcmd.LoadFromFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if config.CurrentContext != admin || config.Contexts[viewer] == nil || len(config.Contexts) != 2 {
			t.Errorf("%s: current %q, contexts %v", path, config.CurrentContext, config.Contexts)
		}
		for _, cluster := range config.Clusters {
			if len(cluster.CertificateAuthorityData) == 0 || cluster.CertificateAuthority != "" || cluster.InsecureSkipTLSVerify {
				t.Errorf("%s: the authority is not in the file", path)
			}
		}
	}
}

func TestASecondClusterInTheFolderIsRefused(t *testing.T) {
	first := sharedCluster(t)
	second, err := launch(first.dir, "--ephemeral")
	if err != nil {
		t.Fatal(err)
	}
	if code := second.wait(t); code == 0 {
		t.Error("it exited with 0")
	}
	if said := second.oneLine(t); !strings.Contains(said, "another practice cluster is running in this folder") {
		t.Errorf("it said %q", said)
	}
	if got := first.get(t, admin, "/readyz"); got.code != 200 {
		t.Errorf("the first one answers %d", got.code)
	}
}

func TestATakenPortIsNamed(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--port", port)
	if code := p.wait(t); code == 0 {
		t.Error("it exited with 0")
	}
	if said := p.oneLine(t); !strings.Contains(said, port) || !strings.Contains(said, "--port") {
		t.Errorf("it said %q", said)
	}
}

func TestThePortOfAnotherPracticeClusterIsTaken(t *testing.T) {
	_, port, err := net.SplitHostPort(strings.TrimPrefix(sharedCluster(t).config(t, admin).Host, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--port", port)
	if code := p.wait(t); code == 0 {
		t.Error("it exited with 0")
	}
	p.oneLine(t)
}

func TestNoRoomOnTheDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("practice-test", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("SKIPPED: a small disk can't be mounted here, so nothing was tested: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	p := start(t, filepath.Join(dir, "cluster"), "--ephemeral")
	if code := p.wait(t); code == 0 {
		t.Error("it exited with 0")
	}
	if said := p.oneLine(t); !strings.Contains(said, "not enough room") {
		t.Errorf("it said %q", said)
	}
}

func TestFoldersThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ dir, words string }{
		"below a file":           {filepath.Join(file, "cluster"), "is not a folder"},
		"someone else's":         {filepath.Dir(file), "not empty"},
		"where nobody may write": {"/proc/cluster", "cluster"},
	} {
		p := start(t, c.dir, "--ephemeral")
		if code := p.wait(t); code == 0 {
			t.Errorf("%s: it exited with 0", name)
		}
		if said := p.oneLine(t); !strings.Contains(said, c.words) {
			t.Errorf("%s: it said %q", name, said)
		}
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("someone else's file: %v", err)
	}
}

func TestSomeonesKubeconfigIsNotOverwritten(t *testing.T) {
	own := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(own, []byte("kind: Config\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--kubeconfig-out", own)
	if code := p.wait(t); code == 0 {
		t.Error("it exited with 0")
	}
	p.oneLine(t)
	if there, err := os.ReadFile(own); err != nil || string(there) != "kind: Config\n" {
		t.Errorf("it is now %q, %v", there, err)
	}
}

func TestAMissingFileOfIssuersIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "issuers.yaml")
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--ephemeral", "--authentication-config", file)
	if code := p.wait(t); code == 0 {
		t.Error("it exited with 0")
	}
	if said := p.oneLine(t); !strings.Contains(said, file) || !strings.Contains(said, "--authentication-config") {
		t.Errorf("it said %q", said)
	}
}

// run runs the program to its end and returns what it said.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	bins, err := theBinaries()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), bins.practice, args...).CombinedOutput()
	return string(out), err
}

func TestHelpAndVersion(t *testing.T) {
	for flag, words := range map[string]string{"--help": "--kubeconfig-out", "--version": "v1.37.1"} {
		if out, err := run(t, flag); err != nil || !strings.Contains(out, words) {
			t.Errorf("%s: %v, %q", flag, err, out)
		}
	}
	if out, err := run(t, "up", "--help"); err != nil || !strings.Contains(out, "--die-with-stdin") {
		t.Errorf("up --help: %v, %q", err, out)
	}
}

func TestWhatCannotBeMeantIsRefused(t *testing.T) {
	for _, args := range [][]string{
		{"down"},
		{"up", "now"},
		{"up", "--port", "70000"},
		{"up", "--progress", "xml"},
		{"up", "--what"},
		{"etcd", "--data-dir=/tmp/x"},
		{"kube-apiserver"},
		{"nodes"},
		{"janitor"},
	} {
		out, err := run(t, args...)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || strings.Count(out, "\n") != 1 {
			t.Errorf("%v: %v, %q", args, err, out)
		}
	}
}
