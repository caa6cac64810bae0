package promises

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func gone(path string) error {
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		return fmt.Errorf("%s is still there", path)
	}
	return nil
}

// allGone waits until nothing of an ephemeral cluster is left.
func allGone(t *testing.T, p *program, files ...string) {
	t.Helper()
	eventually(t, "everything is gone", func() error {
		if left := processesOf(p.dir); len(left) > 0 {
			return fmt.Errorf("processes: %v", left)
		}
		for _, path := range append(files, p.dir) {
			if err := gone(path); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestNothingSurvivesAKill kills the supervisor in the midst of the start, and
// when everything runs.
func TestNothingSurvivesAKill(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"folder", "etcd", "apiserver"} {
		t.Run("after "+step, func(t *testing.T) {
			scratch := t.TempDir()
			kubeconfig := filepath.Join(scratch, "kubeconfig")
			p := start(t, filepath.Join(scratch, "cluster"), "--ephemeral", "--kubeconfig-out", kubeconfig)
			p.mustReach(t, step)
			if err := p.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.wait(t)
			allGone(t, p, kubeconfig)
		})
	}
}

func TestItEndsWithItsStandardInput(t *testing.T) {
	t.Parallel()
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--ephemeral", "--die-with-stdin")
	p.mustReach(t, "etcd")
	if err := p.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(t); code != 0 {
		t.Errorf("it exited with %d: %s", code, p.errs.String())
	}
	allGone(t, p)
}

func TestAKeptFolderIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cluster")
	const mine = "/api/v1/namespaces/default/configmaps/mine"
	const flags = "/api/v1/namespaces/shop/configmaps/feature-flags"

	first := start(t, dir)
	first.mustReach(t, "ready")
	authority := string(first.config(t, admin).CAData)
	first.mustKubectl(t, "", "create", "configmap", "mine", "--from-literal=a=b")
	first.mustKubectl(t, "", "delete", "configmap", "feature-flags", "--namespace=shop")
	first.stop()
	if code := first.wait(t); code != 0 {
		t.Errorf("it exited with %d: %s", code, first.errs.String())
	}

	second := start(t, dir)
	second.mustReach(t, "ready")
	if got := second.get(t, admin, mine); got.code != http.StatusOK {
		t.Errorf("what was there is not found: %d", got.code)
	}
	if got := second.get(t, admin, flags); got.code != http.StatusNotFound {
		t.Errorf("what was deleted is back: %d", got.code)
	}
	if string(second.config(t, admin).CAData) != authority {
		t.Error("the authority is another one")
	}
	// The simulated kubelets answer at another port now, and are found there.
	out := second.mustKubectl(t, "", "logs", "--namespace=shop", "carts-db-0")
	if !strings.Contains(out, "database system is ready to accept connections") {
		t.Errorf("logs: %q", out)
	}
	// The aggregated API, too.
	if got := second.get(t, admin, inShop); got.code != http.StatusOK {
		t.Errorf("the aggregated API: %d %s", got.code, got.body)
	}
	second.stop()
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder that was to be kept: %v", err)
	}
}
