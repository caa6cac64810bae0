package status

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Owner is the manager that a cause of an apply conflict names. ok is false for a cause of another form.
func (c Cause) Owner() (o manager.Owner, ok bool) {
	text, ok := strings.CutPrefix(c.Message, "conflict with ")
	if !ok {
		return manager.Owner{}, false
	}
	o, rest, ok := ReadOwner(text)
	return o, ok && rest == ""
}

// ReadOwner takes a manager off the front of a text, in the form in which API servers print it:
//
//	"kubectl" with subresource "scale" using apps/v1 at 2026-01-02T03:04:05Z
//
// Only the name is always there. A manager without "using" applies, one with it updates. Where a colon follows, as it does in messages
// that go on with paths, rest begins with it.
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

// bare takes a word off the front, without the colon that may end it.
func bare(text string) (word, rest string) {
	end := strings.IndexAny(text, " \t\r\n")
	if end < 0 {
		end = len(text)
	}
	word = strings.TrimSuffix(text[:end], ":")
	return word, text[len(word):]
}

// WriteOwner names a manager in the form that ReadOwner reads.
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
