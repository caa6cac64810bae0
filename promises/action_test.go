package promises

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

const actionVersion = "9.8.7"

// action is deploy/action/action.yml, as a runner reads it.
type action struct {
	Inputs map[string]struct {
		Default string `json:"default"`
	} `json:"inputs"`
	Runs struct {
		Using string `json:"using"`
		Steps []struct {
			Name  string            `json:"name"`
			Shell string            `json:"shell"`
			Env   map[string]string `json:"env"`
			Run   string            `json:"run"`
			In    string            `json:"working-directory"`
		} `json:"steps"`
	} `json:"runs"`
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile("../deploy/action/action.yml")
	fine(t, err)
	var a action
	fine(t, yaml.Unmarshal(text, &a))
	return a
}

// release serves what a release has, and the certificate authority that curl needs for it.
func release(t *testing.T, spoil bool) (base, authority string) {
	t.Helper()
	program, err := os.ReadFile(fieldmarkProgram(t))
	fine(t, err)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	files := tar.NewWriter(z)
	fine(t, files.WriteHeader(&tar.Header{Name: "fieldmark", Mode: 0o755, Size: int64(len(program))}))
	_, err = files.Write(program)
	fine(t, errors.Join(err, files.Close(), z.Close()))
	archive := fmt.Sprintf("fieldmark_%s_%s_%s.tar.gz", actionVersion, runtime.GOOS, runtime.GOARCH)
	sums := fmt.Sprintf("%064d  %s.cdx.json\n%x  %s\n", 0, archive, sha256.Sum256(b.Bytes()), archive)
	if spoil {
		b.WriteByte(0)
	}
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v" + actionVersion + "/" + archive:
			_, _ = w.Write(b.Bytes())
		case "/v" + actionVersion + "/checksums.txt":
			_, _ = w.Write([]byte(sums))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	authority = filepath.Join(t.TempDir(), "ca.pem")
	fine(t, os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	return s.URL, authority
}

// pull is the code host: it has the comments of a pull request.
type pull struct {
	*httptest.Server
	comments []map[string]any
	fork     bool
}

func hostPull(t *testing.T) *pull {
	t.Helper()
	p := &pull{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent map[string]any
		switch {
		case p.fork && r.Method != http.MethodGet:
			http.Error(w, `{"message":"Resource not accessible by integration"}`, http.StatusForbidden)
			return
		case r.Method == http.MethodGet:
			_ = json.NewEncoder(w).Encode(p.comments)
			return
		case json.NewDecoder(r.Body).Decode(&sent) != nil:
			w.WriteHeader(http.StatusBadRequest)
			return
		case r.Method == http.MethodPost:
			p.comments = append(p.comments, map[string]any{"id": 1, "user": map[string]any{"login": "github-actions[bot]", "type": "Bot"}})
		}
		p.comments[0]["body"] = sent["body"]
	}))
	t.Cleanup(p.Close)
	return p
}

// run runs the steps as a runner does, until one fails, and returns the exit code, the log, and the files that the steps write.
func (a action) run(t *testing.T, inputs, env map[string]string) (code int, log string, files map[string]string) {
	t.Helper()
	temp := t.TempDir()
	path := filepath.Join(temp, "path")
	output, summary := filepath.Join(temp, "output"), filepath.Join(temp, "summary")
	for _, step := range a.Runs.Steps {
		more, _ := os.ReadFile(path)
		c := exec.CommandContext(t.Context(), step.Shell, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
		c.Dir = env["WORKSPACE"]
		if step.In != "" {
			c.Dir = filepath.Join(c.Dir, a.value(t, step.In, inputs))
		}
		c.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_PATH="+path, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary,
			"PATH="+strings.TrimSpace(string(more))+":"+os.Getenv("PATH"))
		for name, value := range env {
			c.Env = append(c.Env, name+"="+value)
		}
		for name, value := range step.Env {
			c.Env = append(c.Env, name+"="+a.value(t, value, inputs))
		}
		out, err := c.CombinedOutput()
		log += string(out)
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			code = exit.ExitCode()
			break
		}
		fine(t, err)
	}
	files = map[string]string{}
	for _, name := range []string{"output", "summary", "fieldmark.sarif"} {
		text, _ := os.ReadFile(filepath.Join(temp, name))
		files[name] = string(text)
	}
	return code, log, files
}

// value is the value of an expression, of which the action has two kinds.
func (a action) value(t *testing.T, text string, inputs map[string]string) string {
	t.Helper()
	name, ok := strings.CutPrefix(strings.TrimSuffix(text, " }}"), "${{ inputs.")
	in, known := a.Inputs[name]
	if !ok || !known {
		t.Fatalf("%s is no input", text)
	}
	value, set := inputs[name]
	if !set {
		value = in.Default
	}
	if strings.Contains(value, "${{") {
		t.Fatalf("the test has no value for %s", name)
	}
	return value
}

func TestActionChecksAndComments(t *testing.T) {
	file := severalContexts(t)
	applyAs(t, "test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: action}\n")
	a, host := readAction(t), hostPull(t)
	base, authority := release(t, false)
	folder := t.TempDir()
	event := filepath.Join(folder, "event.json")
	fine(t, os.WriteFile(event, []byte(`{"pull_request":{"number":7}}`), 0o600))
	manifests := filepath.Join(folder, "my manifests")
	fine(t, os.Mkdir(manifests, 0o700))
	settings := func(color string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: action}\ndata: {color: " + color + "}\n"
	}
	applyAs(t, "ada", settings("green"))
	env := map[string]string{
		"WORKSPACE": folder, "KUBECONFIG": file, "CURL_CA_BUNDLE": authority, "FIELDMARK_RELEASES": base, "GITHUB_API_URL": host.URL, "GITHUB_REPOSITORY": "shop/web",
		"GITHUB_EVENT_PATH": event, "GITHUB_SERVER_URL": "https://github.example.com", "GITHUB_RUN_ID": "5", "HOME": folder,
	}
	check := func(color string, more map[string]string) (code int, log string, files map[string]string) {
		t.Helper()
		fine(t, os.WriteFile(filepath.Join(manifests, `a, "b".yaml`), []byte(settings(color)), 0o600))
		inputs := map[string]string{"version": actionVersion, "token": "t0ken", "filename": "my manifests/a, \"b\".yaml\n", "working-directory": ".", "manager": "pipe$(touch injected)line", "context": "several-a"}
		for name, value := range more {
			inputs[name] = value
		}
		return a.run(t, inputs, env)
	}
	body := func() string { return fmt.Sprint(host.comments[0]["body"]) }

	code, log, files := check("red", nil)
	if code != 1 || len(host.comments) != 1 {
		t.Fatalf("exit code %d, %d comments\n%s", code, len(host.comments), log)
	}
	contains(t, log, ": OK", ".data.color", "1 document: 1 conflict")
	contains(t, files["output"], "exit-code=1\n", "sarif=")
	contains(t, files["fieldmark.sarif"], `"2.1.0"`, "conflict", "my%20manifests/a,%20%22b%22.yaml")
	contains(t, body(), "fieldmark check: manifests", "**conflict** `ConfigMap action/settings` `.data.color`", "pipe$(touch injected)line", "Ways out")
	before := body()
	if code, log, _ = check("red", nil); code != 1 || body() != before || len(host.comments) != 1 {
		t.Errorf("a second push: exit code %d\n%s\n%s", code, log, body())
	}
	if code, log, _ = check("green", nil); code != 0 || len(host.comments) != 1 {
		t.Errorf("without a conflict: exit code %d\n%s", code, log)
	}
	if strings.Contains(body(), "**conflict**") {
		t.Errorf("the conflict is still in the comment:\n%s", body())
	}

	host.fork = true
	forked(t, check)
	for _, text := range []string{log, body()} {
		if strings.Contains(text, "t0ken") {
			t.Errorf("the token is in\n%s", text)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "injected")); err == nil {
		t.Error("an input was run as a command")
	}
}

// forked checks a pull request of a fork, whose token may not comment, and what some inputs do.
func forked(t *testing.T, check func(color string, more map[string]string) (code int, log string, files map[string]string)) {
	t.Helper()
	code, log, files := check("blue", nil)
	if code != 1 || strings.Contains(log, "warning") {
		t.Errorf("a fork: exit code %d\n%s", code, log)
	}
	contains(t, files["summary"], "**conflict**", ".data.color")
	if code, log, files = check("red", map[string]string{"fail-on": "invalid", "comment": ""}); code != 0 || files["summary"] != "" {
		t.Errorf("fail-on: exit code %d\n%s%s", code, log, files["summary"])
	}
	if code, log, _ = check("red", map[string]string{"filename": "nosuch.yaml"}); code != 2 {
		t.Errorf("without the file: exit code %d\n%s", code, log)
	}
}

func TestActionStopsAtAWrongChecksum(t *testing.T) {
	a := readAction(t)
	base, authority := release(t, true)
	for name, version := range map[string]string{"another archive": actionVersion, "no such release": "0.0.0", "no version": "../x"} {
		code, log, files := a.run(t, map[string]string{"version": version, "token": "t"}, map[string]string{"WORKSPACE": t.TempDir(), "CURL_CA_BUNDLE": authority, "FIELDMARK_RELEASES": base})
		if code == 0 || files["output"] != "" {
			t.Errorf("%s: exit code %d\n%s", name, code, log)
		}
	}
	base, authority = release(t, false)
	env := map[string]string{"WORKSPACE": t.TempDir(), "CURL_CA_BUNDLE": authority, "FIELDMARK_RELEASES": base}
	code, log, _ := a.run(t, map[string]string{"version": actionVersion, "token": "t", "sha256": strings.Repeat("0", 64)}, env)
	if code != 2 {
		t.Errorf("another checksum than the one that is wanted: exit code %d\n%s", code, log)
	}
}

// The workflows of the documents use inputs that the action has.
func TestActionIsUsedAsTheDocumentsSay(t *testing.T) {
	a := readAction(t)
	text, err := os.ReadFile("../docs/ci.md")
	fine(t, err)
	for name, least := range map[string]int{"action": 3, "nightly": 5} {
		_, block, _ := strings.Cut(string(text), "```yaml "+name+"\n")
		block, _, _ = strings.Cut(block, "```")
		var w struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses string         `json:"uses"`
					With map[string]any `json:"with"`
				} `json:"steps"`
			} `json:"jobs"`
		}
		fine(t, yaml.Unmarshal([]byte(block), &w))
		used := 0
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				if !strings.HasPrefix(step.Uses, "fieldmark/fieldmark/deploy/action@") {
					continue
				}
				for input := range step.With {
					used++
					if _, known := a.Inputs[input]; !known {
						t.Errorf("%s: the action has no input %s", name, input)
					}
				}
			}
		}
		if used < least {
			t.Errorf("%s: %d inputs are used", name, used)
		}
	}
}

// Each input is a flag of check, and none of them becomes text of a script.
func TestActionHasInputsAsFlags(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 2 {
		t.Fatalf("%+v", a)
	}
	_, help, _ := onInput(t, "", "/dev/null", "check", "--help")
	for name := range a.Inputs {
		if !slices.Contains([]string{"token", "version", "sha256", "working-directory"}, name) && !strings.Contains(help, "--"+name+" ") && !strings.Contains(help, "--"+name+"=") {
			t.Errorf("check has no flag --%s", name)
		}
	}
	for _, step := range a.Runs.Steps {
		if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
			t.Errorf("%s: an expression in a script is run as a part of it", step.Name)
		}
	}
}
