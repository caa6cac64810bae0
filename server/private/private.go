// Package private reads files that hold a secret, such as a key or the secret of a client, and refuses files that others can read. It also writes files that
// nobody else can read.
package private

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile bounds such a file in bytes. Secrets are short, so a longer file is a mistake.
const maxFile = 64 << 10

// othersMayRead are the permissions that a file with a secret must not give. The group may read: a Secret that is mounted into a pod with
// fsGroup has the mode 0440.
const othersMayRead fs.FileMode = 0o007

// Read returns the content of a file without surrounding white space. setting is the name of the setting that has the path, for the error,
// which is one line.
func Read(setting, path string) ([]byte, error) {
	info, err := os.Stat(path) // follows links, because a mounted Secret is one
	if err != nil {
		return nil, fmt.Errorf("%s: the file %s can't be read: %w", setting, path, reason(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %s isn't a regular file", setting, path)
	}
	if mode := info.Mode().Perm(); mode&othersMayRead != 0 {
		return nil, fmt.Errorf("%s: every user of this machine can open %s (mode %04o). Use chmod 600, or mode 0440 for a mounted Secret", setting, path, mode)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: the file %s has %d bytes, and a secret has at most %d", setting, path, info.Size(), maxFile)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: the file %s can't be read: %w", setting, path, reason(err))
	}
	if content = bytes.TrimSpace(content); len(content) == 0 {
		return nil, fmt.Errorf("%s: the file %s is empty", setting, path)
	}
	return content, nil
}

// Write writes the whole file or nothing, in place of an older one. Only the user of this process can read it.
func Write(file string, content []byte) error { return write(file, content, os.Rename) }

// WriteFirst writes a whole file that doesn't exist. If another process wrote it first, that file stays, and the error is fs.ErrExist.
func WriteFirst(file string, content []byte) error { return write(file, content, os.Link) }

func write(file string, content []byte, place func(from, to string) error) error {
	temporary, err := os.CreateTemp(filepath.Dir(file), ".fieldmark-*") // 0600
	if err != nil {
		return fmt.Errorf("making a temporary file: %w", err)
	}
	defer os.Remove(temporary.Name()) //nolint:errcheck // after a rename there is nothing to remove
	_, err = temporary.Write(content)
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = place(temporary.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("writing the file: %w", err)
	}
	return nil
}

// reason is the cause without the path, which the message has already.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
