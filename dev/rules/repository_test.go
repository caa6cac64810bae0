package rules

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/fieldmark/fieldmark"

// root is the repository's folder, seen from this package's.
const root = "../.."

// files returns the repository's files that exist: tracked ones and new ones that git doesn't ignore.
func files(t *testing.T, patterns ...string) []string {
	t.Helper()
	args := append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, patterns...)
	var found []string
	for name := range strings.SplitSeq(string(output(t, "git", args...)), "\x00") {
		if name == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// read returns a file of the repository.
func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// exists tells whether the repository has the file or folder.
func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, name))
	return err == nil
}

// output runs a program in the repository's folder and returns what it prints.
func output(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	return outputWith(t, nil, name, args...)
}

// outputWith is output with additional environment variables.
func outputWith(t *testing.T, env []string, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, stderr.Bytes(), out)
	}
	return out
}
