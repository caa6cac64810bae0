package newtool

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wing has the list of the pages of the new tool's program.
const wing = "web/lab/lab.go"

// elsewhere are the lines that a tool needs beside its folder, each after the line with which it stands in the list.
var elsewhere = [][2]string{
	{`"github.com/fieldmark/fieldmark/web/lab/discovery"`, "\t" + `"github.com/fieldmark/fieldmark/web/lab/pantry"`},
	{"page.Read[discovery.Model],", "\t\tpantry.Kind: page.Read[pantry.Model],"},
}

// overlay adds the tool to the tree as the Go command sees it. No file of the repository changes.
func overlay(t *testing.T) (file string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(root, wing))
	if err != nil {
		t.Fatal(err)
	}
	text := string(list)
	for _, line := range elsewhere {
		before, after, found := strings.Cut(text, line[0]+"\n")
		if !found {
			t.Fatalf("%s has no line with %s", wing, line[0])
		}
		text = before + line[0] + "\n" + line[1] + "\n" + after
	}
	longer := filepath.Join(t.TempDir(), "lab.go")
	replace := map[string]string{filepath.Join(root, wing): longer}
	for from, to := range map[string]string{"page.json": "web/lab/pantry", "model.go": "web/lab/pantry", "pantry_test.go": "web/lab", "served_test.go": "server/pages"} {
		replace[filepath.Join(root, to, from)] = filepath.Join(root, "dev", "newtool", "testdata", from)
	}
	said, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "overlay.json")
	for name, content := range map[string][]byte{longer: []byte(text), file: said} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// goes runs the Go command in the repository with the new tool.
func goes(t *testing.T, env []string, args ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("it compiles packages")
	}
	args = append([]string{args[0], "-overlay", overlay(t)}, args[1:]...)
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// TestANewToolIsAFolderAndTwoLines: its wing, its address, menus and its frame, as native packages.
func TestANewToolIsAFolderAndTwoLines(t *testing.T) {
	goes(t, []string{"CGO_ENABLED=0"}, "test", "-vet=off", "-run", "Pantry", "./web/lab")
}

// TestANewToolAsAWhole also serves it, and compiles it for the browser. `make mutants` runs it, because it compiles for a minute.
func TestANewToolAsAWhole(t *testing.T) {
	if os.Getenv("FIELDMARK_NEWTOOL") != "whole" {
		t.Skip("FIELDMARK_NEWTOOL isn’t whole")
	}
	goes(t, []string{"CGO_ENABLED=0"}, "test", "-vet=off", "-run", "Pantry", "./server/pages")
	goes(t, []string{"CGO_ENABLED=0", "GOOS=js", "GOARCH=wasm"}, "build", "-o", os.DevNull, "./wasm/lab")
}
