package report

import "time"

// Phase is how far a run is.
type Phase string

// The phases.
const (
	Arriving Phase = "arriving" // the existing objects are being read
	Watching Phase = "watching"
	Done     Phase = "done"    // its time is over
	Stopped  Phase = "stopped" // the reader ended it
	Failed   Phase = "failed"  // no type could be read
)

// Run is a scan as it is shown: how far it is, and what it has found.
type Run struct {
	Phase     Phase         `json:"phase"`
	Types     string        `json:"types"`     // as the reader named them; empty: all
	Namespace string        `json:"namespace"` // empty: all
	Began     time.Time     `json:"began"`
	Lasts     time.Duration `json:"lasts"` // how long it should watch
	Left      time.Duration `json:"left"`  // remaining time
	Watched   time.Duration `json:"watched"`
	Report    Report        `json:"report"`
}

// Runs tells whether the run continues.
func (r Run) Runs() bool { return r.Phase == Arriving || r.Phase == Watching }

// Read counts the types that have been read, or that can't be read.
func (r Run) Read() int {
	n := 0
	for _, t := range r.Report.Types {
		if t.State != Waiting && t.State != Reading {
			n++
		}
	}
	return n
}
