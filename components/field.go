package components

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/words"
)

// FieldPanel is what a schema says of one field, beside wherever the field is shown.
type FieldPanel struct {
	Name  string // how it is called; the kind, for an object itself
	Field schema.Field
	// Trail leads to the field, each part of its path a link, from the object itself on; the last is the field.
	Trail []Link
	// Here is what an object has there; nil: there is none to look at.
	Here *FieldValues
}

// FieldValues are the values that an object has in a field. There may be several: one in each item of a list.
type FieldValues struct {
	Texts  []string // the first few, each on a line
	Values int      // how many there are
	Places int      // in how many there could be one
}

// words tell how many there are, where that is not plain to see.
func (v FieldValues) words() string {
	switch {
	case v.Places == 0:
		return "its parent isn’t set"
	case v.Values == 0 && v.Places == 1:
		return "not set"
	case v.Values == 0:
		return "not set in any of " + words.Count(int64(v.Places), "place", "places")
	case v.Places > 1:
		return "set in " + words.Thousands(int64(v.Values)) + " of " + words.Count(int64(v.Places), "place", "places")
	default:
		return ""
	}
}

// left is how many values are not among the texts.
func (v FieldValues) left() int { return v.Values - len(v.Texts) }

// paragraphs are a text's paragraphs. In what generators make of comments, a line that does not begin a list goes on with
// the one before.
func paragraphs(text string) []string {
	var all []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			all = append(all, p)
		}
	}
	return all
}
