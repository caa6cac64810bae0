package private

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		mode    fs.FileMode
		want    string // of the error; empty: it is read
	}{
		"mine alone":             {" secret\n", 0o600, ""},
		"a mounted Secret":       {"secret", 0o440, ""},
		"every user may read":    {"secret", 0o644, "mode 0644"},
		"every user may execute": {"secret", 0o601, "mode 0601"},
		"empty":                  {" \n", 0o600, "is empty"},
		"too long":               {strings.Repeat("x", maxFile+1), 0o600, "at most"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			checkRead(t, path, c.want)
		})
	}
	checkRead(t, filepath.Join(t.TempDir(), "none"), "can't be read: no such file")
	checkRead(t, t.TempDir(), "isn't a regular file")
}

func checkRead(t *testing.T, path, want string) {
	t.Helper()
	content, err := Read("--some-file", path)
	if want == "" {
		if err != nil || string(content) != "secret" {
			t.Errorf("%q, %v", content, err)
		}
		return
	}
	if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "--some-file: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line with %q", err, want)
	}
}
