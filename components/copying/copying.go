// Package copying writes what readers copy from a page: who owns the lines of an object, a conflict, or a fight. Each of them can be Markdown, or a
// picture in SVG, which the browser turns into an image of pixels.
//
//	a page ──▶ Blame, Conflict, Fight ──▶ Markdown, SVG ──▶ page.Copy ──▶ clipboard
//
// Text from a cluster is hostile. In both forms it is inert: no line of it ends a block, a cell or an element, and no invisible character hides in it.
package copying

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
)

// Subject is what can be copied.
type Subject interface {
	Markdown() string
	// SVG is a picture with light colors. It refers to nothing outside itself.
	SVG() string
	// File is the name of the picture as a file, if the browser refuses to copy it.
	File() string
}

// line is a text in one line, with invisible characters shown as code points. Tabs stay.
func line(text string) string {
	return strings.ReplaceAll(components.Visible(text), "\n", "·")
}
