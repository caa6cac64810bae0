package components

import "strings"

// CopyForm is the form in which a page copies something.
type CopyForm string

// The forms.
const (
	AsMarkdown CopyForm = "markdown"
	AsImage    CopyForm = "image"
)

// doCopy begins the actions of Copying's buttons. A form follows, and a key by which the page knows what to copy.
const doCopy = "copy-as-"

func copyAction(form CopyForm, key string) string { return doCopy + string(form) + " " + key }

// ReadCopy reads the action of a button of Copying; ok is false if it is another action.
func ReadCopy(action string) (form CopyForm, key string, ok bool) {
	rest, ok := strings.CutPrefix(action, doCopy)
	name, key, _ := strings.Cut(rest, " ")
	form = CopyForm(name)
	return form, key, ok && (form == AsMarkdown || form == AsImage)
}
