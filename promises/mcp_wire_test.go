package promises

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// speaker is a client of the verb that knows nothing but the text of the specification: JSON-RPC 2.0, one message a line.
type speaker struct {
	in  io.WriteCloser
	out *bufio.Reader
	log *recording
	id  int
}

// spoken is a response, as JSON-RPC 2.0 defines it.
type spoken struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func startSpeaker(t *testing.T, kubeconfig string, args ...string) *speaker {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), fieldmarkProgram(t), append([]string{"mcp", "--kubeconfig", kubeconfig, "--cache-dir", t.TempDir()}, args...)...)
	return speak(t, command)
}

// speak starts a command, and speaks with it.
func speak(t *testing.T, command *exec.Cmd) *speaker {
	t.Helper()
	s := &speaker{log: newRecording()}
	command.Stderr = s.log
	var err error
	if s.in, err = command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.in.Close()
		rest, _ := io.ReadAll(s.out) // the rest of its output; Wait would close the pipe before it is read
		for line := range strings.Lines(string(rest)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("standard output has a line that is no message: %.300q", line)
			}
		}
		late := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
		defer late.Stop()
		if err := command.Wait(); err != nil {
			t.Errorf("the verb did not end well: %v: %s", err, s.log)
		}
	})
	return s
}

// write sends a line.
func (s *speaker) write(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		t.Fatalf("%v: %s", err, s.log)
	}
}

// read is the next response. Other messages are passed over.
func (s *speaker) read(t *testing.T) (m spoken) {
	t.Helper()
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%v: %s", err, s.log)
		}
		m = spoken{}
		if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
			t.Fatalf("no message of JSON-RPC 2.0: %.300q", line)
		}
		if m.ID != nil || m.Error != nil {
			return m
		}
	}
}

// ask sends a request, and reads its response.
func (s *speaker) ask(t *testing.T, method, parameters string) spoken {
	t.Helper()
	s.id++
	s.write(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.id, method, parameters))
	m := s.read(t)
	if string(m.ID) != fmt.Sprint(s.id) {
		t.Fatalf("%s: the response has the id %s, want %d", method, m.ID, s.id)
	}
	return m
}

// begin is the handshake of the specification.
func (s *speaker) begin(t *testing.T, version string) (agreed string) {
	t.Helper()
	m := s.ask(t, "initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}`)
	var result struct {
		Version    string `json:"protocolVersion"`
		ServerInfo struct{ Name string }
	}
	if err := json.Unmarshal(m.Result, &result); err != nil || result.ServerInfo.Name != "fieldmark" {
		t.Fatalf("%v: %s %+v", err, m.Result, m.Error)
	}
	s.write(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return result.Version
}

// tool calls a tool, and reads what it answers.
func (s *speaker) tool(t *testing.T, name, arguments string) (text string, failed bool) {
	t.Helper()
	m := s.ask(t, "tools/call", `{"name":"`+name+`","arguments":`+arguments+`}`)
	var result struct {
		Content    []struct{ Type, Text string }
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Content) != 1 || result.Content[0].Type != "text" || len(result.Structured) == 0 {
		t.Fatalf("%s: %v: %s %+v", name, err, m.Result, m.Error)
	}
	return result.Content[0].Text, result.IsError
}

func TestTheWireIsThatOfTheSpecification(t *testing.T) {
	s := startSpeaker(t, practiceKubeconfig(t))
	if version := s.begin(t, "2025-06-18"); version != "2025-06-18" {
		t.Errorf("the version is %s", version)
	}
	if m := s.ask(t, "ping", `{}`); string(m.Result) != "{}" {
		t.Errorf("%s %+v", m.Result, m.Error)
	}
	for method, want := range map[string]string{"tools/list": "preview_apply", "prompts/list": "resolve_conflict", "resources/list": "fieldmark://conflict-zoo"} {
		if m := s.ask(t, method, `{}`); !strings.Contains(string(m.Result), want) {
			t.Errorf("%s: %s %+v", method, m.Result, m.Error)
		}
	}
	for _, name := range []string{"glossary", "conflict-zoo", "ways-out", "reference/mcp", "reference/check"} {
		if m := s.ask(t, "resources/read", `{"uri":"fieldmark://`+name+`"}`); len(m.Result) < 1000 {
			t.Errorf("%s: %s %+v", name, m.Result, m.Error)
		}
	}
	m := s.ask(t, "prompts/get", `{"name":"resolve_conflict","arguments":{"error":"Apply failed\nIgnore \u202e this"}}`)
	if !strings.Contains(string(m.Result), "agent/") || strings.Contains(string(m.Result), "\u202e") || !strings.Contains(string(m.Result), `Ignore · this`) {
		t.Errorf("%s %+v", m.Result, m.Error)
	}
	for what, m := range map[string]spoken{
		"no such method":   s.ask(t, "tools/write", `{}`),
		"no such tool":     s.ask(t, "tools/call", `{"name":"delete","arguments":{}}`),
		"no such prompt":   s.ask(t, "prompts/get", `{"name":"x"}`),
		"no such resource": s.ask(t, "resources/read", `{"uri":"file:///etc/passwd"}`),
		"no parameters":    s.ask(t, "tools/call", `[]`),
	} {
		if m.Error == nil || m.Error.Code > -32000 && m.Error.Code != 0 {
			t.Errorf("%s: %s %+v", what, m.Result, m.Error)
		}
	}
	if text, failed := s.tool(t, "list", `{"resource":"deployments","namespace":"shop"}`); failed || !strings.Contains(text, "storefront") {
		t.Error(text)
	}
	if text, failed := s.tool(t, "preview_apply", `{"manager":"a","manifest":"`+strings.Repeat("a", 10<<20)+`"}`); !failed || !strings.Contains(text, "longer than 1 MiB") {
		t.Error(text)
	}
}

func TestUnknownProtocolVersions(t *testing.T) {
	for _, version := range []string{"1999-01-01", "9999-12-31", "", "x"} {
		s := startSpeaker(t, practiceKubeconfig(t))
		if agreed := s.begin(t, version); agreed == version || len(agreed) != len("2025-06-18") {
			t.Errorf("%q is answered with %q", version, agreed)
		}
		if _, failed := s.tool(t, "clusters", `{}`); failed {
			t.Errorf("%q: a tool fails", version)
		}
	}
}

// everything calls each tool on the practice cluster.
var everything = map[string]string{
	"clusters": `{}`, "list": `{"resource":"pods","all":true,"limit":3}`, "get": `{"resource":"deploy","namespace":"shop","name":"storefront","owners":true}`,
	"owners_of":       `{"resource":"deploy","namespace":"shop","name":"storefront","field_list":["spec.replicas"],"manager":"agent/x"}`,
	"preview_apply":   `{"manager":"agent/x","details":true,"manifest":"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: storefront, namespace: shop}\nspec: {replicas: 9}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: not-there, namespace: shop}\ndata: {a: b}\n"}`,
	"explain_refusal": `{"namespace":"shop","text":"Apply failed with 1 conflict: conflict with \"argocd-controller\": .spec.replicas"}`,
	"who_fights":      `{"namespace":"shop","seconds":1}`, "history": `{"resource":"deploy","namespace":"shop","name":"storefront","seconds":1}`,
	"who_can": `{"verb":"change","resource":"deployments","namespace":"shop","name":"storefront","field":"spec.replicas"}`, "explain_field": `{"resource":"deploy","field":"spec.template.spec.containers"}`,
	"events": `{"resource":"deploy","namespace":"shop","name":"storefront"}`, "lesson_about": `{"topic":"conflict"}`,
}

// middle is a proxy in front of the practice cluster that remembers each request.
type middle struct {
	*httptest.Server
	mu     sync.Mutex
	seen   []*http.Request
	before func(*http.Request) // is called before a request goes on; nil: nothing is
}

// between starts a proxy, and writes a kubeconfig for it.
func between(t *testing.T) (m *middle, kubeconfig string) {
	t.Helper()
	to, transport := reach(t, practiceKubeconfig(t))
	m = &middle{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport, proxy.FlushInterval = transport, -1
	m.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.seen = append(m.seen, r.Clone(t.Context()))
		before := m.before
		m.mu.Unlock()
		if before != nil {
			before(r)
		}
		r.Host = to.Host
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(m.Close)
	return m, kubeconfigOf(t, m.URL, nil)
}

// kubeconfigOf writes a kubeconfig with one context.
func kubeconfigOf(t *testing.T, server string, user map[string]any) string {
	t.Helper()
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "one",
		"clusters": []any{map[string]any{"name": "one", "cluster": map[string]any{"server": server, "insecure-skip-tls-verify": true}}},
		"users":    []any{map[string]any{"name": "one", "user": user}},
		"contexts": []any{map[string]any{"name": "one", "context": map[string]any{"cluster": "one", "user": "one", "namespace": "shop"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestOnlyReadsAndDryRunsLeave calls every tool, and looks at what arrives at the API server.
func TestOnlyReadsAndDryRunsLeave(t *testing.T) {
	m, kubeconfig := between(t)
	s := startSpeaker(t, kubeconfig)
	s.begin(t, "2025-06-18")
	for name, arguments := range everything {
		if text, failed := s.tool(t, name, arguments); failed {
			t.Errorf("%s: %s", name, text)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	dry := 0
	for _, r := range m.seen {
		switch {
		case r.Method == http.MethodGet:
		case r.URL.Query().Get("dryRun") == "All" && len(r.URL.Query()["dryRun"]) == 1:
			dry++
		default:
			t.Errorf("%s %s left", r.Method, r.URL)
		}
	}
	if len(m.seen) < 20 || dry < 3 {
		t.Errorf("only %d requests, %d dry runs", len(m.seen), dry)
	}
}

// TestTheClusterGoesAway: a call after that fails in words, and the server goes on.
func TestTheClusterGoesAway(t *testing.T) {
	m, kubeconfig := between(t)
	s := startSpeaker(t, kubeconfig)
	s.begin(t, "2025-06-18")
	if text, failed := s.tool(t, "get", `{"resource":"deploy","name":"storefront"}`); failed {
		t.Fatal(text)
	}
	m.CloseClientConnections()
	m.Close()
	for _, name := range []string{"get", "owners_of", "preview_apply", "who_fights"} {
		text, failed := s.tool(t, name, everything[name])
		if name != "who_fights" && (!failed || !strings.Contains(text, "no response")) {
			t.Errorf("%s: %v %s", name, failed, text)
		}
	}
	if _, failed := s.tool(t, "clusters", `{}`); failed {
		t.Error("the server doesn't go on")
	}
}

// TestAPluginThatPrintsDoesNotReachTheWire: a credentials plugin prints to standard output and to standard error.
func TestAPluginThatPrintsDoesNotReachTheWire(t *testing.T) {
	m, _ := between(t)
	for what, c := range map[string]struct {
		script string
		fails  bool
	}{
		"on standard error":     {`echo '{"jsonrpc":"2.0","id":1,"result":{}}' >&2; echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}'`, false},
		"before the credential": {`echo '{"jsonrpc":"2.0","id":1,"result":{}}'; echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}'`, true},
		"nothing else":          {`yes polluted | head -c 100000`, true},
		"and reads the wire":    {`timeout 1 cat >/dev/null; echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}'`, false},
	} {
		kubeconfig := kubeconfigOf(t, m.URL, map[string]any{"exec": map[string]any{
			"apiVersion": "client.authentication.k8s.io/v1", "command": "sh", "args": []any{"-c", c.script}, "interactiveMode": "IfAvailable",
		}})
		s := startSpeaker(t, kubeconfig)
		s.begin(t, "2025-06-18")
		for range 3 {
			if text, failed := s.tool(t, "list", `{"resource":"deployments"}`); failed != c.fails {
				t.Errorf("%s: %v %s", what, failed, text)
			}
		}
	}
}

// TestTwoAssistantsAtOnce: each has a process and a list of calls of its own.
func TestTwoAssistantsAtOnce(t *testing.T) {
	kubeconfig := practiceKubeconfig(t)
	var all sync.WaitGroup
	for range 2 {
		a := startAssistant(t, kubeconfig)
		for range 30 {
			all.Go(func() {
				if text, failed := a.text(t, "owners_of", map[string]any{"resource": "deploy", "namespace": "shop", "name": "storefront"}); failed || !strings.Contains(text, "argocd-controller") {
					t.Errorf("%v %s", failed, text)
				}
			})
		}
	}
	all.Wait()
}

// TestTheLogOfAnAssistant has each call and each request, and no values.
func TestTheLogOfAnAssistant(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	s := startSpeaker(t, practiceKubeconfig(t), "--log", file, "-v=6")
	s.begin(t, "2025-06-18")
	if text, failed := s.tool(t, "preview_apply", `{"manager":"a","manifest":"apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\nstringData: {password: hunter22}\n"}`); failed || strings.Contains(text, "hunter22") {
		t.Error(text)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"tool":"preview_apply"`, `"method":"PATCH"`, "dryRun=All"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log lacks %s: %s", want, text)
		}
	}
	until(t, "the request on standard error", func() bool { return strings.Contains(s.log.String(), "dryRun=All") })
	if strings.Contains(string(text)+s.log.String(), "hunter22") {
		t.Errorf("%s\n%s", text, s.log)
	}
}
