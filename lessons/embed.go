// Package lessons is the field guide: its lessons and its glossary, as they are written in this folder.
package lessons

import (
	"embed"
	"sync"
)

//go:embed glossary.md */lesson.md
var written embed.FS

// Load is the guide that this program was built with. That something is spoken of and isn't there is no reason not to show the rest.
var Load = sync.OnceValues(func() (Guide, error) {
	guide, problems := Read(written, "lessons")
	return guide, problems.Severe().Err()
})
