package components

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/words"
)

// FieldPanel is a schema's description of one field, for a panel beside the field.
type FieldPanel struct {
	Name  string // the name of the field; for an object itself, its kind
	Field schema.Field
	// Trail has a link for each part of the path, from the object itself to the field.
	Trail []Link
	// Here are the values of an object in the field; nil: there is no object.
	Here *FieldValues
}

// FieldValues are the values that an object has in a field. There may be several: one in each item of a list.
type FieldValues struct {
	Texts  []string // the first values, one in a line
	Values int      // the number of values
	Places int      // the number of places that could have a value
}

// countText says how many values there are; empty: one value in one place.
func (v FieldValues) countText() string {
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

// left is the number of values that are not in Texts.
func (v FieldValues) left() int { return v.Values - len(v.Texts) }

// paragraphs splits a text into paragraphs. In generated descriptions, a line that begins no list item continues
// the line before.
func paragraphs(text string) []string {
	var all []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			all = append(all, p)
		}
	}
	return all
}
