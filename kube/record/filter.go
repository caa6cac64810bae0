package record

import (
	"strconv"
	"strings"
)

// Filter says which requests a reader looks for. What is empty passes all.
type Filter struct {
	Verb   string `json:"verb,omitempty"`
	Status string `json:"status,omitempty"` // one of Statuses
	Origin string `json:"origin,omitempty"`
	Text   string `json:"text,omitempty"` // words, all of which the line must have
}

// What a filter of the status may be, besides 2xx and the like.
const (
	Unanswered = "none"    // there is no answer, and there will be none
	UnderWay   = "open"    // the answer has not come to its end
	Warned     = "warning" // the answer warns
)

// Statuses are all that a filter of the status may be.
var Statuses = []string{"1xx", "2xx", "3xx", "4xx", "5xx", Unanswered, UnderWay, Warned}

// All tells whether the filter passes everything.
func (f Filter) All() bool { return f == Filter{} }

// Passes tells whether a line is among those that are looked for.
func (f Filter) Passes(l Line) bool {
	if f.Verb != "" && f.Verb != l.Verb || f.Origin != "" && f.Origin != l.Origin || !f.status(l) {
		return false
	}
	for word := range strings.FieldsSeq(f.Text) {
		if !l.has(word) {
			return false
		}
	}
	return true
}

func (f Filter) status(l Line) bool {
	switch f.Status {
	case "":
		return true
	case Unanswered:
		return l.Done && l.Status == 0
	case UnderWay:
		return !l.Done
	case Warned:
		return l.Warnings > 0
	}
	return l.Status > 0 && f.Status == strconv.Itoa(l.Status/100)+"xx"
}

func (l Line) has(word string) bool {
	word = strings.ToLower(word)
	for _, part := range []string{l.Path, l.Query, l.Verb, l.Method, l.MediaType, l.Origin} {
		if strings.Contains(strings.ToLower(part), word) {
			return true
		}
	}
	return word == strconv.Itoa(l.Status)
}
