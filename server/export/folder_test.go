package export

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inside are the paths of all files in a folder.
func inside(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestASiteReplacesTheOneBefore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "guide")
	if err := (Site{"index.html": []byte("1"), "lessons/gone.html": []byte("1")}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := (Site{"index.html": []byte("2"), "lessons/new.html": []byte("2")}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if got := inside(t, dir); !slices.Equal(got, []string{manifest, "index.html", "lessons/new.html"}) {
		t.Errorf("the folder has %q", got)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "index.html")); err != nil || string(text) != "2" {
		t.Errorf("%q %v", text, err)
	}
}

func TestAFolderOfSomebodyElseStaysAsItIs(t *testing.T) {
	for what, files := range map[string]map[string]string{
		"a file":               {"letter.txt": "dear"},
		"a list of other kind": {manifest: `{"madeBy":"somebody","files":["letter.txt"]}`},
		"no list":              {manifest: "text"},
	} {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := (Site{"index.html": nil}).Write(dir)
		if err == nil || !strings.Contains(err.Error(), "has files that this command didn't make, so nothing was written. Name a new or an empty folder") {
			t.Errorf("%s: %v", what, err)
		}
		if got := inside(t, dir); len(got) != len(files) {
			t.Errorf("%s: the folder has %q", what, got)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Free(file); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestAListOfFilesDoesntLeadOutOfTheFolder(t *testing.T) {
	above := t.TempDir()
	letter := filepath.Join(above, "letter.txt")
	if err := os.WriteFile(letter, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(above, "guide")
	if err := (Site{"index.html": nil}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifest), []byte(`{"madeBy":"`+by+`","files":["../letter.txt","`+letter+`"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Site{"index.html": nil}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(letter); err != nil {
		t.Error("a file outside of the folder was removed")
	}
}
