package promises

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/fieldmark/fieldmark/cli/lsp/lsptest"
)

// editorBlocks are the blocks of docs/editors.md in a language.
func editorBlocks(t *testing.T, language string) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range fences.FindAllStringSubmatch(string(text), -1) {
		if found[1] == language {
			all = append(all, found[2])
		}
	}
	return all
}

// neovim is Neovim, and whether it has vim.lsp.config.
func neovim(t *testing.T) (program string, newer bool) {
	t.Helper()
	program, err := exec.LookPath("nvim")
	switch {
	case err != nil && os.Getenv("FIELDMARK_MAKE") != "":
		t.Fatal("Neovim is missing. Please run: sudo apt-get install neovim")
	case err != nil:
		t.Skip("SKIPPED, NOT TESTED: Neovim is missing; make test installs it")
	}
	out, err := exec.CommandContext(t.Context(), program, "--clean", "--headless", "+lua io.stdout:write(tostring(vim.lsp.config ~= nil))", "+qall!").Output()
	if err != nil {
		t.Fatal(err)
	}
	return program, bytes.Contains(out, []byte("true"))
}

// TestNeovim runs the lines of docs/editors.md in a real Neovim, with its own client: consent, diagnostics, hover, a code action, 10 MB, a killed server.
func TestNeovim(t *testing.T) {
	kubeconfig := practiceKubeconfig(t)
	program, newer := neovim(t)
	s := newHookScene(t, "nvim")
	root, home := project(t, ""), t.TempDir()
	for name, text := range map[string]string{"web.yaml": foreignImage(s.namespace), "big.yaml": strings.Repeat("# a line of a comment with 名 and 🙂\n", 10<<20/40), "broken.yaml": "kind: {\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wrapper := "#!/bin/sh\nexec '" + fieldmarkProgram(t) + "' \"$@\" --manager me\n" // the findings are those of somebody else than the owner
	if err := os.WriteFile(filepath.Join(home, "fieldmark"), []byte(wrapper), 0o700); err != nil {
		t.Fatal(err)
	}
	blocks := editorBlocks(t, "lua")
	if len(blocks) != 3 {
		t.Fatalf("%d blocks for Neovim", len(blocks))
	}
	block := blocks[1]
	if newer {
		block = blocks[0]
	}
	script, err := os.ReadFile("testdata/editor.lua")
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(home, "run.lua")
	if err := os.WriteFile(run, []byte(block+"\n"+blocks[2]+"\n"+string(script)), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(home, "seen.json")
	ctx, cancel := context.WithTimeout(t.Context(), 5*patience) // each of its steps has a bound, too
	defer cancel()
	command := exec.CommandContext(ctx, program, "--clean", "--headless", "-S", run)
	command.Dir = root
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "PATH="+home+":"+os.Getenv("PATH"), "SEEN="+seen)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(seen)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	judgeNeovim(t, text, root)
}

// judgeNeovim judges what the steps have seen.
func judgeNeovim(t *testing.T, text []byte, root string) {
	t.Helper()
	var seen struct {
		Version, Offered, Conflict, Hover, Applied, Text, Failed string
		GoesOn                                                   string  `json:"goes_on"`
		Slowest                                                  float64 `json:"slowest_key_ms"`
		Restarted                                                bool
		Asked, Said                                              []string
	}
	if err := json.Unmarshal(text, &seen); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	t.Logf("Neovim %s; the slowest of 200 keys in 10 MB took %.1f ms", seen.Version, seen.Slowest)
	switch {
	case seen.Failed != "":
		t.Error(seen.Failed)
	case !strings.Contains(seen.Offered, "check this folder against practice (https://"), len(seen.Asked) != 1 || !strings.Contains(seen.Asked[0], root):
		t.Errorf("the question: %q, %q", seen.Offered, seen.Asked)
	case !strings.Contains(seen.Conflict, "The API server refuses the apply"), !strings.Contains(seen.Hover, "argocd-controller"):
		t.Errorf("%q, %q", seen.Conflict, seen.Hover)
	case !strings.Contains(seen.Applied, "Give up the field"), strings.Contains(seen.Text, "image:"), !strings.Contains(seen.Text, "name: app"):
		t.Errorf("%q made\n%s", seen.Applied, seen.Text)
	case !strings.HasPrefix(seen.GoesOn, "# Neovim goes on"), !seen.Restarted:
		t.Errorf("after the end of the server: %q, restarted %v", seen.GoesOn, seen.Restarted)
	}
}

// TestEditorsThatCannotRunHere reads the lines for Helix and Zed, and starts the commands that they name.
func TestEditorsThatCannotRunHere(t *testing.T) {
	var helix struct {
		Server map[string]struct {
			Command string
			Args    []string
		} `toml:"language-server"`
		Language []struct {
			Name    string
			Servers []string `toml:"language-servers"`
		}
	}
	blocks := append(editorBlocks(t, "toml"), editorBlocks(t, "json")...)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks", len(blocks))
	}
	if _, err := toml.Decode(blocks[0], &helix); err != nil || helix.Server["fieldmark"].Command != "fieldmark" || len(helix.Language) != 1 || !strings.Contains(strings.Join(helix.Language[0].Servers, " "), "fieldmark") {
		t.Errorf("%v: %+v", err, helix)
	}
	var zed struct {
		Languages map[string]struct {
			Servers []string `json:"language_servers"`
		}
		LSP map[string]struct {
			Binary struct {
				Path      string
				Arguments []string
			}
		}
	}
	if err := json.Unmarshal([]byte(blocks[1]), &zed); err != nil || zed.LSP["fieldmark"].Binary.Path != "fieldmark" || len(zed.Languages["YAML"].Servers) == 0 {
		t.Errorf("%v: %+v", err, zed)
	}
	for _, args := range [][]string{helix.Server["fieldmark"].Args, zed.LSP["fieldmark"].Binary.Arguments} {
		if len(args) == 0 || args[0] != "lsp" {
			t.Errorf("%q", args)
			continue
		}
		e := startEditor(t, filepath.Join(t.TempDir(), "none"), args[1:]...)
		e.Begin(lsptest.Capable())
		e.End()
	}
}
