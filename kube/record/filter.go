package record

import (
	"strconv"
	"strings"
)

// Filter selects recorded requests. An empty field selects all.
type Filter struct {
	Verb   string `json:"verb,omitempty"`
	Status string `json:"status,omitempty"` // one of Statuses
	Origin string `json:"origin,omitempty"`
	Text   string `json:"text,omitempty"` // words; the line must have all of them
}

// Values of Filter.Status besides 2xx and similar.
const (
	Unanswered = "none"    // there is no response, and there will be none
	UnderWay   = "open"    // the response isn't complete
	Warned     = "warning" // the response has a warning
)

// Statuses are all values of Filter.Status.
var Statuses = []string{"1xx", "2xx", "3xx", "4xx", "5xx", Unanswered, UnderWay, Warned}

// All tells whether the filter selects everything.
func (f Filter) All() bool { return f == Filter{} }

// Passes tells whether the filter selects a line.
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
