package static

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Names of files in Plain.
const (
	PlainSheet = "fieldmark.css"
	PlainIcon  = "fieldmark.svg"
)

// Plain are the files that documents without scripts need, by their names in one folder: the stylesheet, its fonts and the icon.
func Plain() (map[string][]byte, error) { return plain(files) }

func plain(files fs.FS) (map[string][]byte, error) {
	out := map[string][]byte{}
	sheet, err := joined(files, append(slices.Clone(sheets), "apart.css"))
	if err != nil {
		return nil, err
	}
	for _, name := range fonts {
		content, err := fs.ReadFile(files, "dist/fonts/"+name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the font %s: %w", name, err)
		}
		out[name], sheet = content, strings.ReplaceAll(sheet, Prefix+"fonts/"+name, name)
	}
	out[PlainSheet] = []byte(sheet)
	if out[PlainIcon], err = fs.ReadFile(files, "icons/fieldmark.svg"); err != nil {
		return nil, fmt.Errorf("the icon is missing: %w", err)
	}
	return out, nil
}
