package kubectl

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/fieldmark/fieldmark/server/private"
)

// Kept returns the authority in the file, so that older kubeconfigs still work after a restart. If the file has none that can be used,
// Kept makes one, with the file and its folder. Only this user may read the file: with the key, anybody could pretend to be
// Fieldmark. An error means that the authority can't be kept.
func Kept(file string, random io.Reader, now time.Time, log *slog.Logger) (*Authority, error) {
	there, err := load(file, now)
	if err == nil {
		return there, nil
	}
	first := errors.Is(err, fs.ErrNotExist)
	if !first {
		log.Warn("Fieldmark makes a new certificate authority for kubectl, so kubeconfigs that Fieldmark wrote before no longer work", "file", file, "why", err)
	}
	made, err := NewAuthority(random, now)
	if err != nil {
		return nil, err
	}
	err = made.save(file, first)
	if errors.Is(err, fs.ErrExist) {
		return load(file, now) // another Fieldmark was faster
	}
	if err != nil {
		return nil, fmt.Errorf("cannot keep the certificate authority for kubectl: %w", err)
	}
	return made, nil
}

// maxAuthority is far more than a certificate and a key need.
const maxAuthority = 16 << 10

func load(file string, now time.Time) (*Authority, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the file: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("cannot read the file: %w", err)
	}
	if !info.Mode().IsRegular() || !ours(info) {
		return nil, errors.New("other users can read or write the file")
	}
	text, err := io.ReadAll(io.LimitReader(f, maxAuthority))
	if err != nil {
		return nil, fmt.Errorf("cannot read the file: %w", err)
	}
	return decode(text, now)
}

// save writes the whole file or nothing. If another process wrote the file first, that file stays.
func (a *Authority) save(file string, first bool) error {
	text, err := a.encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("making the folder of the file: %w", err)
	}
	if first {
		return private.WriteFirst(file, text)
	}
	return private.Write(file, text)
}
