// Package lab runs what is measured: a practice cluster, Fieldmark and kubectl proxy. It weighs their processes, and sends requests to them.
package lab

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Lab has the running programs that are measured.
type Lab struct {
	Plan      Plan
	Folder    string
	Build     string // version of Fieldmark
	Token     string
	Running   []*Program
	Bare      Target
	Fieldmark Target
	Proxy     Target
}

// Program is a child process that is stopped with the lab.
type Program struct {
	name    string
	command *exec.Cmd
	stdin   io.Closer
	lines   chan string
}

// Patience is the time limit for a program until it says that it is ready.
const Patience = 3 * time.Minute

// Open starts a practice cluster, Fieldmark and kubectl proxy.
func Open(ctx context.Context, p Plan) (*Lab, error) {
	folder, err := os.MkdirTemp("", "fieldmark-bench-")
	if err != nil {
		return nil, fmt.Errorf("a folder to work in: %w", err)
	}
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return nil, fmt.Errorf("a token: %w", err)
	}
	l := &Lab{Plan: p, Folder: folder, Token: hex.EncodeToString(secret)}
	if err := l.start(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Kubeconfig is the path of the practice cluster's kubeconfig.
func (l *Lab) Kubeconfig() string { return filepath.Join(l.Folder, "kubeconfig") }

// ContextName is the name of the cluster here. The practice cluster's own names are reserved for
// the cluster that Fieldmark starts itself.
const ContextName = "bench"

// Renamed is the path of the practice cluster's kubeconfig with that name.
func (l *Lab) Renamed() string { return filepath.Join(l.Folder, "renamed") }

func (l *Lab) rename() error {
	text, err := os.ReadFile(l.Kubeconfig())
	if err != nil {
		return fmt.Errorf("the practice cluster's kubeconfig: %w", err)
	}
	var k map[string]any
	if err := yaml.Unmarshal(text, &k); err != nil {
		return fmt.Errorf("the practice cluster's kubeconfig: %w", err)
	}
	k["contexts"] = []any{map[string]any{
		"name": ContextName, "context": map[string]any{"cluster": "practice", "user": "practice"},
	}}
	k["current-context"] = ContextName
	if text, err = yaml.Marshal(k); err != nil {
		return fmt.Errorf("renaming the context: %w", err)
	}
	if err := os.WriteFile(l.Renamed(), text, 0o600); err != nil {
		return fmt.Errorf("renaming the context: %w", err)
	}
	return nil
}

func (l *Lab) start(ctx context.Context) error {
	Say("starting the practice cluster")
	practice, err := l.StartProgram(ctx, "fieldmark-practice", "up", "--dir", filepath.Join(l.Folder, "cluster"),
		"--kubeconfig-out", l.Kubeconfig(), "--ephemeral", "--die-with-stdin", "--progress", "json")
	if err != nil {
		return err
	}
	if _, err := practice.Await(func(line string) (string, bool) {
		return line, strings.Contains(line, `"step":"ready"`) && strings.Contains(line, `"done"`)
	}); err != nil {
		return err
	}
	if err := l.rename(); err != nil {
		return err
	}
	if l.Bare, err = bareTarget(l.Kubeconfig(), l.Plan.Connections); err != nil {
		return err
	}
	if l.Fieldmark, err = l.StartFieldmark(ctx); err != nil {
		return err
	}
	l.Proxy, err = l.startProxy(ctx)
	return err
}

// StartProgram starts a program. await waits for lines of its stdout.
func (l *Lab) StartProgram(ctx context.Context, name string, args ...string) (*Program, error) {
	command := exec.CommandContext(ctx, filepath.Join(l.Plan.Bin, name), args...)
	command.Stderr = io.Discard
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w; `make build` builds it", name, err)
	}
	p := &Program{name: name, command: command, stdin: stdin, lines: make(chan string, 64)}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	l.Running = append(l.Running, p)
	return p, nil
}

// Await reads lines until answer accepts one.
func (p *Program) Await(answer func(line string) (string, bool)) (string, error) {
	late := time.After(Patience)
	for {
		select {
		case line, more := <-p.lines:
			if !more {
				return "", fmt.Errorf("%s ended before it was ready", p.name)
			}
			if found, ok := answer(line); ok {
				go func() { // the rest must be read, or the program would stall
					for range p.lines {
					}
				}()
				return found, nil
			}
		case <-late:
			return "", fmt.Errorf("%s was not ready after %s", p.name, Patience)
		}
	}
}

// StartFieldmark starts a Fieldmark in local mode, with the practice cluster.
func (l *Lab) StartFieldmark(ctx context.Context, args ...string) (Target, error) {
	return l.StartFieldmarkFor(ctx, l.Renamed(), args...)
}

// StartFieldmarkFor starts a Fieldmark in local mode, with a kubeconfig.
func (l *Lab) StartFieldmarkFor(ctx context.Context, kubeconfig string, args ...string) (Target, error) {
	p, err := l.StartProgram(ctx, "fieldmark", append(args, "--listen", "127.0.0.1:0", "--practice", "off",
		"--kubeconfig", kubeconfig, "--token", l.Token, "--log-level", "error")...)
	if err != nil {
		return Target{}, err
	}
	origin, err := p.Await(func(line string) (string, bool) {
		_, rest, found := strings.Cut(line, "Fieldmark is ready at ")
		origin, _, _ := strings.Cut(rest, "/?")
		return origin, found
	})
	t := TargetAt(OurName, origin, "/clusters/"+ContextName, l.Token, l.Plan.Connections)
	t.PID = p.PID()
	return t, err
}

func (l *Lab) startProxy(ctx context.Context) (Target, error) {
	p, err := l.StartProgram(ctx, "kubectl", "--kubeconfig", l.Kubeconfig(), "proxy", "--port=0")
	if err != nil {
		return Target{}, err
	}
	address, err := p.Await(func(line string) (string, bool) {
		_, address, found := strings.Cut(line, "Starting to serve on ")
		return strings.TrimSpace(address), found
	})
	t := TargetAt(KubectlProxy, "http://"+address, "", "", l.Plan.Connections)
	t.PID = p.PID()
	return t, err
}

// fillNamespace is the namespace of the large collection.
const fillNamespace = "bench"

// Fill makes the pods of the large collection.
func (l *Lab) Fill(ctx context.Context) error {
	return l.MakeMany(ctx, "pods", fillNamespace, "Pod", l.Plan.Pods)
}

// Version is that of the API server.
func (l *Lab) Version(ctx context.Context) string {
	_, body, err := l.Bare.Do(ctx, http.MethodGet, "/version", nil)
	var v struct {
		GitVersion string `json:"gitVersion"`
	}
	if err != nil || json.Unmarshal(body, &v) != nil {
		return "unknown"
	}
	return v.GitVersion
}

// Close ends every program, the last started first, and removes the folder.
func (l *Lab) Close() {
	for len(l.Running) > 0 {
		l.StopLast()
	}
	_ = os.RemoveAll(l.Folder)
}

// StopLast ends the program that was started last.
func (l *Lab) StopLast() {
	p := l.Running[len(l.Running)-1]
	l.Running = l.Running[:len(l.Running)-1]
	_ = p.stdin.Close()
	_ = p.command.Process.Signal(os.Interrupt)
	ended := make(chan struct{})
	go func() { _ = p.command.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		_ = p.command.Process.Kill()
		<-ended
	}
}
