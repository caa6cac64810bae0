package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func open(t *testing.T, path string, ephemeral bool) *Folder {
	t.Helper()
	f, err := Open(path, ephemeral)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestOneClusterAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster")
	first := open(t, path, false)
	if _, err := Open(path, false); !errors.Is(err, ErrBusy) {
		t.Fatalf("a second cluster in the folder: got %v, want ErrBusy", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, path, false)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if !exists(path) {
		t.Error("a folder that is to be kept was removed")
	}
}

func TestEphemeralFoldersGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster")
	if err := open(t, path, true).Close(); err != nil {
		t.Fatal(err)
	}
	if exists(path) {
		t.Error("the folder is still there")
	}
}

func TestWithoutAPathTheFolderIsPrivateAndEphemeral(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := open(t, "", false)
	info, err := os.Stat(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 || !f.Ephemeral() {
		t.Errorf("mode %v, ephemeral %t", info.Mode().Perm(), f.Ephemeral())
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFoldersOfOthersAreLeftAlone(t *testing.T) {
	path := t.TempDir()
	precious := filepath.Join(path, "thesis.txt")
	if err := os.WriteFile(precious, []byte("years"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, true); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Fatalf("got %v, want a refusal", err)
	}
	if !exists(precious) {
		t.Error("a file of someone else is gone")
	}
}

func TestEverythingIsPrivate(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "cluster"), false)
	defer func() { _ = f.Close() }()
	if err := f.Write("pki/key", []byte("secret")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(f.Path(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSweepWaitsForTheLock(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "cluster"), true)
	swept := make(chan error, 1)
	done := false
	go func() {
		swept <- Sweep(f.Path(), func() error {
			done = true
			return nil
		})
	}()
	// As after a kill: the lock goes, the folder stays.
	if err := f.lock.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-swept; err != nil {
		t.Fatal(err)
	}
	if !done || exists(f.Path()) {
		t.Errorf("last was called: %t, the folder is there: %t", done, exists(f.Path()))
	}
}

func TestSweepLeavesAYoungerClusterAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster")
	old := open(t, path, true)
	stale, err := os.Open(filepath.Join(path, lockName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stale.Close() }()
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	young := open(t, path, false)
	defer func() { _ = young.Close() }()
	if current(stale) {
		t.Error("the lock of the old cluster passes for that of the young one")
	}
}

func TestWhatTheSystemSaysIsExplained(t *testing.T) {
	for cause, words := range map[error]string{
		syscall.ENOSPC:  "no room left",
		syscall.EACCES:  "choose another folder",
		syscall.EROFS:   "choose another folder",
		syscall.ENOTDIR: "is not a folder",
	} {
		err := Explain(&fs.PathError{Op: "open", Path: "/some/where", Err: cause})
		if !strings.Contains(err.Error(), words) || !errors.Is(err, cause) {
			t.Errorf("%v: %v", cause, err)
		}
	}
	if Explain(nil) != nil {
		t.Error("no error was explained into one")
	}
}
