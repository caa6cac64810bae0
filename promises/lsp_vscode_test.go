package promises

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheExtensionSpeaksToTheProgram bundles the extension for VS Code, and activates it in Node. The module vscode is a stand-in: VS Code itself doesn't run
// here. The program and the cluster are real.
func TestTheExtensionSpeaksToTheProgram(t *testing.T) {
	kubeconfig := practiceKubeconfig(t)
	if _, err := os.Stat("../node_modules/vscode-languageclient"); err != nil {
		if os.Getenv("FIELDMARK_MAKE") != "" {
			t.Fatal("the npm packages are missing. Please run: make node_modules/.package-lock.json")
		}
		t.Skip("SKIPPED, NOT TESTED: the npm packages are missing; make test installs them")
	}
	folder := t.TempDir()
	bundle := exec.CommandContext(t.Context(), "node", "dev/scripts/bundle-vscode.mjs", folder)
	bundle.Dir = ".."
	if out, err := bundle.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "THIRD-PARTY-LICENCES.txt")); err != nil || !strings.Contains(string(text), "vscode-languageclient") {
		t.Errorf("%v: %.200s", err, text)
	}
	s := newHookScene(t, "vscode")
	file := filepath.Join(project(t, ""), "web.yaml")
	if err := os.WriteFile(file, []byte(foreignImage(s.namespace)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, "node", "testdata/vscode.cjs", filepath.Join(folder, "extension.js"), fieldmarkProgram(t), file)
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HOME="+t.TempDir())
	var errs strings.Builder
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, errs.String())
	}
	var seen struct {
		Settings, Questions []string
		Error, Copied       string
		Activated, Ended    bool
		Diagnostics         []struct {
			Code, Message  string
			Line, Severity int
		}
	}
	if err := json.Unmarshal(out, &seen); err != nil || seen.Error != "" || !seen.Activated || !seen.Ended || seen.Copied != "kubectl apply" {
		t.Fatalf("%v: %s%s", err, out, errs.String())
	}
	if len(seen.Questions) != 1 || !strings.Contains(seen.Questions[0], "context practice (https://") {
		t.Errorf("%q", seen.Questions)
	}
	found := false
	for _, d := range seen.Diagnostics {
		found = found || d.Code == "conflict" && d.Line == imageLine(foreignImage(s.namespace)) && d.Severity == 0
	}
	if !found {
		t.Errorf("%+v", seen.Diagnostics)
	}
}
