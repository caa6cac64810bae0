package status

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Owner is the manager that a cause of an apply conflict names. ok is false if the cause has another form.
func (c Cause) Owner() (o manager.Owner, ok bool) {
	text, ok := strings.CutPrefix(c.Message, "conflict with ")
	if !ok {
		return manager.Owner{}, false
	}
	o, rest, ok := ReadOwner(text)
	return o, ok && rest == ""
}

// ReadOwner reads a manager at the beginning of a text, in the form in which API servers print it:
//
//	"kubectl" with subresource "scale" using apps/v1 at 2026-01-02T03:04:05Z
//
// Only the name is always there. A manager without "using" applies, a manager with "using" updates. In some messages, a colon and paths
// follow. Then rest begins with the colon.
func ReadOwner(text string) (o manager.Owner, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return o, text, false
	}
	o.Operation = manager.Apply
	if o.Name, rest, ok = quoted(text); !ok {
		return manager.Owner{}, text, false
	}
	if after, found := strings.CutPrefix(rest, " with subresource "); found {
		if o.Subresource, rest, ok = quoted(after); !ok {
			return manager.Owner{}, text, false
		}
	}
	if after, found := strings.CutPrefix(rest, " using "); found {
		o.Operation = manager.Update
		o.APIVersion, rest = bare(after)
		if after, found := strings.CutPrefix(rest, " at "); found {
			o.Time, rest = bare(after)
		}
	}
	return o, rest, true
}

// bare reads a word at the beginning of a text, without a colon at its end.
func bare(text string) (word, rest string) {
	end := strings.IndexAny(text, " \t\r\n")
	if end < 0 {
		end = len(text)
	}
	word = strings.TrimSuffix(text[:end], ":")
	return word, text[len(word):]
}

// WriteOwner writes a manager in the form that ReadOwner reads.
func WriteOwner(o manager.Owner) string {
	text := strconv.Quote(o.Name)
	if o.Subresource != "" {
		text += " with subresource " + strconv.Quote(o.Subresource)
	}
	if o.Operation != manager.Update {
		return text
	}
	text += " using " + o.APIVersion
	if o.Time != "" {
		text += " at " + o.Time
	}
	return text
}
