// Package filesystem is a file system in memory, for the containers of simulated nodes. It has directories, files, symbolic links, a few devices
// and read-only parts, and never touches the machine's own files.
package filesystem

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// mostBytes is how much all files together may hold.
	mostBytes = 16 << 20
	// mostNodes is how many files, directories and links there may be.
	mostNodes = 20_000
	// mostLinks is how many symbolic links the way to a file may have, as on Linux.
	mostLinks = 40
)

// FS is one file system. Its methods may be called at the same time. Their errors are *fs.PathError with an error number of the system, as those
// of package os.
type FS struct {
	mu    sync.Mutex
	root  *node
	now   func() time.Time
	bytes int64
	nodes int
}

// node is a directory, if it has children; a link, if it has a target; else a file.
type node struct {
	mode     fs.FileMode
	modified time.Time
	children map[string]*node
	target   string
	data     []byte
	// made returns the content of a file that has another one each time it is opened.
	made func() []byte
	// endless files have no end: each read is filled with this byte. Writes to devices vanish.
	endless bool
	// frozen files and directories can't be changed, nor can what is in them.
	frozen bool
}

// New returns a file system with an empty root directory.
func New(now func() time.Time) *FS {
	f := &FS{now: now}
	f.root = f.directory(0o755)
	return f
}

func (f *FS) directory(perm fs.FileMode) *node {
	return &node{mode: fs.ModeDir | perm, modified: f.now(), children: map[string]*node{}}
}

func failure(op, name string, number syscall.Errno) error {
	return &fs.PathError{Op: op, Path: name, Err: number}
}

// place is where a path leads: a node, if there is one, by a name in a directory. The root is its own directory.
type place struct {
	dir  *node
	name string
	node *node // nil if there is none by that name
	// frozen is whether something on the way can't be changed.
	frozen bool
}

// findPlace follows a path from the root; ".." of the root is the root. If last is set, it also follows a link at the end.
func (f *FS) findPlace(name string, last bool) (place, syscall.Errno) {
	rest := parts(name)
	way := []place{{dir: f.root, name: "/", node: f.root}}
	links := 0
	for len(rest) > 0 {
		here := way[len(way)-1]
		part := rest[0]
		rest = rest[1:]
		switch {
		case here.node == nil:
			return place{}, syscall.ENOENT
		case here.node.children == nil:
			return place{}, syscall.ENOTDIR
		case part == "..":
			way = way[:max(1, len(way)-1)]
			continue
		}
		next := place{dir: here.node, name: part, node: here.node.children[part], frozen: here.frozen || here.node.frozen}
		if next.node == nil || next.node.target == "" || (len(rest) == 0 && !last) {
			way = append(way, next)
			continue
		}
		if links++; links > mostLinks {
			return place{}, syscall.ELOOP
		}
		if path.IsAbs(next.node.target) {
			way = way[:1]
		}
		rest = append(parts(next.node.target), rest...)
	}
	return way[len(way)-1], 0
}

// parts returns the names on a path. A slash at the end doesn't matter.
func parts(name string) []string {
	return slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool { return part == "" || part == "." })
}

// existing is find for what must be there.
func (f *FS) existing(name string, last bool) (place, syscall.Errno) {
	at, number := f.findPlace(name, last)
	if number == 0 && at.node == nil {
		number = syscall.ENOENT
	}
	return at, number
}

// changeable tells why a name in a directory can't be given or taken.
func (p place) changeable() syscall.Errno {
	if p.frozen || p.dir.frozen {
		return syscall.EROFS
	}
	if p.node == p.dir { // the root
		return syscall.EBUSY
	}
	return 0
}

// addNode puts a node at a place that has none.
func (f *FS) addNode(at place, n *node) syscall.Errno {
	if number := at.changeable(); number != 0 {
		return number
	}
	if f.nodes >= mostNodes || f.bytes+int64(len(n.data)) > mostBytes {
		return syscall.ENOSPC
	}
	f.nodes++
	f.bytes += int64(len(n.data))
	at.dir.children[at.name] = n
	at.dir.modified = f.now()
	return 0
}

// drop removes what is at a place, with everything in it.
func (f *FS) drop(at place) {
	delete(at.dir.children, at.name)
	at.dir.modified = f.now()
	f.forget(at.node)
}

func (f *FS) forget(n *node) {
	f.nodes--
	f.bytes -= int64(len(n.data))
	for _, child := range n.children {
		f.forget(child)
	}
}
