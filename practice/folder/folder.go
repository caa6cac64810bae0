// Package folder keeps the private folder in which one practice cluster lives.
//
// A folder is readable by its owner only, belongs to one running cluster at a
// time, and is recognised by a marker file, so that a cluster never uses or
// removes a folder with other content.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const (
	marker      = "FIELDMARK-PRACTICE"
	markerText  = "This folder holds a Fieldmark practice cluster. It is safe to delete when none is running.\n"
	lockName    = "lock"
	contentMark = "content-applied"

	// minFree is what etcd's write-ahead log and first snapshot need, with room to work.
	minFree = 256 << 20
)

// ErrBusy says that another practice cluster runs in the folder.
var ErrBusy = errors.New("another practice cluster is running in this folder")

// Folder is an opened and locked folder.
type Folder struct {
	path      string
	lock      *os.File
	ephemeral bool
}

// Open makes and locks the folder at path; an empty path means a new private
// folder in the system's place for temporary files, which is always ephemeral.
func Open(path string, ephemeral bool) (*Folder, error) {
	path, err := create(path, &ephemeral)
	if err != nil {
		return nil, err
	}
	lock, err := takeLock(filepath.Join(path, lockName))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f := &Folder{path: path, lock: lock, ephemeral: ephemeral}
	if err := f.furnish(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func create(path string, ephemeral *bool) (string, error) {
	if path == "" {
		*ephemeral = true
		made, err := os.MkdirTemp("", "fieldmark-practice-")
		return made, Explain(err)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding the folder: %w", err)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", Explain(err)
	}
	return path, claimable(path)
}

// claimable says why a folder that exists can't be used, if so.
func claimable(path string) error {
	if _, err := os.Stat(filepath.Join(path, marker)); err == nil {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return Explain(err)
	}
	for _, entry := range entries {
		if entry.Name() != lockName {
			return fmt.Errorf("%s is not empty and holds no practice cluster; give --dir an empty or a new folder", path)
		}
	}
	return nil
}

// takeLock opens and locks the file without waiting. Processes that inherit
// the open file keep it locked, so the lock is free only when the last process
// of a cluster is gone.
func takeLock(path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, Explain(err)
		}
		err = flock(file, syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && current(file) {
			return file, nil
		}
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrBusy
		}
		if err != nil {
			return nil, err
		}
		// The cluster that held this lock has removed the file, so the new one must be locked.
	}
}

func flock(file *os.File, how int) error {
	for {
		err := syscall.Flock(int(file.Fd()), how)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EINTR):
			return fmt.Errorf("locking the folder: %w", err)
		}
	}
}

// current tells whether the open file still has its name.
func current(file *os.File) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(file.Name())
	return err == nil && os.SameFile(opened, named)
}

func (f *Folder) furnish() error {
	if err := os.Chmod(f.path, 0o700); err != nil { //nolint:gosec // a folder can't be entered without its x bit
		return Explain(err)
	}
	for _, name := range []string{"logs", "pki", "etcd"} {
		if err := os.MkdirAll(f.Path(name), 0o700); err != nil {
			return Explain(err)
		}
	}
	if err := f.Write(marker, []byte(markerText)); err != nil {
		return err
	}
	return f.checkSpace()
}

func (f *Folder) checkSpace() error {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(f.path, &stat); err != nil {
		return Explain(err)
	}
	free := stat.Bavail * uint64(stat.Bsize)
	if free < minFree {
		return fmt.Errorf("not enough room in %s: the disk has %d MB free, the practice cluster needs %d MB",
			f.path, free>>20, uint64(minFree)>>20)
	}
	return nil
}

// Path returns the path of something in the folder.
func (f *Folder) Path(elem ...string) string {
	return filepath.Join(append([]string{f.path}, elem...)...)
}

// LogPath returns where a component's log is kept.
func (f *Folder) LogPath(component string) string { return f.Path("logs", component+".log") }

// Lock is the locked file. A child process that inherits it keeps the folder
// locked for as long as it lives.
func (f *Folder) Lock() *os.File { return f.lock }

// Ephemeral says whether the folder is removed when its cluster ends.
func (f *Folder) Ephemeral() bool { return f.ephemeral }

// Write writes a private file in the folder, whole or not at all.
func (f *Folder) Write(name string, data []byte) error {
	return WriteFile(f.Path(name), data)
}

// Read reads a file of the folder; a file that isn't there is no error and no data.
func (f *Folder) Read(name string) ([]byte, error) {
	data, err := os.ReadFile(f.Path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the folder: %w", err)
	}
	return data, nil
}

// ContentApplied says whether the starter content was once put into this folder's cluster.
func (f *Folder) ContentApplied() bool {
	_, err := os.Stat(f.Path(contentMark))
	return err == nil
}

// MarkContentApplied remembers that the starter content is in the cluster, so
// that a later start doesn't undo what was done with it since.
func (f *Folder) MarkContentApplied() error { return f.Write(contentMark, nil) }

// Close unlocks the folder and, if it is ephemeral, removes it.
func (f *Folder) Close() error {
	var err error
	if f.ephemeral {
		err = os.RemoveAll(f.path)
	}
	return errors.Join(err, f.lock.Close())
}

// WriteFile writes a file that only its owner can read, whole or not at all.
func WriteFile(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return Explain(err)
	}
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Close()) // CreateTemp's files are 0600 already
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return Explain(err)
	}
	return nil
}

// Sweep waits until no process holds the folder's lock, calls last, and then
// removes the folder. It cleans up after a cluster that could not do so
// itself. It does nothing if the folder is gone, belongs to a newer cluster, or
// has no cluster.
func Sweep(path string, last func() error) error {
	lock, err := os.Open(filepath.Join(path, lockName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening the folder's lock: %w", err)
	}
	defer func() { _ = lock.Close() }()
	if err := flock(lock, syscall.LOCK_EX); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(path, marker)); err != nil || !current(lock) {
		return nil
	}
	return errors.Join(last(), os.RemoveAll(path))
}

// Explain turns a system error about files into one that says what to do.
func Explain(err error) error {
	var where *fs.PathError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &where):
		return err
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("no room left on the disk that holds %s: %w", where.Path, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("cannot write in %s: choose another folder with --dir: %w", filepath.Dir(where.Path), err)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s is not a folder: %w", where.Path, err)
	}
	return err
}
