package filesystem

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func made(t *testing.T) *FS {
	t.Helper()
	f := New(func() time.Time { return time.Unix(1, 0) })
	f.Add(Image{
		Files:    map[string]string{"/etc/hostname": "web\n", "/tmp/": "", "/a/b/c": "deep"},
		Programs: []string{"/bin/ls"},
		Made:     map[string]func() []byte{"/proc/uptime": func() []byte { return []byte("now") }},
		Mounts:   map[string]map[string][]byte{"/config": {"key": []byte("value")}},
	})
	return f
}

func (f *FS) text(t *testing.T, name string) string {
	t.Helper()
	data, err := f.Read(name)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func write(f *FS, name string, flag int, text string) error {
	file, err := f.Open(name, os.O_WRONLY|os.O_CREATE|flag, 0o644)
	if err == nil {
		_, err = io.WriteString(file, text)
	}
	return err
}

func TestPaths(t *testing.T) {
	f := made(t)
	for target, name := range map[string]string{"b/c": "/a/link", "/a/../etc": "/a/up", "../../../../etc/hostname": "/a/b/far", "loop": "/loop", "nothing": "/dangling"} {
		if err := f.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"/a/b/c": "deep", "//a/./b//c/": "deep", "/../../a/b/c": "deep", "/a/link": "deep", "/a/up/hostname": "web\n", "/a/b/far": "web\n",
		"/a/up/../a/b/c": "deep", "/loop": "open /loop: too many levels of symbolic links", "/dangling": "open /dangling: no such file or directory",
		"/a/b/c/d": "open /a/b/c/d: not a directory", "/a": "open /a: is a directory", "/proc/uptime": "now", "/config/key": "value",
		"": "open : is a directory", "/etc/shadow": "open /etc/shadow: no such file or directory",
	} {
		if got := f.text(t, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestChanges(t *testing.T) {
	f := made(t)
	for _, c := range []struct {
		name string
		err  error
		want syscall.Errno
	}{
		{"new file", write(f, "/tmp/x", 0, "one"), 0},
		{"append", write(f, "/tmp/x", os.O_APPEND, " two"), 0},
		{"directory", f.Mkdir("/tmp", 0o755), syscall.EEXIST},
		{"no parent", f.Mkdir("/no/such", 0o755), syscall.ENOENT},
		{"whole way", f.MkdirAll("/v/w", 0o755), 0},
		{"write to a directory", write(f, "/tmp", 0, "x"), syscall.EISDIR},
		{"remove what isn't empty", f.Remove("/a"), syscall.ENOTEMPTY},
		{"remove the root", f.RemoveAll("/"), syscall.EBUSY},
		{"write to a mount", write(f, "/config/key", 0, "x"), syscall.EROFS},
		{"create in a mount", write(f, "/config/new", 0, "x"), syscall.EROFS},
		{"remove from a mount", f.Remove("/config/key"), syscall.EROFS},
		{"remove a mount", f.RemoveAll("/config"), syscall.EBUSY},
		{"move a mount", f.Rename("/config", "/tmp/config"), syscall.EBUSY},
		{"move into itself", f.Rename("/a", "/a/b/a"), syscall.EINVAL},
		{"move", f.Rename("/a", "/z"), 0},
		{"write what is made", write(f, "/proc/uptime", 0, "x"), syscall.EROFS},
		{"device", write(f, "/dev/null", os.O_TRUNC, "x"), 0},
	} {
		if !errors.Is(c.err, c.want) && (c.err != nil || c.want != 0) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	if got := f.text(t, "/tmp/x") + f.text(t, "/z/b/c"); got != "one twodeep" {
		t.Errorf("got %q", got)
	}
	if err := f.RemoveAll("/z"); err != nil {
		t.Error(err)
	}
	entries, err := f.ReadDir("/")
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"bin", "config", "dev", "etc", "proc", "tmp", "v"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v", names, err)
	}
}

func TestItIsBounded(t *testing.T) {
	f := made(t)
	before := f.bytes
	if err := write(f, "/tmp/big", 0, strings.Repeat("x", mostBytes)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("bytes: %v", err)
	}
	if err := write(f, "/tmp/big", 0, strings.Repeat("x", mostBytes/2)); err != nil {
		t.Error(err)
	}
	if err := f.Remove("/tmp/big"); err != nil || f.bytes != before {
		t.Errorf("%v, %d bytes of %d are left", err, f.bytes, before)
	}
	var err error
	for n := 0; err == nil && n <= mostNodes; n++ {
		err = f.Mkdir("/tmp/"+time.Duration(n).String(), 0o755)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("nodes: %v", err)
	}
}

func TestZeroesHaveNoEnd(t *testing.T) {
	file, err := made(t).Open("/dev/zero", os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(io.LimitReader(file, 100))
	if err != nil || !bytes.Equal(got, make([]byte, 100)) {
		t.Errorf("%v, %v", got, err)
	}
}
