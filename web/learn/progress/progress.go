// Package progress is how far somebody has come in the field guide, as their browser keeps it. The map and the lessons read the same.
package progress

import (
	"encoding/json"
	"maps"
	"time"
)

// Key is what the browser keeps it under, among what is kept for us.
const Key = "learn"

// Book is all of it.
type Book struct {
	Learner string            `json:"learner"` // a few letters that tell this browser's objects from others'
	Lessons map[string]Lesson `json:"lessons,omitempty"`
}

// Lesson is how far one lesson is.
type Lesson struct {
	Step    string `json:"step,omitempty"` // the one in sight, by its id
	Done    bool   `json:"done,omitempty"` // it was finished once
	Attempt int    `json:"attempt,omitempty"`
	// Of the attempt that is under way; Cluster is empty where there is none.
	Cluster  string            `json:"cluster,omitempty"`  // slug
	Vars     map[string]string `json:"vars,omitempty"`     // values that were kept from answers
	Guesses  map[string]string `json:"guesses,omitempty"`  // what was predicted, by block
	Verdicts map[string]string `json:"verdicts,omitempty"` // what became of that, by block
	Sent     []string          `json:"sent,omitempty"`     // requests that were answered, by block
	Entries  map[string]string `json:"entries,omitempty"`  // where the wire log has the responses: its number of the request, by block
	Passed   []string          `json:"passed,omitempty"`   // checks that held, by block
	Failed   []string          `json:"failed,omitempty"`   // checks that failed, by block
}

// Under tells whether an attempt is under way.
func (l Lesson) Under() bool { return l.Cluster != "" }

// Over is the lesson without the attempt.
func (l Lesson) Over() Lesson { return Lesson{Done: l.Done, Attempt: l.Attempt} }

// Read reads what was kept. What can't be read counts as nothing.
func Read(text string) Book {
	var b Book
	if json.Unmarshal([]byte(text), &b) != nil {
		return Book{}
	}
	return b
}

// String is the book as it is kept.
func (b Book) String() string {
	text, err := json.Marshal(b)
	if err != nil {
		return "" // texts and numbers don't fail
	}
	return string(text)
}

// With is the book with a lesson in it.
func (b Book) With(id string, l Lesson) Book {
	lessons := maps.Clone(b.Lessons)
	if lessons == nil {
		lessons = map[string]Lesson{}
	}
	lessons[id] = l
	b.Lessons = lessons
	return b
}

// letters are those of a learner's name: no vowels, so that they make no word.
const letters = "bcdfghjkmnpqrstvwxz"

// Learner makes a name of a moment: who opens the guide at another one has another name.
func Learner(now time.Time) string {
	n := uint64(now.UnixMicro()) * 0x9e3779b97f4a7c15
	name := make([]byte, 5)
	for i := range name {
		name[i] = letters[n>>40%uint64(len(letters))]
		n = n*6364136223846793005 + 1442695040888963407
	}
	return string(name)
}
