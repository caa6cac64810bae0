//go:build unix

package program

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waiting is a credentials plugin that runs a process and waits for it, deaf to signals. Both of them write who they are into the pipe began.
const waiting = "#!/bin/sh\ntrap '' TERM INT HUP\necho 'Please sign in' >&2\nsleep 600 &\necho $$ $! >%s\nwait\nsleep 600\n"

// atOnce is one second on a busy machine. A program that waits for its plugin takes half a minute.
const atOnce = 5 * time.Second

// TestNoPluginOutlivesTheProgram: a signal ends the program within a second. Its credentials plugin ends, and so does what the plugin has started,
// even if the program couldn't do anything about it.
func TestNoPluginOutlivesTheProgram(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"ended": syscall.SIGTERM, "interrupted": syscall.SIGINT, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, processes := waitingForPlugin(t)
			began := time.Now()
			if err := program.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = program.Wait()
			if took := time.Since(began); took > atOnce {
				t.Errorf("it took %s", took)
			}
			for _, pid := range processes {
				if !endsBefore(pid, began.Add(atOnce)) {
					t.Errorf("process %d is still there", pid)
				}
			}
			t.Logf("all gone after %s", time.Since(began))
		})
	}
}

// waitingForPlugin is the program whose page waits for a credentials plugin, and the plugin's processes.
func waitingForPlugin(t *testing.T) (*exec.Cmd, []int) {
	t.Helper()
	folder := t.TempDir()
	pipe, plugin, kubeconfig := filepath.Join(folder, "began"), filepath.Join(folder, "plugin"), filepath.Join(folder, "config")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{plugin: strings.Replace(waiting, "%s", pipe, 1), kubeconfig: kubeconfigWithPlugin(plugin)} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program := exec.Command(os.Args[0], "--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig, "--practice=off")
	program.Env = append(os.Environ(), asProgram+"=1", "FIELDMARK_TOKEN="+testToken, "HOME="+folder, "TMPDIR="+folder)
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	found := readyLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
	if err != nil || found == nil {
		t.Fatalf("%q %v", line, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, found[1]+"/c/slow", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+testToken)
	go func() {
		if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
			_ = response.Body.Close()
		}
	}()
	text, err := os.ReadFile(pipe) // until the plugin has written its processes there
	if err != nil {
		t.Fatal(err)
	}
	var processes []int
	for word := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		processes = append(processes, pid)
	}
	return program, processes
}

func kubeconfigWithPlugin(plugin string) string {
	return `{"apiVersion":"v1","kind":"Config","current-context":"slow","clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],
"contexts":[{"name":"slow","context":{"cluster":"c","user":"u"}}],
"users":[{"name":"u","user":{"exec":{"apiVersion":"client.authentication.k8s.io/v1","interactiveMode":"Never","command":"` + plugin + `"}}}]}`
}

// endsBefore waits until a process has ended.
func endsBefore(pid int, deadline time.Time) bool {
	for ; time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return true
		}
	}
	return false
}
