package cluster

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// asNobody does something with a stranger's rights to files. Root, as whom tests run in containers, may
// read everything otherwise.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	must(t, syscall.Setfsuid(65534))
	do()
	must(t, syscall.Setfsuid(0))
}

func TestUnreadableFiles(t *testing.T) {
	file := writeText(t, contextsOnly("c"))
	must(t, os.Chmod(file, 0))
	config := oneContext("https://127.0.0.1:1", nil)
	config.Clusters["k"].CertificateAuthority = file
	c := load(t, config, Options{})
	asNobody(t, func() {
		_, err := Load(Options{Kubeconfig: file})
		if err == nil || !strings.Contains(err.Error(), "no permission to read the kubeconfig") {
			t.Errorf("got %v", err)
		}
		if _, err := c.Target(); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("got %v", err)
		}
	})
}
