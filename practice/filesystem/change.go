package filesystem

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
)

// Mkdir creates a directory.
func (f *FS) Mkdir(name string, perm fs.FileMode) error {
	return f.create("mkdir", name, func() *node { return f.directory(perm.Perm()) })
}

// Symlink creates a link to a target, which need not exist.
func (f *FS) Symlink(target, name string) error {
	if target == "" {
		return failure("symlink", name, syscall.ENOENT)
	}
	return f.create("symlink", name, func() *node { return &node{mode: fs.ModeSymlink | 0o777, target: target, modified: f.now()} })
}

func (f *FS) create(op, name string, made func() *node) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, number := f.findPlace(name, false)
	if number == 0 && at.node != nil {
		number = syscall.EEXIST
	}
	if number == 0 {
		number = f.addNode(at, made())
	}
	if number != 0 {
		return failure(op, name, number)
	}
	return nil
}

// MkdirAll creates a directory and those that lead to it, if they don't exist.
func (f *FS) MkdirAll(name string, perm fs.FileMode) error {
	way := "/"
	for _, part := range parts(name) {
		way = path.Join(way, part)
		if there, err := f.Stat(way); err == nil && there.IsDir() {
			continue
		}
		if err := f.Mkdir(way, perm); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes a file, a link or an empty directory.
func (f *FS) Remove(name string) error { return f.remove(name, false) }

// RemoveAll removes what is at a path, with everything in it.
func (f *FS) RemoveAll(name string) error { return f.remove(name, true) }

func (f *FS) remove(name string, all bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, number := f.existing(name, false)
	if number == 0 {
		number = at.changeable()
	}
	if number == 0 && !all && len(at.node.children) > 0 {
		number = syscall.ENOTEMPTY
	}
	if number == 0 && at.node.keeps() {
		number = syscall.EBUSY
	}
	if number != 0 {
		return failure("remove", name, number)
	}
	f.drop(at)
	return nil
}

// keeps tells whether a node, or something in it, can't be changed: mounts can't be removed.
func (n *node) keeps() bool {
	if n.frozen {
		return true
	}
	for _, child := range n.children {
		if child.keeps() {
			return true
		}
	}
	return false
}

// Rename moves what is at a path to another one. A file or link that is there is replaced.
func (f *FS) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, number := f.existing(from, false)
	if number == 0 {
		number = at.changeable()
	}
	if number != 0 {
		return failure("rename", from, number)
	}
	goal, number := f.findPlace(to, false)
	switch {
	case number != 0:
	case goal.node == at.node:
		return nil
	case at.node.keeps() || goal.node != nil && goal.node.keeps():
		number = syscall.EBUSY
	case at.node.holds(goal.dir):
		number = syscall.EINVAL
	case goal.node != nil && goal.node.children != nil:
		number = syscall.EEXIST
	default:
		number = goal.changeable()
	}
	if number != 0 {
		return failure("rename", to, number)
	}
	if goal.node != nil {
		f.drop(goal)
	}
	delete(at.dir.children, at.name)
	goal.dir.children[goal.name] = at.node
	return nil
}

// holds tells whether a directory is a node or somewhere in it.
func (n *node) holds(dir *node) bool {
	if n == dir {
		return true
	}
	for _, child := range n.children {
		if child.holds(dir) {
			return true
		}
	}
	return false
}

// Chmod sets the permissions of what is at a path.
func (f *FS) Chmod(name string, perm fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, number := f.existing(name, true)
	if number == 0 && (at.frozen || at.node.frozen) {
		number = syscall.EROFS
	}
	if number != 0 {
		return failure("chmod", name, number)
	}
	at.node.mode = at.node.mode.Type() | perm.Perm()
	return nil
}

// Image is what a file system has from the beginning.
type Image struct {
	// Files are contents by path; a path that ends in a slash is an empty directory.
	Files map[string]string
	// Programs are paths of files that can be executed.
	Programs []string
	// Made are files with another content each time.
	Made map[string]func() []byte
	// Mounts are directories that can't be changed, with their files.
	Mounts map[string]map[string][]byte
}

// Add puts an image in place. What doesn't fit is left out: a mount that is larger than the file system, for example.
func (f *FS) Add(image Image) {
	for name, text := range image.Files {
		f.put(name, &node{mode: 0o644, data: []byte(text), modified: f.now()})
	}
	for _, name := range image.Programs {
		f.put(name, &node{mode: 0o755, data: []byte("\x7fELF\x02\x01\x01"), modified: f.now()})
	}
	for name, made := range image.Made {
		f.put(name, &node{mode: 0o444, made: made, modified: f.now()})
	}
	for name, endless := range map[string]bool{"/dev/null": false, "/dev/zero": true} {
		f.put(name, &node{mode: fs.ModeDevice | fs.ModeCharDevice | 0o666, endless: endless, modified: f.now()})
	}
	for dir, files := range image.Mounts {
		f.mount(dir, files)
	}
}

func (f *FS) put(name string, n *node) {
	if strings.HasSuffix(name, "/") {
		_ = f.MkdirAll(name, 0o755) // see Add
		return
	}
	_ = f.MkdirAll(path.Dir(name), 0o755)
	_ = f.create("create", name, func() *node { return n })
}

func (f *FS) mount(dir string, files map[string][]byte) {
	for name, data := range files {
		f.put(path.Join(dir, name), &node{mode: 0o644, data: slices.Clone(data), modified: f.now(), frozen: true})
	}
	_ = f.MkdirAll(dir, 0o755)
	f.mu.Lock()
	defer f.mu.Unlock()
	if at, number := f.existing(dir, true); number == 0 && at.node != f.root {
		at.node.frozen = true
	}
}
