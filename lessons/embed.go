// Package lessons is the field guide: its chapters, its lessons and its glossary, as they are written in its folder guide.
package lessons

import (
	"embed"
	"io/fs"
	"sync"
)

//go:embed guide/chapters.yaml guide/glossary.md guide/*/lesson.md
var written embed.FS

// folder is where the texts are in the repository: problems name files by it.
const folder = "lessons/guide"

// texts are the files of that folder.
func texts() fs.FS {
	files, _ := fs.Sub(written, "guide") // it fails for malformed names alone
	return files
}

// Load is the guide that this program was built with. That something is spoken of and isn't there is no reason not to show the rest.
var Load = sync.OnceValues(func() (Guide, error) {
	guide, problems := Read(texts(), folder)
	return guide, problems.Severe().Err()
})
