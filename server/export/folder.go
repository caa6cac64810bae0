package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// manifest is the file by which a folder is known as one that this package made. It lists the other files.
const manifest = "fieldmark-guide.json"

// made is what the manifest says.
type made struct {
	By    string   `json:"madeBy"`
	Files []string `json:"files"`
}

const by = "fieldmark guide export"

// Free tells whether a site can be written into a folder: if it doesn't exist, is empty, or has a site that was written there before. The error says why not.
func Free(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s can't be used as the folder of the guide: %w", dir, err)
	case len(entries) == 0:
		return nil
	}
	if _, err := before(dir); err != nil {
		return fmt.Errorf("%s has files that this command didn't make, so nothing was written. Name a new or an empty folder", dir)
	}
	return nil
}

// before is what was written into a folder before.
func before(dir string) (m made, err error) {
	text, err := os.ReadFile(filepath.Join(dir, manifest))
	if err != nil {
		return m, fmt.Errorf("reading the list of files: %w", err)
	}
	if err := json.Unmarshal(text, &m); err != nil || m.By != by {
		return m, fmt.Errorf("%s isn't ours", manifest)
	}
	return m, nil
}

// Write writes the site into a folder, and removes files of an earlier site that this one doesn't have.
func (s Site) Write(dir string) error {
	if err := Free(dir); err != nil {
		return err
	}
	old, _ := before(dir)                           // nil if there is none
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a site is there to be read by a web server
		return fmt.Errorf("the folder of the guide can't be made: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("the folder of the guide can't be opened: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it any more
	names := slices.Sorted(maps.Keys(s))
	list, err := json.MarshalIndent(made{By: by, Files: names}, "", "  ")
	if err != nil {
		return fmt.Errorf("listing the files: %w", err)
	}
	// The list comes first, so that a folder that is half written is still known as ours.
	if err := root.WriteFile(manifest, append(list, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the guide: %w", err)
	}
	for _, name := range names {
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return fmt.Errorf("writing the guide: %w", err)
		}
		if err := root.WriteFile(name, s[name], 0o644); err != nil {
			return fmt.Errorf("writing the guide: %w", err)
		}
	}
	for _, name := range old.Files {
		if _, still := s[name]; !still && filepath.IsLocal(name) {
			_ = root.Remove(name) // somebody may have removed it before
		}
	}
	return nil
}
