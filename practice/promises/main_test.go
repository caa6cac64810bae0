// Package promises holds the practice cluster to its promises: every test runs
// the real program.
package promises

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// binaries are the programs under test.
type binaries struct{ practice, kubectl string }

// theBinaries returns the programs named by the environment, or builds them
// where `make build` puts them.
var theBinaries = sync.OnceValues(func() (binaries, error) {
	named := binaries{os.Getenv("FIELDMARK_PRACTICE_BIN"), os.Getenv("FIELDMARK_KUBECTL")}
	if named.practice != "" && named.kubectl != "" {
		return named, nil
	}
	out, err := filepath.Abs("../../bin")
	if err != nil {
		return binaries{}, err
	}
	build := exec.Command("../build.sh", out, "--kubectl")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return binaries{}, fmt.Errorf("build: %w", err)
	}
	return binaries{filepath.Join(out, "fieldmark-practice"), filepath.Join(out, "kubectl")}, nil
})

// shared is the cluster that tests use which do it no harm. It outlives each of
// them, so TestMain stops it.
var shared struct {
	once    sync.Once
	program *program
	err     error
	scratch string
}

func launchShared() {
	if shared.scratch, shared.err = os.MkdirTemp("", "practice-promises-"); shared.err != nil {
		return
	}
	shared.program, shared.err = launch(filepath.Join(shared.scratch, "cluster"), "--ephemeral",
		"--kubeconfig-out", filepath.Join(shared.scratch, "kubeconfig"))
	if shared.err == nil {
		shared.err = shared.program.await("ready")
	}
}

func sharedCluster(t *testing.T) *program {
	t.Helper()
	shared.once.Do(launchShared)
	if shared.err != nil {
		t.Fatalf("the shared cluster: %v", shared.err)
	}
	return shared.program
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.program != nil {
		shared.program.stop()
		if left := processesOf(shared.program.dir); len(left) > 0 {
			fmt.Fprintf(os.Stderr, "processes were left behind: %v\n", left)
			code = 1
		}
	}
	if shared.scratch != "" {
		_ = os.RemoveAll(shared.scratch)
	}
	os.Exit(code)
}
