package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestReadingEndsWhenTheProgramIsStopped(t *testing.T) {
	text, err := io.ReadAll(interruptibly(t.Context(), strings.NewReader("all of it")))
	if string(text) != "all of it" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	never, w := io.Pipe()
	defer w.Close()
	in := interruptibly(ctx, never)
	go func() {
		_, _ = io.WriteString(w, "a")
		stop()
	}()
	text, err = io.ReadAll(in)
	if len(text) > 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%q %v", text, err)
	}
}

// blamed is a variable with a kubeconfig. A test with it is the program that the test starts.
const blamed = "FIELDMARK_TEST_BLAMED"

// TestAWaitingPluginHoldsNobodyUp: client-go waits for a credentials plugin until it ends, whatever becomes of the request.
func TestAWaitingPluginHoldsNobodyUp(t *testing.T) {
	if kubeconfig := os.Getenv(blamed); kubeconfig != "" {
		ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGTERM)
		code := Run(ctx, Program{Called: "fieldmark", In: strings.NewReader(""), Out: os.Stdout, ErrOut: os.Stderr}, []string{"blame", "pods/a", "--kubeconfig", kubeconfig})
		stop()
		os.Exit(code)
	}
	folder := t.TempDir()
	began := filepath.Join(folder, "began")
	plugin := filepath.Join(folder, "plugin")
	if err := syscall.Mkfifo(began, 0o600); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho 'Please sign in' >&2\nexec >&- 2>&-\necho $$ >" + began + "\nexec sleep 600\n"
	kubeconfig := filepath.Join(folder, "config")
	config := `{"apiVersion":"v1","kind":"Config","current-context":"slow","clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],
"contexts":[{"name":"slow","context":{"cluster":"c","user":"u"}}],
"users":[{"name":"u","user":{"exec":{"apiVersion":"client.authentication.k8s.io/v1","interactiveMode":"Never","command":"` + plugin + `"}}}]}`
	for path, text := range map[string]string{plugin: script, kubeconfig: config} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(os.Args[0], "-test.run=^TestAWaitingPluginHoldsNobodyUp$")
	c.Env = append(os.Environ(), blamed+"="+kubeconfig)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(began) // until the plugin has written its process there
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Process.Signal(syscall.SIGTERM)
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != interrupted || out.Len() > 0 || !strings.Contains(errs.String(), "fieldmark: interrupted") {
		t.Errorf("%d\n%s\n%s", code, &out, &errs)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error("the plugin has ended by itself:", err)
	}
}
