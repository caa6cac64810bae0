package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/lsp/folder"
	"github.com/fieldmark/fieldmark/cli/lsp/lsptest"
	"github.com/fieldmark/fieldmark/cli/lsp/text"
	"github.com/fieldmark/fieldmark/kube/check"
)

// edited is a server with an editor. ended has the error with which the server ends.
type edited struct {
	*lsptest.Editor
	root   string
	server *session
	ended  chan error
}

// startServer starts a server without a cluster. The editor has said nothing.
func startServer(t *testing.T, o options) edited {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	flags := genericclioptions.NewConfigFlags(true)
	none := filepath.Join(root, "none")
	flags.KubeConfig = &none
	in, write := io.Pipe()
	read, out := io.Pipe()
	s := newSession(t.Context(), ask.New(flags), o, "")
	e := edited{root: root, server: s, ended: make(chan error, 1)}
	go func() {
		e.ended <- s.serve(in, out)
		_ = out.Close()
		_ = in.Close()
	}()
	e.Editor = lsptest.New(t, write, read)
	t.Cleanup(func() { _ = write.Close() })
	return e
}

// file makes a file, and returns its URI.
func (e edited) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(e.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder.URI(path)
}

// begun is a server after the handshake, in a folder with a fieldmark.yaml.
func begunServer(t *testing.T) edited {
	t.Helper()
	e := startServer(t, options{version: "v1"})
	e.file(t, "fieldmark.yaml", "")
	e.Begin(lsptest.Capable())
	return e
}

// waitEnd waits for the end of the server.
func (e edited) waitEnd(t *testing.T) error {
	t.Helper()
	select {
	case err := <-e.ended:
		return err
	case <-time.After(lsptest.Patience):
		t.Fatal("the server doesn't end")
		return nil
	}
}

func TestConversation(t *testing.T) {
	e := startServer(t, options{version: "v1"})
	if m := e.Ask("textDocument/hover", map[string]any{}); m.Error == nil || m.Error.Code != -32002 {
		t.Errorf("before initialize: %+v", m)
	}
	m := e.Begin(lsptest.Capable("utf-32", "utf-8"))
	var result struct {
		Capabilities struct {
			PositionEncoding string
			TextDocumentSync struct{ Change int }
		}
		ServerInfo struct{ Name, Version string }
	}
	if err := json.Unmarshal(m.Result, &result); err != nil || result.Capabilities.PositionEncoding != "utf-8" || result.Capabilities.TextDocumentSync.Change != 2 || result.ServerInfo.Version != "v1" {
		t.Errorf("%v: %s", err, m.Result)
	}
	for method, code := range map[string]int{"initialize": -32600, "textDocument/rename": -32601, "$/unknown": -32601, "workspace/executeCommand": -32602} {
		if m := e.Ask(method, map[string]any{}); m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %s %+v, want %d", method, m.Result, m.Error, code)
		}
	}
	e.Notify("$/setTrace", map[string]any{"value": "off"})
	e.Notify("textDocument/didOpen", []int{1})
	e.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": "file:///not-open.yaml", "version": 1}})
	e.Notify("$/cancelRequest", map[string]any{"id": "none"})
	e.End()
	if err := e.waitEnd(t); err != nil {
		t.Error(err)
	}
}

func TestExitWithoutShutdownIsAnError(t *testing.T) {
	e := startServer(t, options{})
	e.Begin(lsptest.Capable())
	e.Notify("exit", nil)
	if err := e.waitEnd(t); err == nil {
		t.Error("no error")
	}
}

func TestFramesThatAreNone(t *testing.T) {
	for what, c := range map[string]struct {
		raw  string
		code int // of the response; 0: the conversation ends
	}{
		"not JSON":                 {"Content-Length: 3\r\n\r\n{a}", -32700},
		"no message":               {"Content-Length: 7\r\n\r\n{\"a\":1}", -32600},
		"an array":                 {"Content-Length: 3\r\n\r\n[1]", -32600},
		"empty":                    {"Content-Length: 0\r\n\r\n", -32700},
		"another header":           {"X-A: b\r\nContent-Length: 3\r\n\r\n{a}", -32700},
		"in small letters":         {"content-length:3\r\n\r\n{a}", -32700},
		"a huge length":            {"Content-Length: 9999999999999\r\n\r\n", 0},
		"a length beyond":          {"Content-Length: 67108865\r\n\r\n", 0},
		"a negative length":        {"Content-Length: -1\r\n\r\n", 0},
		"no length":                {"X-A: b\r\n\r\n{}", 0},
		"no colon":                 {"hello\r\n\r\n", 0},
		"an endless header":        {strings.Repeat("a", 9000), 0},
		"endless headers":          {strings.Repeat("X-A: b\r\n", 2000), 0},
		"a number with words":      {"Content-Length: 3 bytes\r\n\r\n{a}", 0},
		"a length that says more":  {"Content-Length: 400\r\n\r\n{}", -1}, // the rest is awaited
		"a length that says less":  {"Content-Length: 1\r\n\r\n{}", -32700},
		"lengths that don't agree": {"Content-Length: 900\r\nContent-Length: 3\r\n\r\n{a}", -32700},
	} {
		t.Run(what, func(t *testing.T) {
			e := begunServer(t)
			go func() { _ = e.Raw(c.raw) }() // the server may end before it has read all
			switch {
			case c.code == 0:
				if err := e.waitEnd(t); err == nil {
					t.Error("the conversation ends without an error")
				}
			case c.code < -1:
				if m := e.Wait("null"); m.Error == nil || m.Error.Code != c.code {
					t.Errorf("%+v %+v, want %d", m, m.Error, c.code)
				}
			}
		})
	}
}

func TestWhatNeedsNoCluster(t *testing.T) {
	const good = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	e := begunServer(t)
	e.file(t, "chart/Chart.yaml", "name: x\n")
	elsewhere, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		name, text string
		codes      string
		line       int
		says       string
	}{
		"nothing wrong":        {"good.yaml", good, "", 0, ""},
		"not YAML":             {"bad.yaml", good + "data: {a: b\nc", "syntax", 4, ""},
		"several, one not":     {"several.yaml", good + "---\n" + good + "data: [\n---\n" + good, "syntax", 9, ""},
		"another program's":    {"values.yaml2.yaml", "replicas: 3\nimage: x\n", "", 0, ""},
		"a template":           {"template.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n  labels: {{- x }}\n", "template", 3, "helm template"},
		"of a chart":           {"chart/templates/a.yaml", good, "template", 0, "helm template"},
		"braces that are text": {"rule.yaml", good + "data:\n  a: '{{ $labels.x }}'\n", "", 0, ""},
		"no name":              {"nameless.yaml", "apiVersion: v1\nkind: ConfigMap\n", "syntax", 0, "name"},
		"a file of rules":      {"sub/fieldmark.yaml", "apiVersion: fieldmark.dev/v1\nkind: Expected\ncontext: production\nrules: []\n", "rules", 2, `no field "context"`},
		"many documents":       {"many.yaml", strings.Repeat(good+"---\n", 101), "too-long", 0, "100"},
		"long":                 {"long.yaml", good + "data:\n  a: '" + strings.Repeat("x", 1<<20) + "'\n", "too-long", 0, "1 MB"},
		"another language":     {"notes.txt", "{{", "none", 0, ""},
		"empty":                {"empty.yaml", "", "", 0, ""},
		"other broken YAML":    {"other.yaml", "a: {\n  b: [\n", "", 0, ""},
		"JSON with comments":   {"tsconfig.json", "{ // ours\n  \"strict\": true,\n}\n", "", 0, ""},
		"JSON, broken":         {"pod.json", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",,}\n", "syntax", 0, ""},
		"an alert, broken":     {"alert.yaml", good + "data:\n  a: Instance {{ $labels.x }} is down\n  b: [\n", "syntax", 6, ""},
	} {
		uri := e.file(t, c.name, "")
		e.Open(uri, c.text)
		if c.codes == "none" {
			continue
		}
		found := e.Diagnostics(uri, 1, nil)
		var codes []string
		for _, d := range found {
			codes = append(codes, d.Code)
			if d.Range.Start.Line != c.line || !strings.Contains(d.Message, c.says) || d.Source != "fieldmark" {
				t.Errorf("%s: %+v, want line %d and %q", what, d, c.line, c.says)
			}
		}
		if strings.Join(codes, " ") != c.codes {
			t.Errorf("%s: %q, want %q: %+v", what, codes, c.codes, found)
		}
	}
	outside := folder.URI(filepath.Join(elsewhere, "bad.yaml"))
	e.Open(outside, "kind: {")
	e.Open("untitled:Untitled-1", "kind: {")
	if found := e.Diagnostics(outside, 1, nil); len(found) != 0 {
		t.Errorf("a folder that no fieldmark.yaml names: %+v", found)
	}
	for _, p := range e.Published() {
		if strings.HasPrefix(p.URI, "untitled:") || strings.HasSuffix(p.URI, ".txt") {
			t.Errorf("%s has diagnostics", p.URI)
		}
	}
}

// TestOldResultsAreNotShown: after a change, the diagnostics of the old text are withdrawn, and results come with their version.
func TestOldResultsAreNotShown(t *testing.T) {
	e := begunServer(t)
	uri := e.file(t, "a.yaml", "")
	e.Open(uri, "kind: {\n")
	e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return len(d) == 1 })
	for version := 2; version < 300; version++ {
		e.Change(uri, version, lsptest.Range{}, "# x\n")
	}
	e.Diagnostics(uri, 299, func(d []lsptest.Diagnostic) bool { return len(d) == 1 && d[0].Range.Start.Line == 298 })
	newest := 0
	for i, p := range e.Published() {
		if p.Version < newest {
			t.Errorf("version %d comes after version %d", p.Version, newest)
		}
		if i == 1 && (p.Version != 2 || len(p.Diagnostics) != 0) {
			t.Errorf("the diagnostics of version 1 aren't withdrawn: %+v", p)
		}
		for _, d := range p.Diagnostics {
			if d.Range.Start.Line != p.Version-1 {
				t.Errorf("version %d has a result of another version: %+v", p.Version, d)
			}
		}
		newest = p.Version
	}
}

// TestAFloodOfChangesToALargeFile: 1,000 changes of 10 MB, and the last text is the right one.
func TestAFloodOfChangesToALargeFile(t *testing.T) {
	e := begunServer(t)
	uri := e.file(t, "a.yaml", "")
	e.Open(uri, strings.Repeat("# a line of a comment with 名 and 🙂\n", 10<<20/40))
	e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return len(d) == 1 && d[0].Code == "too-long" })
	for version := 2; version < 1000; version++ {
		e.Change(uri, version, lsptest.Range{Start: lsptest.Position{Line: version, Character: 3}, End: lsptest.Position{Line: version, Character: 4}}, "x")
	}
	e.Change(uri, 1000, lsptest.Range{End: lsptest.Position{Line: 1 << 30}}, "")
	e.Change(uri, 1001, lsptest.Range{}, "kind: 🙂\nb: {")
	if found := e.Diagnostics(uri, 1001, func(d []lsptest.Diagnostic) bool { return len(d) == 1 }); found[0].Code != "syntax" {
		t.Errorf("%+v", found)
	}
	if _, said := e.Asked(); len(said) > 0 {
		t.Errorf("messages: %q", said)
	}
}

// TestTextsAreBounded: what is beyond the bound isn't kept, and a short text is checked again.
func TestTextsAreBounded(t *testing.T) {
	e := begunServer(t)
	uri := e.file(t, "a.yaml", "")
	e.Open(uri, strings.Repeat("#", maxDocument+1))
	e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return len(d) == 1 && d[0].Code == "too-long" })
	e.Change(uri, 2, lsptest.Range{}, "x")
	e.Replace(uri, 3, "kind: {")
	e.Diagnostics(uri, 3, func(d []lsptest.Diagnostic) bool { return len(d) == 1 && d[0].Code == "syntax" })
	for i := range mostOpen + 10 {
		e.Open(fmt.Sprintf("file:///none/%d.txt", i), "x")
	}
	if m := e.Ask("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]int{}}); m.Error != nil {
		t.Errorf("%+v", m.Error)
	}
}

// TestPositionsInEachEncoding: the diagnostic of an error after an emoji and Chinese characters.
func TestPositionsInEachEncoding(t *testing.T) {
	for encoding, c := range map[string]struct{ at, end int }{"utf-8": {7, 13}, "utf-16": {3, 7}, "utf-32": {2, 6}} {
		e := startServer(t, options{})
		e.file(t, "fieldmark.yaml", "")
		e.Begin(lsptest.Capable(encoding))
		uri := e.file(t, "fieldmark.yaml", "")
		e.Open(uri, "apiVersion: fieldmark.dev/v1\nkind: Expected\n名🙂: x\nrules: []\n")
		e.Change(uri, 2, lsptest.Range{Start: lsptest.Position{Line: 2, Character: c.at}, End: lsptest.Position{Line: 2, Character: c.at}}, "値")
		found := e.Diagnostics(uri, 2, func(d []lsptest.Diagnostic) bool { return len(d) == 1 })
		if end := found[0].Range.End; end.Line != 2 || end.Character != c.end || !strings.Contains(found[0].Message, "名🙂値") {
			t.Errorf("%s: %+v, want character %d", encoding, found[0], c.end)
		}
	}
}

// TestWithoutConsentNothingIsAsked: the kubeconfig doesn't exist, so each question to a cluster would be an error.
func TestWithoutConsentNothingIsAsked(t *testing.T) {
	e := begunServer(t)
	uri := e.file(t, "a.yaml", "")
	e.Open(uri, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	if found := e.Diagnostics(uri, 1, nil); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if text := e.Hover(uri, 2, 12); text != "" {
		t.Error(text)
	}
	actions := e.Actions(uri, 0)
	if len(actions) != 1 || actions[0].Command == nil || actions[0].Command.Command != checkCommand {
		t.Fatalf("%+v", actions)
	}
	if m := e.Execute(actions[0].Command.Command, uri); m.Error == nil || !strings.Contains(m.Error.Message, "which cluster") {
		t.Errorf("%+v", m.Error)
	}
	if asked, _ := e.Asked(); len(asked) > 0 {
		t.Errorf("%q", asked)
	}
	if m := e.Execute(copyCommand, "kubectl get pods\x1b[2J"); m.Error != nil {
		t.Errorf("%+v", m.Error)
	}
	if _, said := e.Asked(); len(said) != 1 || strings.Contains(said[0], "\x1b") {
		t.Errorf("%q", said)
	}
}

// TestWithinItsTurns: a function that doesn't end keeps its turn, and a panic comes to the caller.
func TestWithinItsTurns(t *testing.T) {
	turns := make(chan struct{}, 1)
	release := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stuck := make(chan error, 1)
	began := make(chan struct{})
	of, end := context.WithCancel(t.Context())
	go func() {
		_, err := within(of, turns, func() (int, error) {
			close(began)
			<-release
			return 1, nil
		})
		stuck <- err
	}()
	<-began
	end()
	if err := <-stuck; !errors.Is(err, context.Canceled) {
		t.Errorf("a function that hangs: %v", err)
	}
	if _, err := within(ctx, turns, func() (int, error) { return 2, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("there is no turn: %v", err)
	}
	close(release)
	if n, err := within(t.Context(), turns, func() (int, error) { return 3, nil }); n != 3 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("the panic is lost")
		}
		if n, err := within(t.Context(), turns, func() (int, error) { return 4, nil }); n != 4 || err != nil {
			t.Errorf("the turn of a panic isn't given back: %d %v", n, err)
		}
	}()
	_, _ = within(t.Context(), turns, func() (int, error) { panic("oops") })
}

// TestFindingsThatSayTheSame: one diagnostic for each line, with the fields that it is about.
func TestFindingsThatSayTheSame(t *testing.T) {
	var all []check.Finding
	for i := range 15 {
		all = append(all, check.Finding{Kind: check.Extra, Why: "bot added the field.", Path: fmt.Sprintf(".data.k%d", i), Line: 2 + i/12, Live: json.RawMessage(`1`)})
	}
	all = append(all, check.Finding{Kind: check.Extra, Why: "bot added the field.", Path: ".data.x", Line: 2, Expected: &check.Excuse{Reason: "r"}})
	groups := grouped(all)
	if len(groups) != 2 || len(groups[0]) != 12 || len(groups[1]) != 3 {
		t.Fatalf("%+v", groups)
	}
	d := job{text: text.New("a: b\ndata:\n  c: d\n"), encoding: text.UTF16}.group(groups[0])
	if d.Severity != 4 || d.Range.Start.Line != 1 || strings.Count(d.Message, "\n") != 11 || !strings.HasSuffix(d.Message, "… and 2 more") || !strings.Contains(d.Message, ".data.k3: live 1, manifest nothing") {
		t.Errorf("%+v", d)
	}
}

// TestAPanicEndsOneMessage: the server goes on, and the person is told once.
func TestAPanicEndsOneMessage(t *testing.T) {
	e := begunServer(t)
	uri := e.file(t, "a.yaml", "")
	e.Open(uri, "kind: {")
	e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return len(d) == 1 })
	e.server.aim = nil // whatever asks for consent now fails
	for range 2 {
		if m := e.Ask("workspace/executeCommand", map[string]any{"command": checkCommand, "arguments": []string{uri}}); m.Error == nil || m.Error.Code != -32603 {
			t.Errorf("%+v", m)
		}
	}
	e.Replace(uri, 2, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n") // the check fails, too
	e.Replace(uri, 3, "kind: {b: {")
	e.Diagnostics(uri, 3, func(d []lsptest.Diagnostic) bool { return len(d) == 1 })
	if _, said := e.Asked(); len(said) != 1 || !strings.Contains(said[0], "Fieldmark failed") {
		t.Errorf("%q", said)
	}
}

func TestSummary(t *testing.T) {
	for of, want := range map[string]string{
		"kubectl apply -f x\n":            "kubectl apply -f x",
		"# add to a.yaml\nspec: {}\n":     "the text (add to a.yaml)",
		strings.Repeat("a", 70):           strings.Repeat("a", 60) + "…",
		"kubectl get \x1b[2J\nrm -rf x\n": "kubectl get ·[2J",
		"":                                "",
	} {
		if got := summary(of); got != want {
			t.Errorf("%q: %q, want %q", of, got, want)
		}
	}
}
