package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
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

// TestAWaitingPluginHoldsNobodyUp: client-go waits for a credentials plugin until it ends, whatever becomes of the request.
func TestAWaitingPluginHoldsNobodyUp(t *testing.T) {
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
	ctx, stop := context.WithCancel(t.Context())
	plugged := make(chan int, 1)
	go func() {
		defer stop()
		text, _ := os.ReadFile(began) // until the plugin has written its process there
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		plugged <- pid
	}()
	var out, errs bytes.Buffer
	code := Run(ctx, Program{Called: "fieldmark", In: strings.NewReader(""), Out: &out, ErrOut: &errs}, []string{"blame", "pods/a", "--kubeconfig", kubeconfig})
	if code != interrupted || out.Len() > 0 || !strings.HasPrefix(errs.String(), "fieldmark: interrupted") {
		t.Errorf("%d\n%s\n%s", code, &out, &errs)
	}
	if err := syscall.Kill(<-plugged, syscall.SIGKILL); err != nil {
		t.Error("the plugin has ended by itself:", err)
	}
}
