// Package docs has the documents that programs show to assistants.
package docs

import "embed"

// Files are these documents, by their paths below this folder.
//
//go:embed conflict-zoo.md ways-out.md reference/*.md
var Files embed.FS
