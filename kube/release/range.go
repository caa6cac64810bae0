package release

import (
	"errors"
	"fmt"
	"iter"
	"strings"
)

// Range is a range of versions. The zero value holds for all versions.
type Range struct {
	Since Version `json:"since,omitempty"` // the first version; 0: there is none before Until
	Until Version `json:"until,omitempty"` // the last version; 0: there is no last one
}

// The words that a range is written with.
const (
	since = "since"
	until = "until"
)

// IsZero tells whether the range holds for all versions.
func (r Range) IsZero() bool { return r == Range{} }

// Holds tells whether the version is in the range. An unknown version is only in the range of all versions.
func (r Range) Holds(v Version) bool {
	return r.IsZero() || v.Known() && v >= r.Since && (r.Until == 0 || v <= r.Until)
}

// After tells whether the whole range comes after a known version.
func (r Range) After(v Version) bool { return v.Known() && v < r.Since }

// Meet is the range of the versions that are in both ranges; false: there is none.
func (r Range) Meet(other Range) (Range, bool) {
	r.Since = max(r.Since, other.Since)
	if r.Until == 0 || other.Until != 0 && other.Until < r.Until {
		r.Until = other.Until
	}
	return r, r.Until == 0 || r.Since <= r.Until
}

// All are the versions of a range that has both ends.
func (r Range) All() iter.Seq[Version] {
	return func(yield func(Version) bool) {
		for v := r.Since; v <= r.Until; v++ {
			if !yield(v) {
				return
			}
		}
	}
}

// String is the range as it is written; empty if it holds for all versions.
func (r Range) String() string {
	var all []string
	if r.Since.Known() {
		all = append(all, since+"="+r.Since.String())
	}
	if r.Until.Known() {
		all = append(all, until+"="+r.Until.String())
	}
	return strings.Join(all, " ")
}

// Words are the range for people, after the word Kubernetes.
func (r Range) Words() string {
	switch {
	case r.IsZero():
		return "all versions"
	case !r.Until.Known():
		return r.Since.String() + " and later"
	case !r.Since.Known():
		return r.Until.String() + " and earlier"
	case r.Since == r.Until:
		return r.Since.String() + " only"
	}
	return r.Since.String() + " to " + r.Until.String()
}

// IsOption tells whether a word begins or ends a range.
func IsOption(word string) bool {
	key, _, pair := strings.Cut(word, "=")
	return pair && (key == since || key == until)
}

// ParseRange reads the words of a range: since=1.34, until=1.36, or both.
func ParseRange(words ...string) (Range, error) {
	var r Range
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		at := map[string]*Version{since: &r.Since, until: &r.Until}[key]
		switch {
		case at == nil:
			return Range{}, fmt.Errorf("%q is no range: it is since=1.34, until=1.36, or both", word)
		case at.Known():
			return Range{}, fmt.Errorf("%s is there twice", key)
		}
		v, err := Parse(value)
		if err != nil {
			return Range{}, fmt.Errorf("%s: %w", key, err)
		}
		*at = v
	}
	if r.Until.Known() && r.Since > r.Until {
		return Range{}, errors.New(r.String() + " has no version: since is the first version, and until is the last one")
	}
	return r, nil
}

// Cut takes the range off the beginning of a text.
func Cut(text string) (r Range, rest string, err error) {
	var words []string
	rest = strings.TrimLeft(text, " ")
	for {
		word, after, _ := strings.Cut(rest, " ")
		if !IsOption(word) {
			break
		}
		words, rest = append(words, word), strings.TrimLeft(after, " ")
	}
	if len(words) == 0 {
		return Range{}, text, nil
	}
	r, err = ParseRange(words...)
	return r, rest, err
}
