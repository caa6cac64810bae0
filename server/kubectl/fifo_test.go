//go:build unix

package kubectl

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAPipeIsNoKubeconfig: to open a pipe is to wait for somebody who writes.
func TestAPipeIsNoKubeconfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, filepath.Dir(file)} {
		if err := (Access{}).Write(name); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (Access{}).Remove(file); err != nil {
		t.Error(err)
	}
}
