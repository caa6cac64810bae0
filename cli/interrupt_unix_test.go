//go:build unix

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
	"time"
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

// interruptedVerb is a variable with the arguments of a verb, one a line. A test with it is the program that the test starts.
const interruptedVerb = "FIELDMARK_TEST_INTERRUPTED_VERB"

// TestAWaitingPluginHoldsNobodyUp: client-go waits for a credentials plugin until it ends, whatever becomes of the request. A signal ends the verb, its
// plugin, and what that has started, even if they are deaf to signals.
func TestAWaitingPluginHoldsNobodyUp(t *testing.T) {
	if args := os.Getenv(interruptedVerb); args != "" {
		ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGTERM)
		code := Run(ctx, Program{Called: "fieldmark", In: strings.NewReader(""), Out: os.Stdout, ErrOut: os.Stderr}, strings.Split(args, "\n"))
		stop()
		os.Exit(code)
	}
	manifest := filepath.Join(t.TempDir(), "manifest.yaml")
	write(t, manifest, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n")
	refused := `Apply failed with 1 conflict: conflict with "other" using v1: .data.a`
	for _, args := range [][]string{{"blame", "pods/a"}, {"check", "-f", manifest}, {"explain", refused, "-f", manifest}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			stopsWithItsPlugin(t, args)
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func stopsWithItsPlugin(t *testing.T, args []string) {
	t.Helper()
	folder := t.TempDir()
	pipe, plugin, kubeconfig := filepath.Join(folder, "began"), filepath.Join(folder, "plugin"), filepath.Join(folder, "config")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, plugin, "#!/bin/sh\ntrap '' TERM INT HUP\necho 'Please sign in' >&2\nexec >&- 2>&-\nsleep 600 &\necho $$ $! >"+pipe+"\nwait\nsleep 600\n")
	if err := os.Chmod(plugin, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, kubeconfig, `{"apiVersion":"v1","kind":"Config","current-context":"slow","clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],
"contexts":[{"name":"slow","context":{"cluster":"c","user":"u"}}],
"users":[{"name":"u","user":{"exec":{"apiVersion":"client.authentication.k8s.io/v1","interactiveMode":"Never","command":"`+plugin+`"}}}]}`)
	c := exec.Command(os.Args[0], "-test.run=^TestAWaitingPluginHoldsNobodyUp$")
	c.Env = append(os.Environ(), interruptedVerb+"="+strings.Join(append(args, "--kubeconfig", kubeconfig), "\n"))
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	processes, err := os.ReadFile(pipe) // until the plugin has written its processes there
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a plugin that is run again can begin
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	began := time.Now()
	_ = c.Process.Signal(syscall.SIGTERM)
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != interrupted || out.Len() > 0 || !strings.Contains(errs.String(), "fieldmark: interrupted") {
		t.Errorf("%d\n%s\n%s", code, &out, &errs)
	}
	more, _ := io.ReadAll(after)
	for word := range strings.FieldsSeq(string(processes) + string(more)) {
		pid, err := strconv.Atoi(word)
		if err != nil || !gone(pid, began.Add(atOnce)) {
			t.Errorf("process %q outlives the program", word)
		}
	}
	t.Logf("all gone after %s", time.Since(began))
}

// atOnce is one second on a busy machine. The plugin would take ten minutes.
const atOnce = 5 * time.Second

// gone waits until a process has ended. One that has, but that nobody has waited for yet, can't be told from others outside of Linux.
func gone(pid int, deadline time.Time) bool {
	for ; time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return true
		}
	}
	return false
}
