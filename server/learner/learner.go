// Package learner keeps the progress in the field guide in a file. It does so in local mode, where Fieldmark has one learner: another browser goes on where
// the last one stopped, and a restart loses nothing.
//
// A browser has a copy of the progress, and sends what it changes (see static/js/progress.js):
//
//	entry        what it is
//	learner      the letters that make the names of the learner's objects unique
//	lessons/ID   the progress in a lesson
//	tasks/ID     what is kept of a task or a case
//
// With each change comes the value that the browser knew before. If the store has another one, a second browser was faster, and the change is refused: an
// entry is never mixed from two. The response always has the whole progress, so the browser then goes on from that.
//
// The file also has the recorded responses to the requests of each lesson that isn't over. Without them, a lesson couldn't show after a restart what was sent.
package learner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/server/private"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// Bounds of what is kept. A lesson's entry takes a kilobyte or two.
const (
	maxEntry     = 64 << 10 // bytes of an entry
	maxEntries   = 1000
	maxResponses = 16 << 20 // bytes of all responses
)

// none is the revision of a store that has never kept anything.
const none = "none"

// Recorded finds a request of a session in the wire log.
type Recorded func(session string, number uint64) (record.Entry, bool)

// Store is the progress of one learner. It is safe for concurrent use.
type Store struct {
	path     string
	recorded Recorded
	log      *slog.Logger

	mu       sync.Mutex
	kept     kept
	revision string      // of the file as it was last read or written
	of       fs.FileInfo // the file then; nil: there was none
	// sources are the wire logs from which responses were taken, by lesson and block. A stream's record may have grown since.
	sources map[string]map[string]source
}

// kept is the content of the file. Entries are kept as they came, so nothing is lost that a newer page has written.
type kept struct {
	Fieldmark string                             `json:"fieldmark"` // progress.FileKind
	Version   int                                `json:"version"`
	Learn     learn                              `json:"learn"`
	Tasks     map[string]json.RawMessage         `json:"tasks"`
	Responses map[string]map[string]record.Entry `json:"responses,omitempty"` // by lesson and block
}

type learn struct {
	Learner json.RawMessage            `json:"learner,omitempty"`
	Lessons map[string]json.RawMessage `json:"lessons"`
}

type source struct {
	session string
	number  uint64
}

// Open reads the file, which need not exist. A file that can't be read is put aside, so that it isn't lost. The error says why there is no Store: a newer
// Fieldmark wrote the file, for example.
func Open(path string, recorded Recorded, log *slog.Logger) (*Store, error) {
	s := &Store{path: path, recorded: recorded, log: log, sources: map[string]map[string]source{}}
	if err := s.reread(); err != nil {
		return nil, err
	}
	return s, nil
}

// reread reads the file if it has changed, because another Fieldmark may have written it.
func (s *Store) reread() error {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.become(empty(), nil, nil)
		return nil
	case err != nil:
		return fmt.Errorf("reading the file: %w", err)
	case s.of != nil && s.of.ModTime().Equal(info.ModTime()) && s.of.Size() == info.Size():
		return nil
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return fmt.Errorf("reading the file: %w", err)
	}
	now := empty()
	now.Fieldmark = "" // the file must say it
	if err := json.Unmarshal(text, &now); err != nil || now.Fieldmark != progress.FileKind {
		return s.putAside()
	}
	if now.Version > progress.FileVersion {
		return fmt.Errorf("a newer Fieldmark has written the file %s", s.path)
	}
	s.become(now, text, info)
	return nil
}

// putAside begins a new file, and keeps the one that can't be read.
func (s *Store) putAside() error {
	aside := s.path + ".unreadable"
	s.log.Warn("the progress in the field guide can't be read, so a new file begins", "file", s.path, "kept_as", aside)
	if err := os.Rename(s.path, aside); err != nil {
		return fmt.Errorf("keeping the file that can't be read: %w", err)
	}
	s.become(empty(), nil, nil)
	return nil
}

func (s *Store) become(now kept, text []byte, of fs.FileInfo) {
	s.kept, s.of, s.revision = now, of, none
	if of != nil {
		sum := sha256.Sum256(text)
		s.revision = hex.EncodeToString(sum[:8])
	}
}

func empty() kept {
	return kept{
		Fieldmark: progress.FileKind, Version: progress.FileVersion,
		Learn: learn{Lessons: map[string]json.RawMessage{}}, Tasks: map[string]json.RawMessage{},
		Responses: map[string]map[string]record.Entry{},
	}
}

// Revision differs after each change of the progress; empty: there is no Store.
func (s *Store) Revision() string {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	return s.revision
}

// refresh reads the file again. If it can't be read, the progress stays as it was.
func (s *Store) refresh() {
	if err := s.reread(); err != nil {
		s.log.Warn("the progress in the field guide can't be read", "file", s.path, "err", err)
	}
}

// write keeps everything in the file. If that fails, the progress stays as it was.
func (s *Store) write(next kept) error {
	text, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("encoding the progress: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("making the folder of the file: %w", err)
	}
	if err := private.Write(s.path, text); err != nil {
		return err
	}
	info, err := os.Stat(s.path)
	if err != nil {
		return fmt.Errorf("reading the file: %w", err)
	}
	s.become(next, text, info)
	return nil
}
