package page

import "github.com/fieldmark/fieldmark/components"

// Copy puts a text or a picture into the clipboard, and says so. If the browser refuses a picture, the reader gets it as a file.
type Copy struct {
	Text string // empty: the picture
	SVG  string
	File string // the name of the picture as a file
}

// Copied is something that can be copied; see package copying.
type Copied interface {
	Markdown() string
	SVG() string
	File() string
}

// CopyAs is the command that copies something in a form.
func CopyAs(form components.CopyForm, what Copied) []Cmd {
	if form == components.AsMarkdown {
		return []Cmd{Copy{Text: what.Markdown()}}
	}
	return []Cmd{Copy{SVG: what.SVG(), File: what.File()}}
}

func (Copy) cmd() {}
