// Package progress is a learner's progress in the field guide, as the browser stores it. The map and the lessons share it.
package progress

import (
	"encoding/json"
	"maps"
	"time"
)

// Key is the key in the browser's storage.
const Key = "learn"

// Book is the progress in all lessons.
type Book struct {
	Learner string            `json:"learner"` // five letters that make the names of this browser's objects unique
	Lessons map[string]Lesson `json:"lessons,omitempty"`
}

// Lesson is the progress in one lesson. A block is named by its step and its place in the step, such as “2.1”.
type Lesson struct {
	Step    string `json:"step,omitempty"` // the id of the step in sight
	Done    bool   `json:"done,omitempty"` // the learner has finished the lesson at least once
	Attempt int    `json:"attempt,omitempty"`
	// The open attempt. Cluster is empty if there is none.
	Cluster  string            `json:"cluster,omitempty"`  // slug
	Vars     map[string]string `json:"vars,omitempty"`     // values that checks have kept from responses
	Guesses  map[string]string `json:"guesses,omitempty"`  // predictions, by block
	Verdicts map[string]string `json:"verdicts,omitempty"` // their verdicts, by block
	Sent     []string          `json:"sent,omitempty"`     // blocks whose requests had a response
	Entries  map[string]string `json:"entries,omitempty"`  // numbers of the requests in the wire log, by block
	Passed   []string          `json:"passed,omitempty"`   // blocks whose checks have passed
	Failed   []string          `json:"failed,omitempty"`   // blocks whose checks have failed
}

// Under tells whether an attempt is open.
func (l Lesson) Under() bool { return l.Cluster != "" }

// Same tells whether two lessons are equally far, whichever of their steps is in sight.
func (l Lesson) Same(other Lesson) bool {
	l.Step, other.Step = "", ""
	return Book{}.With("", l).String() == Book{}.With("", other).String()
}

// Over is the lesson without the attempt.
func (l Lesson) Over() Lesson { return Lesson{Done: l.Done, Attempt: l.Attempt} }

// Read reads what String writes. A text that can't be read is an empty book.
func Read(text string) Book {
	var b Book
	if json.Unmarshal([]byte(text), &b) != nil {
		return Book{}
	}
	return b
}

// String is the book as the browser stores it.
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

// TasksKey is the key in the browser's storage for the tasks. The script task.js writes it, because a task is solved on any page.
const TasksKey = "tasks"

// Task is what is kept of a task.
type Task struct {
	Solved bool `json:"solved,omitempty"`
	Alone  bool `json:"alone,omitempty"` // solved at least once without a hint or the solution before
}

// ReadTasks reads the tasks, by their lessons. A text that can't be read has none.
func ReadTasks(text string) map[string]Task {
	var all map[string]Task
	if json.Unmarshal([]byte(text), &all) != nil {
		return nil
	}
	return all
}

// A file of progress: what a browser exports, and what Fieldmark keeps in local mode, where the file has the recorded responses, too.
const (
	FileKind    = "progress"
	FileVersion = 1
)

// LessonField is the parameter with the lesson whose recorded responses a page asks for.
const LessonField = "lesson"

// File is progress outside of a browser.
type File struct {
	Fieldmark string          `json:"fieldmark"` // FileKind
	Version   int             `json:"version"`
	Learn     json.RawMessage `json:"learn,omitempty"` // a Book
	Tasks     json.RawMessage `json:"tasks,omitempty"`
}

// Export makes a file of the values that a browser keeps; an empty one is left out.
func Export(book, tasks string) []byte {
	f := File{Fieldmark: FileKind, Version: FileVersion, Learn: []byte(book), Tasks: []byte(tasks)}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil // the browser kept no JSON
	}
	return append(text, '\n')
}

// Import reads a file of progress: the values for a browser to keep, or a sentence that says why it can't be read.
func Import(text []byte) (book, tasks, refused string) {
	var f File
	switch err := json.Unmarshal(text, &f); {
	case err != nil || f.Fieldmark != FileKind:
		return "", "", "This file has no progress. Choose a file that “Export” has made."
	case f.Version > FileVersion:
		return "", "", "A newer Fieldmark has made this file. Import it there."
	}
	var b Book
	var t map[string]Task
	if len(f.Learn) > 0 && json.Unmarshal(f.Learn, &b) != nil || len(f.Tasks) > 0 && json.Unmarshal(f.Tasks, &t) != nil {
		return "", "", "Somebody has changed this file, so Fieldmark can’t read it."
	}
	return string(f.Learn), string(f.Tasks), ""
}

// letters are the letters of a learner's name. They have no vowels, so they make no words.
const letters = "bcdfghjkmnpqrstvwxz"

// Learner makes a learner's name from the time at which the guide is opened first.
func Learner(now time.Time) string {
	n := uint64(now.UnixMicro()) * 0x9e3779b97f4a7c15
	name := make([]byte, 5)
	for i := range name {
		name[i] = letters[n>>40%uint64(len(letters))]
		n = n*6364136223846793005 + 1442695040888963407
	}
	return string(name)
}
