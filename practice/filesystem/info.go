package filesystem

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// info describes a node as it was.
type info struct {
	name     string
	size     int64
	mode     fs.FileMode
	modified time.Time
	target   string
}

func (i info) Name() string               { return i.name }
func (i info) Size() int64                { return i.size }
func (i info) Mode() fs.FileMode          { return i.mode }
func (i info) Type() fs.FileMode          { return i.mode.Type() }
func (i info) ModTime() time.Time         { return i.modified }
func (i info) IsDir() bool                { return i.mode.IsDir() }
func (i info) Info() (fs.FileInfo, error) { return i, nil }

// Sys returns what the shell's tests look at: root owns everything.
func (info) Sys() any { return &syscall.Stat_t{} }

// Target returns where a link of this file system leads, or nothing.
func Target(i fs.FileInfo) string {
	own, _ := i.(info)
	return own.target
}

func (n *node) info(name string) info {
	size := int64(len(n.data))
	if n.made != nil {
		size = int64(len(n.made()))
	}
	return info{name: path.Base(name), size: size, mode: n.mode, modified: n.modified, target: n.target}
}

// Stat describes what is at a path, at the end of its links.
func (f *FS) Stat(name string) (fs.FileInfo, error) { return f.stat("stat", name, true) }

// Lstat describes what is at a path, which may be a link.
func (f *FS) Lstat(name string) (fs.FileInfo, error) { return f.stat("lstat", name, false) }

func (f *FS) stat(op, name string, last bool) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, number := f.existing(name, last)
	if number != 0 {
		return nil, failure(op, name, number)
	}
	return at.node.info(name), nil
}

// ReadDir returns what is in a directory, by name.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, number := f.existing(name, true)
	if number == 0 && at.node.children == nil {
		number = syscall.ENOTDIR
	}
	if number != 0 {
		return nil, failure("open", name, number)
	}
	entries := make([]fs.DirEntry, 0, len(at.node.children))
	for name, child := range at.node.children {
		entries = append(entries, child.info(name))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Read returns a copy of the content of a file.
func (f *FS) Read(name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, number := f.existing(name, true)
	switch {
	case number != 0:
	case at.node.children != nil:
		number = syscall.EISDIR
	case at.node.endless:
		number = syscall.EINVAL
	case at.node.made != nil:
		return at.node.made(), nil
	default:
		return slices.Clone(at.node.data), nil
	}
	return nil, failure("open", name, number)
}
