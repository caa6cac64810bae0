package filesystem

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

// File is an open file.
type File struct {
	fs     *FS
	node   *node
	name   string
	flag   int
	offset int
	made   []byte // the content, if it is made at each opening
}

// Open opens a file with the flags of package os, and creates it if they say so.
func (f *FS) Open(name string, flag int, perm fs.FileMode) (*File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, number := f.findPlace(name, true)
	if number != 0 {
		return nil, failure("open", name, number)
	}
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	switch n := at.node; {
	case n == nil && flag&os.O_CREATE == 0:
		number = syscall.ENOENT
	case n == nil:
		at.node = &node{mode: perm.Perm(), modified: f.now()}
		number = f.addNode(at, at.node)
	case flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		number = syscall.EEXIST
	case n.children != nil && writes:
		number = syscall.EISDIR
	case writes && (at.frozen || n.frozen || n.made != nil):
		number = syscall.EROFS
	case writes && flag&os.O_TRUNC != 0:
		f.bytes -= int64(len(n.data))
		n.data, n.modified = nil, f.now()
	}
	if number != 0 {
		return nil, failure("open", name, number)
	}
	file := &File{fs: f, node: at.node, name: name, flag: flag}
	if at.node.made != nil {
		file.made = at.node.made()
	}
	return file, nil
}

// Read implements io.Reader.
func (o *File) Read(p []byte) (int, error) {
	o.fs.mu.Lock()
	defer o.fs.mu.Unlock()
	data := o.node.data
	switch {
	case o.node.children != nil:
		return 0, failure("read", o.name, syscall.EISDIR)
	case o.node.endless:
		clear(p)
		return len(p), nil
	case o.node.made != nil:
		data = o.made
	}
	if o.offset >= len(data) {
		return 0, io.EOF
	}
	n := copy(p, data[o.offset:])
	o.offset += n
	return n, nil
}

// Write implements io.Writer. Bytes that don't fit are refused with "no space left on device".
func (o *File) Write(p []byte) (int, error) {
	o.fs.mu.Lock()
	defer o.fs.mu.Unlock()
	n := o.node
	if o.flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return 0, failure("write", o.name, syscall.EBADF)
	}
	if n.mode&fs.ModeDevice != 0 {
		return len(p), nil
	}
	if o.flag&os.O_APPEND != 0 {
		o.offset = len(n.data)
	}
	grows := max(0, o.offset+len(p)-len(n.data))
	if o.fs.bytes+int64(grows) > mostBytes {
		return 0, failure("write", o.name, syscall.ENOSPC)
	}
	o.fs.bytes += int64(grows)
	n.data = append(n.data, make([]byte, grows)...)
	copy(n.data[o.offset:], p)
	o.offset += len(p)
	n.modified = o.fs.now()
	return len(p), nil
}

// Close implements io.Closer.
func (*File) Close() error { return nil }
