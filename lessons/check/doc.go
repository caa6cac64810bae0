// Package check tests lessons. It makes their requests through a running Fieldmark, as a browser would, and judges the responses by the
// lessons' checks. It also proves that every check can fail.
package check

import (
	"fmt"
	"strings"
	"time"
)

// Failure is something that is not as a lesson says.
type Failure struct {
	File    string
	Line    int
	What    string
	Excerpt string // of the answer that was looked at
}

// String is the failure in a line, with an excerpt of the answer below it.
func (f Failure) String() string {
	text := fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.What)
	if f.Excerpt != "" {
		text += "\n        " + strings.ReplaceAll(f.Excerpt, "\n", "\n        ")
	}
	return text
}

// Report is what became of a lesson.
type Report struct {
	Lesson   string
	Failures []Failure
	Requests int // that were made for the lesson's own requests
	Judged   int // statements
	Proved   int // of them, those that were shown to be able to fail
	Commands int // runs of commands for kubectl
	Took     time.Duration
	Earlier  []Failure // what was not so at a first try; see Options.Retry
}

// OK tells whether all was as the lesson says.
func (r Report) OK() bool { return len(r.Failures) == 0 }
