package promises

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
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

// practiceKubeconfig names the kubeconfig of the practice cluster.
func practiceKubeconfig(t *testing.T) string {
	t.Helper()
	file := os.Getenv(practiceEnv)
	if file == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no kubeconfig of a running practice cluster; make test starts one", practiceEnv)
	}
	return file
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

// fieldmark is the program while it runs.
type fieldmark struct {
	server *exec.Cmd
	alive  io.Closer
	log    *recording
	out    string // the kubeconfig that it writes
	token  string // for programs
	url    string // with a code that signs in once
	over   sync.Once
}

// startFieldmark returns when Fieldmark says that it is ready. It ends with the test, and also if the test is killed:
// then its standard input ends.
func startFieldmark(t *testing.T, kubeconfig, out string) *fieldmark {
	t.Helper()
	server := exec.Command("../dev/scripts/die-with-stdin.sh", fieldmarkProgram(t), "--listen", "127.0.0.1:0", "--practice", "off",
		"--kubeconfig", kubeconfig, "--kubeconfig-out", out, "--allow-workload-proxy")
	f := &fieldmark{server: server, log: newRecording(), out: out, token: random(t, 16)}
	server.Stderr = f.log
	server.Env = append(os.Environ(), "FIELDMARK_TOKEN="+f.token)
	var err error
	if f.alive, err = server.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(stdout).ReadString('\n') // what was read tells
		lines <- line
	}()
	t.Cleanup(func() { f.stop(t) })
	select {
	case line := <-lines:
		var is bool
		if f.url, is = strings.CutPrefix(strings.TrimSpace(line), "Fieldmark is ready at "); !is {
			t.Fatalf("Fieldmark did not start: %s%s", line, f.log)
		}
	case <-time.After(patience):
		t.Fatalf("Fieldmark is not ready after %s: %s", patience, f.log)
	}
	return f
}

// stop ends the program, if it runs, and says if it ends badly.
func (f *fieldmark) stop(t *testing.T) {
	t.Helper()
	f.over.Do(func() {
		_ = f.alive.Close()
		late := time.AfterFunc(patience, func() { _ = f.server.Process.Kill() })
		defer late.Stop()
		if err := f.server.Wait(); err != nil {
			t.Errorf("Fieldmark did not end well: %v", err)
		}
		if _, err := os.Stat(f.out); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the kubeconfig with the launch token is still there: %v", err)
		}
		if t.Failed() {
			t.Logf("Fieldmark's log:\n%s", f.log)
		}
	})
}
