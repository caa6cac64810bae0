package promises

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	lspfolder "github.com/fieldmark/fieldmark/cli/lsp/folder"
	"github.com/fieldmark/fieldmark/cli/lsp/lsptest"
	"github.com/fieldmark/fieldmark/cli/lsp/text"
)

// startEditor starts the verb lsp, and speaks with it. It ends with the test.
func startEditor(t *testing.T, kubeconfig string, args ...string) *lsptest.Editor {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), fieldmarkProgram(t), append([]string{"lsp", "--kubeconfig", kubeconfig, "--cache-dir", t.TempDir()}, args...)...)
	log := newRecording()
	command.Stderr = log
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	e := lsptest.New(t, in, out)
	t.Cleanup(func() {
		_ = in.Close()
		late := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
		defer late.Stop()
		if err := command.Wait(); err != nil {
			t.Errorf("the verb did not end well: %v: %s", err, log)
		}
	})
	return e
}

// project is a folder with a fieldmark.yaml.
func project(t *testing.T, rules string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "fieldmark.yaml"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

// foreignImage is a manifest of the Deployment of a hookScene, as somebody else writes it.
func foreignImage(namespace string) string {
	return strings.NewReplacer("{name: web,", "{name: web, namespace: "+namespace+",", "app:1", "app:2").Replace(hookDeployment)
}

// imageLine is the line with the image, from 0.
func imageLine(text string) int {
	return slices.IndexFunc(strings.Split(text, "\n"), func(line string) bool { return strings.Contains(line, "image:") })
}

func isConflict(d lsptest.Diagnostic) bool { return d.Code == "conflict" }

// applyEdits is a text after the edits of an action.
func applyEdits(whole string, edits []lsptest.Edit) string {
	of := text.New(whole)
	for _, e := range slices.Backward(edits) {
		of.Replace(text.Position(e.Range.Start), text.Position(e.Range.End), e.NewText, text.UTF16)
	}
	return of.String()
}

// TestEditorSeesFindings: findings while somebody types, hovers and ways out, on a real cluster.
func TestEditorSeesFindings(t *testing.T) {
	kubeconfig := practiceKubeconfig(t)
	s := newHookScene(t, "lsp")
	root := project(t, "")
	e := startEditor(t, kubeconfig, "--context", "practice", "--dry-runs", root, "--manager", "me", "--pause", "10ms")
	e.Begin(lsptest.Capable("utf-16"))
	uri := lspfolder.URI(filepath.Join(root, "web.yaml"))
	manifest := "# 名前 🙂\n" + foreignImage(s.namespace)
	line := imageLine(manifest)
	e.Open(uri, manifest)
	found := e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return slices.ContainsFunc(d, isConflict) })
	at := slices.IndexFunc(found, func(d lsptest.Diagnostic) bool { return isConflict(d) && d.Range.Start.Line == line })
	if at < 0 {
		t.Fatalf("no conflict in line %d: %+v", line, found)
	}
	conflict := found[at]
	if conflict.Severity != 1 || conflict.Source != "fieldmark" || !strings.Contains(conflict.Message, "argocd-controller") {
		t.Errorf("%+v", conflict)
	}
	if r := conflict.RelatedInformation; len(r) == 0 || !strings.Contains(r[0].Message, "argocd-controller (Apply), last write 20") {
		t.Errorf("%+v", r)
	}
	if text := e.Hover(uri, line, 20); !strings.Contains(text, "argocd-controller") || !strings.Contains(text, "**Schema**: string") || !strings.Contains(text, "**Last writer**") {
		t.Errorf("the image: %s", text)
	}
	if text := e.Hover(uri, line-1, 7); !strings.Contains(text, "keys `name`") || !strings.Contains(text, "Owners") {
		t.Errorf("the containers: %s", text)
	}
	var titles []string
	for _, a := range e.Actions(uri, line) {
		titles = append(titles, a.Title)
		if a.Kind != "quickfix" || (a.Edit == nil) == (a.Command == nil) {
			t.Errorf("%+v", a)
		}
		switch {
		case strings.HasPrefix(a.Title, "Fieldmark: Give up the field (conflict"):
			if got := applyEdits(manifest, a.Edit.DocumentChanges[0].Edits); strings.Contains(got, "image:") || !strings.Contains(got, "replicas: 0") || *a.Edit.DocumentChanges[0].TextDocument.Version != 1 {
				t.Errorf("%s:\n%s", a.Title, got)
			}
		case strings.HasPrefix(a.Title, "Fieldmark: Share the field (conflict"):
			manifest = applyEdits(manifest, a.Edit.DocumentChanges[0].Edits)
		case strings.HasPrefix(a.Title, "Fieldmark: Overwrite"):
			if !strings.Contains(a.Command.Arguments[0], "--force-conflicts") {
				t.Errorf("%+v", a)
			}
		}
	}
	all := strings.Join(titles, "\n")
	for _, want := range []string{"Give up", "Share", "Overwrite", "copy ", "Expect this finding in fieldmark.yaml"} {
		if !strings.Contains(all, want) {
			t.Errorf("no action %q in:\n%s", want, all)
		}
	}
	e.Replace(uri, 2, manifest) // as the action to share changes it
	e.Diagnostics(uri, 2, func(d []lsptest.Diagnostic) bool {
		return slices.ContainsFunc(d, func(d lsptest.Diagnostic) bool { return d.Code == "shared" }) && !slices.ContainsFunc(d, func(d lsptest.Diagnostic) bool { return isConflict(d) && d.Range.Start.Line == line })
	})
	e.End()
}

// TestEditorRuleSilencesAFinding: the action that adds a rule to fieldmark.yaml makes the finding an expected one.
func TestEditorRuleSilencesAFinding(t *testing.T) {
	kubeconfig := practiceKubeconfig(t)
	s := newHookScene(t, "lsprule")
	root := project(t, "")
	e := startEditor(t, kubeconfig, "--context", "practice", "--dry-runs", root, "--manager", "me", "--pause", "10ms")
	e.Begin(lsptest.Capable("utf-16"))
	uri, rules := lspfolder.URI(filepath.Join(root, "sub.yaml")), lspfolder.URI(filepath.Join(root, "fieldmark.yaml"))
	manifest := foreignImage(s.namespace)
	e.Open(uri, manifest)
	e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return slices.ContainsFunc(d, isConflict) })
	for round := range 2 { // of the image, and of the replicas
		line := imageLine(manifest)
		if round == 1 {
			line = slices.IndexFunc(strings.Split(manifest, "\n"), func(line string) bool { return strings.Contains(line, "replicas:") })
		}
		actions := e.Actions(uri, line)
		at := slices.IndexFunc(actions, func(a lsptest.Action) bool {
			return strings.HasPrefix(a.Title, "Fieldmark: Expect this finding in fieldmark.yaml (conflict")
		})
		if at < 0 {
			t.Fatalf("round %d: %+v", round, actions)
		}
		change := actions[at].Edit.DocumentChanges[0]
		if change.TextDocument.URI != rules || change.TextDocument.Version != nil {
			t.Fatalf("%+v", change)
		}
		before, err := os.ReadFile(filepath.Join(root, "fieldmark.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "fieldmark.yaml"), []byte(applyEdits(string(before), change.Edits)), 0o600); err != nil {
			t.Fatal(err)
		}
		e.Change(uri, 2+round, lsptest.Range{}, "# again\n")
		manifest = "# again\n" + manifest
		e.Diagnostics(uri, 2+round, func(d []lsptest.Diagnostic) bool {
			return len(d) > 0 && !slices.ContainsFunc(d, func(d lsptest.Diagnostic) bool { return isConflict(d) && d.Range.Start.Line == line+1 })
		})
	}
	e.End()
}

// sent is how many requests have arrived.
func (m *middle) sent() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.seen)
}

// onlyDryRuns requires that what has arrived is reads and dry runs, and that there is one of these.
func (m *middle) onlyDryRuns(t *testing.T) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	dry := 0
	for _, r := range m.seen {
		if query := r.URL.Query(); r.Method != http.MethodGet && (len(query["dryRun"]) != 1 || query.Get("dryRun") != "All") {
			t.Errorf("%s %s left", r.Method, r.URL)
		} else if r.Method != http.MethodGet {
			dry++
		}
	}
	if dry == 0 {
		t.Error("no dry run left")
	}
}

// TestAHostileFolderDecidesNothing: without the person's consent, not one request leaves, whatever the files and the settings of a folder say.
func TestAHostileFolderDecidesNothing(t *testing.T) {
	m, kubeconfig := between(t)
	s := newHookScene(t, "lsphostile")
	root, mine := project(t, "apiVersion: fieldmark.dev/v1\nkind: Expected\ncontext: one\ndryRuns: true\nrules: []\n"), project(t, "")
	if err := os.Symlink(mine, filepath.Join(root, "mine")); err != nil {
		t.Fatal(err)
	}
	e := startEditor(t, kubeconfig, "--context", "one", "--dry-runs", mine, "--pause", "10ms")
	wants := lsptest.Capable("utf-16")
	settings := map[string]any{"fieldmark": map[string]any{"context": "one", "dryRuns": []string{root, "/"}, "consent": true}}
	wants["initializationOptions"], wants["rootUri"] = settings, lspfolder.URI(root)
	e.Begin(wants)
	e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": settings})
	uri := lspfolder.URI(filepath.Join(root, "web.yaml"))
	manifest := foreignImage(s.namespace)
	e.Open(uri, manifest)
	e.Diagnostics(uri, 1, nil)
	e.Change(uri, 2, lsptest.Range{}, "# x\n")
	e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uri}})
	e.Diagnostics(uri, 2, nil)
	if text := e.Hover(uri, 5, 4); text != "" {
		t.Error(text)
	}
	actions := e.Actions(uri, 5)
	if len(actions) != 1 || !strings.Contains(actions[0].Title, "check this folder against one (https://127.0.0.1:") || !strings.Contains(actions[0].Title, " as one") {
		t.Fatalf("%+v", actions)
	}
	for _, answer := range []string{"", "Send nothing", "refuse"} {
		e.Answers(answer)
		if failed := e.Execute("fieldmark.check", uri).Error != nil; failed != (answer == "refuse") {
			t.Errorf("%q fails: %v", answer, failed)
		}
	}
	if n := m.sent(); n != 0 {
		t.Errorf("%d requests left", n)
	}
	if asked, _ := e.Asked(); len(asked) != 3 || !strings.Contains(asked[0], root) || !strings.Contains(asked[0], "context one (https://127.0.0.1:") || !strings.Contains(asked[0], "as one") {
		t.Errorf("%q", asked)
	}
	e.Answers("Send dry runs until the editor closes")
	if no := e.Execute("fieldmark.check", uri).Error; no != nil {
		t.Errorf("%+v", no)
	}
	e.Diagnostics(uri, 2, func(d []lsptest.Diagnostic) bool {
		return slices.ContainsFunc(d, func(d lsptest.Diagnostic) bool { return d.Code == "conflict" || d.Code == "changed" })
	})
	m.onlyDryRuns(t)
	if actions := e.Actions(uri, 0); len(actions) == 0 || actions[len(actions)-1].Command.Command != "fieldmark.stop" {
		t.Fatalf("%+v", actions)
	}
	e.Execute("fieldmark.stop", uri)
	e.Change(uri, 3, lsptest.Range{}, "# y\n")
	e.Diagnostics(uri, 3, nil)
	before := m.sent()
	e.Change(uri, 4, lsptest.Range{}, "# y\n")
	e.Diagnostics(uri, 4, nil)
	if e.Hover(uri, 9, 4); m.sent() != before {
		t.Error("requests leave after the person withdrew")
	}
	e.End()
}

// TestEditorLosesTheCluster: words, no crash, and findings again when the cluster is there again.
func TestEditorLosesTheCluster(t *testing.T) {
	m, kubeconfig := between(t)
	s := newHookScene(t, "lspgone")
	root := project(t, "")
	e := startEditor(t, kubeconfig, "--context", "one", "--dry-runs", root, "--manager", "me", "--pause", "10ms")
	e.Begin(lsptest.Capable("utf-16"))
	uri := lspfolder.URI(filepath.Join(root, "web.yaml"))
	e.Open(uri, foreignImage(s.namespace))
	e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return slices.ContainsFunc(d, isConflict) })
	m.CloseClientConnections()
	m.Close()
	e.Change(uri, 2, lsptest.Range{}, "# x\n")
	e.Diagnostics(uri, 2, func(d []lsptest.Diagnostic) bool {
		return len(d) == 1 && d[0].Code == "not-asked" && d[0].Severity == 2
	})
	if m := e.Ask("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]int{"line": 5, "character": 4}}); m.Error == nil {
		t.Errorf("%+v", m)
	}
	e.Replace(uri, 3, "kind: {")
	e.Diagnostics(uri, 3, func(d []lsptest.Diagnostic) bool { return len(d) == 1 && d[0].Code == "syntax" })
	e.End()
}

// TestAPluginThatPrintsDoesNotReachTheEditor: a credentials plugin prints to standard output, or hangs. The editor's reader accepts frames alone.
func TestAPluginThatPrintsDoesNotReachTheEditor(t *testing.T) {
	m, _ := between(t)
	s := newHookScene(t, "lspplugin")
	const credential = `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}'`
	for script, code := range map[string]string{
		"echo noise >&2; " + credential:                  "conflict",
		"echo noise; " + credential:                      "not-asked",
		"yes polluted | head -c 100000":                  "not-asked",
		"timeout 1 cat >/dev/null; " + credential:        "conflict",
		"printf 'Content-Length: 2\\r\\n\\r\\n{}'; exit": "not-asked",
	} {
		kubeconfig := kubeconfigOf(t, m.URL, map[string]any{"exec": map[string]any{
			"apiVersion": "client.authentication.k8s.io/v1", "command": "sh", "args": []any{"-c", script}, "interactiveMode": "IfAvailable",
		}})
		root := project(t, "")
		e := startEditor(t, kubeconfig, "--context", "one", "--dry-runs", root, "--manager", "me", "--pause", "10ms")
		e.Begin(lsptest.Capable("utf-16"))
		uri := lspfolder.URI(filepath.Join(root, "web.yaml"))
		e.Open(uri, foreignImage(s.namespace))
		e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool {
			return slices.ContainsFunc(d, func(d lsptest.Diagnostic) bool { return d.Code == code })
		})
		e.End()
	}
}

// TestHostileTextInAnEditor: a name of a manager and a value with markup and control characters.
func TestHostileTextInAnEditor(t *testing.T) {
	kubeconfig := practiceKubeconfig(t)
	s := newHookScene(t, "lsptext")
	s.run(`kubectl patch configmap settings -n ` + s.namespace + ` --field-manager '<img src=x>[a](command:x) **b**' --type merge -p '{"data":{"bait":"[x](command:y) \u001b[2J \u202e"}}'`)
	root := project(t, "")
	e := startEditor(t, kubeconfig, "--context", "practice", "--dry-runs", root, "--manager", "me", "--pause", "10ms")
	e.Begin(lsptest.Capable("utf-16"))
	uri := lspfolder.URI(filepath.Join(root, "settings.yaml"))
	e.Open(uri, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: "+s.namespace+"}\ndata:\n  bait: mine\n")
	found := e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return slices.ContainsFunc(d, isConflict) })
	for _, d := range found {
		if strings.ContainsAny(d.Message, "\x1b\u202e") {
			t.Errorf("%q", d.Message)
		}
	}
	text := e.Hover(uri, 4, 4)
	if !strings.Contains(text, `\<img src=x\>\[a\](command:x) \*\*b\*\*`) {
		t.Error(text)
	}
	for _, a := range e.Actions(uri, 4) {
		if strings.ContainsAny(a.Title, "\x1b\u202e\n") {
			t.Errorf("%q", a.Title)
		}
	}
	e.End()
}

// TestSecretsStayOutOfAnEditor: no value of a Secret is in what the server sends.
func TestSecretsStayOutOfAnEditor(t *testing.T) {
	kubeconfig := practiceKubeconfig(t)
	s := newHookScene(t, "lspsecret")
	s.run("kubectl create secret generic key --from-literal=password=liveSecret77 -n " + s.namespace)
	root := project(t, "")
	e := startEditor(t, kubeconfig, "--context", "practice", "--dry-runs", root, "--manager", "me", "--pause", "10ms")
	e.Begin(lsptest.Capable("utf-16"))
	uri := lspfolder.URI(filepath.Join(root, "key.yaml"))
	e.Open(uri, "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: "+s.namespace+"}\ndata:\n  password: b3RoZXI=\n")
	said := ""
	for _, d := range e.Diagnostics(uri, 1, func(d []lsptest.Diagnostic) bool { return slices.ContainsFunc(d, isConflict) }) {
		said += d.Message
	}
	said += e.Hover(uri, 4, 4)
	for _, a := range e.Actions(uri, 4) {
		said += a.Title
		if a.Command != nil {
			said += strings.Join(a.Command.Arguments, "\n")
		}
	}
	if strings.Contains(said, "liveSecret77") || strings.Contains(said, "bGl2ZVNlY3JldDc3") || !strings.Contains(said, "kubectl-create") {
		t.Error(said)
	}
	e.End()
}

// TestEditorEndsTheCheckOfAnOldText: a change ends the request of the check before it.
func TestEditorEndsTheCheckOfAnOldText(t *testing.T) {
	to, transport := reach(t, practiceKubeconfig(t))
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = transport
	began, ended := make(chan struct{}, 100), make(chan struct{}, 100)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPatch { // it isn't answered
			_, _ = io.Copy(io.Discard, r.Body)
			began <- struct{}{}
			<-r.Context().Done()
			ended <- struct{}{}
			return
		}
		r.Host = to.Host
		proxy.ServeHTTP(w, r)
	}))
	defer server.Close()
	root := project(t, "")
	e := startEditor(t, kubeconfigOf(t, server.URL, nil), "--context", "one", "--dry-runs", root, "--manager", "me", "--pause", "10ms")
	e.Begin(lsptest.Capable("utf-16"))
	uri := lspfolder.URI(filepath.Join(root, "a.yaml"))
	e.Open(uri, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: not-there, namespace: shop}\n")
	wait := func(what string, c chan struct{}) {
		select {
		case <-c:
		case <-time.After(patience):
			t.Fatal("not within the time: " + what)
		}
	}
	wait("a dry run", began)
	e.Change(uri, 2, lsptest.Range{}, "# x\n")
	wait("the end of the dry run", ended)
	wait("a dry run of the new text", began)
	e.Replace(uri, 3, "kind: {")
	wait("the end of this dry run", ended)
	e.Diagnostics(uri, 3, func(d []lsptest.Diagnostic) bool { return len(d) == 1 && d[0].Code == "syntax" })
	for _, p := range e.Published() {
		if p.Version < 3 {
			t.Errorf("a check that was ended has a result: %+v", p)
		}
	}
	e.End()
}
