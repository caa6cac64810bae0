// Package check tests lessons without a browser. It sends their requests through a running Fieldmark, and judges the responses with the
// lessons' checks.
//
//   - Each claim of a lesson is checked, and each prediction must have the right choice.
//   - Each check must be able to fail: there must be a response for which it fails, and it must fail before the step's requests are sent.
//   - With kubectl, all of it is done a second time with the lesson's commands, and the responses are read from Fieldmark's wire log.
//   - What isn't true for the version of the server is skipped, and the report has it.
package check

import (
	"fmt"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Failure is a difference between a lesson and the cluster, or a check that can't fail.
type Failure struct {
	File    string
	Line    int
	What    string
	Excerpt string // of the response that was checked
}

// String is the failure in a line, with an excerpt of the response below.
func (f Failure) String() string {
	text := fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.What)
	if f.Excerpt != "" {
		text += "\n        " + strings.ReplaceAll(f.Excerpt, "\n", "\n        ")
	}
	return text
}

// Report is the result of a lesson.
type Report struct {
	Lesson   string
	Failures []Failure
	Requests int // sent for the lesson's own requests
	Judged   int // checked statements
	Proved   int // statements that were proved to be able to fail
	Commands int // commands of kubectl that were run
	Took     time.Duration
	Earlier  []Failure // the failures of the first test; see Options.Retry
	Recorded []string  // the recorded responses that a server of their version confirmed; see Recording
	// Commanded are the files that were tested with kubectl, too.
	Commanded []string
	// Skips are the parts of the lesson that aren't true for the version of the server.
	Skips []lesson.Skip
}

// OK tells whether there is no failure.
func (r Report) OK() bool { return len(r.Failures) == 0 }
