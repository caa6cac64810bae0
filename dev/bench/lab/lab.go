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
	Command *exec.Cmd
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
	p := &Program{name: name, Command: command, stdin: stdin, lines: make(chan string, 64)}
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

// StartFieldmark starts a Fieldmark in local mode.
func (l *Lab) StartFieldmark(ctx context.Context, args ...string) (Target, error) {
	p, err := l.StartProgram(ctx, "fieldmark", append(args, "--listen", "127.0.0.1:0", "--practice", "off",
		"--kubeconfig", l.Renamed(), "--token", l.Token, "--log-level", "error")...)
	if err != nil {
		return Target{}, err
	}
	origin, err := p.Await(func(line string) (string, bool) {
		_, rest, found := strings.Cut(line, "Fieldmark is ready at ")
		origin, _, _ := strings.Cut(rest, "/?")
		return origin, found
	})
	t := TargetAt(OurName, origin, "/clusters/"+ContextName, l.Token, l.Plan.Connections)
	t.PID = p.Command.Process.Pid
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
	t.PID = p.Command.Process.Pid
	return t, err
}

// The namespace of the large collection, and the path of the Scenarios that make things happen.
const (
	fillNamespace = "bench"
	FillPath      = "/apis/practice.fieldmark.dev/v1alpha1/scenarios"
)

// Fill makes the pods of the large collection.
func (l *Lab) Fill(ctx context.Context) error {
	return l.MakeMany(ctx, "pods", fillNamespace, "Pod", l.Plan.Pods)
}

// MakeMany creates many objects with a Scenario, and waits until they exist. Their names are the Scenario's with numbers.
func (l *Lab) MakeMany(ctx context.Context, name, namespace, kind string, count int) error {
	Say(fmt.Sprintf("making %d %ss", count, kind))
	body := fmt.Sprintf(`{"apiVersion":"practice.fieldmark.dev/v1alpha1","kind":"Scenario","metadata":{"name":%q},
		"spec":{"faults":[{"name":%q,"fill":{"namespace":%q,"kind":%q,"count":%d}}]}}`, namespace, name, namespace, kind, count)
	if _, _, err := l.Bare.Do(ctx, http.MethodPost, FillPath, strings.NewReader(body)); err != nil {
		return fmt.Errorf("making %ss: %w", kind, err)
	}
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); {
		if holds, err := l.holds(ctx, namespace); err != nil || holds {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
	return fmt.Errorf("%d %ss weren't created in time", count, kind)
}

// holds tells whether a Scenario is complete (condition Holds).
func (l *Lab) holds(ctx context.Context, name string) (bool, error) {
	_, body, err := l.Bare.Do(ctx, http.MethodGet, FillPath+"/"+name, nil)
	if err != nil {
		return false, err
	}
	var scenario struct {
		Status struct {
			Conditions []struct {
				Type   string `json:"type"`
				Status string `json:"status"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if err := json.Unmarshal(body, &scenario); err != nil {
		return false, fmt.Errorf("a Scenario's state: %w", err)
	}
	for _, c := range scenario.Status.Conditions {
		if c.Type == "Holds" && c.Status == "True" {
			return true, nil
		}
	}
	return false, nil
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
	_ = p.Command.Process.Signal(os.Interrupt)
	ended := make(chan struct{})
	go func() { _ = p.Command.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		_ = p.Command.Process.Kill()
		<-ended
	}
}
