package main

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

// lab has the running programs that are measured.
type lab struct {
	plan      plan
	folder    string
	build     string // version of Fieldmark
	token     string
	running   []*program
	bare      target
	fieldmark target
	proxy     target
}

// program is a child process that is stopped with the lab.
type program struct {
	name    string
	command *exec.Cmd
	stdin   io.Closer
	lines   chan string
}

// patience is the time limit for a program until it says that it is ready.
const patience = 3 * time.Minute

func openLab(ctx context.Context, p plan) (*lab, error) {
	folder, err := os.MkdirTemp("", "fieldmark-bench-")
	if err != nil {
		return nil, fmt.Errorf("a folder to work in: %w", err)
	}
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return nil, fmt.Errorf("a token: %w", err)
	}
	l := &lab{plan: p, folder: folder, token: hex.EncodeToString(secret)}
	if err := l.start(ctx); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *lab) kubeconfig() string { return filepath.Join(l.folder, "kubeconfig") }

// contextName is the name of the cluster here. The practice cluster's own names are reserved for
// the cluster that Fieldmark starts itself.
const contextName = "bench"

// renamed is the path of the practice cluster's kubeconfig with that name.
func (l *lab) renamed() string { return filepath.Join(l.folder, "renamed") }

func (l *lab) rename() error {
	text, err := os.ReadFile(l.kubeconfig())
	if err != nil {
		return fmt.Errorf("the practice cluster's kubeconfig: %w", err)
	}
	var k map[string]any
	if err := yaml.Unmarshal(text, &k); err != nil {
		return fmt.Errorf("the practice cluster's kubeconfig: %w", err)
	}
	k["contexts"] = []any{map[string]any{
		"name": contextName, "context": map[string]any{"cluster": "practice", "user": "practice"},
	}}
	k["current-context"] = contextName
	if text, err = yaml.Marshal(k); err != nil {
		return fmt.Errorf("renaming the context: %w", err)
	}
	if err := os.WriteFile(l.renamed(), text, 0o600); err != nil {
		return fmt.Errorf("renaming the context: %w", err)
	}
	return nil
}

func (l *lab) start(ctx context.Context) error {
	say("starting the practice cluster")
	practice, err := l.startProgram(ctx, "fieldmark-practice", "up", "--dir", filepath.Join(l.folder, "cluster"),
		"--kubeconfig-out", l.kubeconfig(), "--ephemeral", "--die-with-stdin", "--progress", "json")
	if err != nil {
		return err
	}
	if _, err := practice.await(func(line string) (string, bool) {
		return line, strings.Contains(line, `"step":"ready"`) && strings.Contains(line, `"done"`)
	}); err != nil {
		return err
	}
	if err := l.rename(); err != nil {
		return err
	}
	if l.bare, err = bareTarget(l.kubeconfig(), l.plan.connections); err != nil {
		return err
	}
	if l.fieldmark, err = l.startFieldmark(ctx); err != nil {
		return err
	}
	l.proxy, err = l.startProxy(ctx)
	return err
}

// startProgram starts a program. await waits for lines of its stdout.
func (l *lab) startProgram(ctx context.Context, name string, args ...string) (*program, error) {
	command := exec.CommandContext(ctx, filepath.Join(l.plan.bin, name), args...)
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
	p := &program{name: name, command: command, stdin: stdin, lines: make(chan string, 64)}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	l.running = append(l.running, p)
	return p, nil
}

// await reads lines until answer accepts one.
func (p *program) await(answer func(line string) (string, bool)) (string, error) {
	late := time.After(patience)
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
			return "", fmt.Errorf("%s was not ready after %s", p.name, patience)
		}
	}
}

func (l *lab) startFieldmark(ctx context.Context, args ...string) (target, error) {
	p, err := l.startProgram(ctx, "fieldmark", append(args, "--listen", "127.0.0.1:0", "--practice", "off",
		"--kubeconfig", l.renamed(), "--token", l.token, "--log-level", "error")...)
	if err != nil {
		return target{}, err
	}
	origin, err := p.await(func(line string) (string, bool) {
		_, rest, found := strings.Cut(line, "Fieldmark is ready at ")
		origin, _, _ := strings.Cut(rest, "/?")
		return origin, found
	})
	t := httpTarget(ourName, origin, "/clusters/"+contextName, l.token, l.plan.connections)
	t.pid = p.command.Process.Pid
	return t, err
}

func (l *lab) startProxy(ctx context.Context) (target, error) {
	p, err := l.startProgram(ctx, "kubectl", "--kubeconfig", l.kubeconfig(), "proxy", "--port=0")
	if err != nil {
		return target{}, err
	}
	address, err := p.await(func(line string) (string, bool) {
		_, address, found := strings.Cut(line, "Starting to serve on ")
		return strings.TrimSpace(address), found
	})
	t := httpTarget(kubectlProxy, "http://"+address, "", "", l.plan.connections)
	t.pid = p.command.Process.Pid
	return t, err
}

const (
	fillNamespace = "bench"
	fillPath      = "/apis/practice.fieldmark.dev/v1alpha1/scenarios"
)

// fill makes the pods of the large collection.
func (l *lab) fill(ctx context.Context) error {
	return l.makeMany(ctx, "pods", fillNamespace, "Pod", l.plan.pods)
}

// makeMany creates many objects with a Scenario, and waits until they exist. Their names are the Scenario's with numbers.
func (l *lab) makeMany(ctx context.Context, name, namespace, kind string, count int) error {
	say(fmt.Sprintf("making %d %ss", count, kind))
	body := fmt.Sprintf(`{"apiVersion":"practice.fieldmark.dev/v1alpha1","kind":"Scenario","metadata":{"name":%q},
		"spec":{"faults":[{"name":%q,"fill":{"namespace":%q,"kind":%q,"count":%d}}]}}`, namespace, name, namespace, kind, count)
	if _, _, err := l.bare.do(ctx, http.MethodPost, fillPath, strings.NewReader(body)); err != nil {
		return fmt.Errorf("making %ss: %w", kind, err)
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
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
func (l *lab) holds(ctx context.Context, name string) (bool, error) {
	_, body, err := l.bare.do(ctx, http.MethodGet, fillPath+"/"+name, nil)
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

func (l *lab) version(ctx context.Context) string {
	_, body, err := l.bare.do(ctx, http.MethodGet, "/version", nil)
	var v struct {
		GitVersion string `json:"gitVersion"`
	}
	if err != nil || json.Unmarshal(body, &v) != nil {
		return "unknown"
	}
	return v.GitVersion
}

// close ends every program, the last started first, and removes the folder.
func (l *lab) close() {
	for len(l.running) > 0 {
		l.stopLast()
	}
	_ = os.RemoveAll(l.folder)
}

// stopLast ends the program that was started last.
func (l *lab) stopLast() {
	p := l.running[len(l.running)-1]
	l.running = l.running[:len(l.running)-1]
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
