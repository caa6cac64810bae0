// Package lessons is the field guide: its chapters, its lessons and its glossary, as they are written in its folder guide.
package lessons

import (
	"embed"
	"io/fs"
	"sync"
)

//go:embed guide/chapters.yaml guide/glossary.md guide/*/lesson.md guide/*/task.md guide/*/case.md
var written embed.FS

// folder is the path of the texts in the repository, for messages.
const folder = "lessons/guide"

// texts has the files of that folder.
func texts() fs.FS {
	files, _ := fs.Sub(written, "guide") // it fails only for malformed names
	return files
}

// Load is the guide that this program was built with. References without a target are no error.
var Load = sync.OnceValues(func() (Guide, error) {
	guide, problems := Read(texts(), folder)
	return guide, problems.Severe().Err()
})
