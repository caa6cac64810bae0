// Package standing is how a task of the guide stands: the server judges it, pages show it, and the checker of lessons compares it.
package standing

import (
	"time"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Phase is how far a task is.
type Phase string

// The phases.
const (
	Preparing Phase = "preparing"
	Working   Phase = "working"
	Solved    Phase = "solved"
	Lost      Phase = "lost"   // it can't be solved any more
	Failed    Phase = "failed" // it could not begin
	Over      Phase = "over"   // what it made is removed
)

// GoalState is how a goal stands.
type GoalState string

// The states of goals. What must not happen is kept until it is broken.
const (
	Open    GoalState = "open"
	Reached GoalState = "reached"
	Kept    GoalState = "kept"
	Broken  GoalState = "broken"
	Unknown GoalState = "unknown" // a watch had a gap
)

// Standing is how a task stands.
type Standing struct {
	Revision  uint64      `json:"revision"`
	Task      string      `json:"task"`
	Phase     Phase       `json:"phase"`
	Why       string      `json:"why,omitempty"` // why it failed or is lost, in a sentence
	Namespace string      `json:"namespace"`
	Vars      lesson.Vars `json:"vars"`
	Goals     []Goal      `json:"goals"`
	Misses    []int       `json:"misses"` // places of the mistakes that were made
	Writes    int         `json:"writes"` // requests by which the learner has changed something in the namespace
	Began     time.Time   `json:"began"`
	Ended     time.Time   `json:"ended,omitzero"`
}

// Goal is how one goal stands.
type Goal struct {
	State GoalState `json:"state"`
	Why   string    `json:"why,omitempty"` // why it isn't reached, in plain words
	// Answer is the learner's last answer to a question, and Said what the task says of it, as HTML.
	Answer string `json:"answer,omitempty"`
	Said   string `json:"said,omitempty"`
}
