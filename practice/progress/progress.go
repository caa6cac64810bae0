// Package progress reports the progress of the practice cluster, step by step.
package progress

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// Step is one part of the start of a cluster.
type Step string

// The steps, in the order in which they usually finish.
const (
	Folder       Step = "folder"
	Certificates Step = "certificates"
	Etcd         Step = "etcd"
	APIServer    Step = "apiserver"
	Controllers  Step = "controllers"
	Nodes        Step = "nodes"
	Content      Step = "content"
	Aggregated   Step = "aggregated"
	Ready        Step = "ready"
)

// State is what has happened to a step.
type State string

// The states of a step.
const (
	Started State = "started"
	Done    State = "done"
	Failed  State = "failed"
	// Restarting is a step whose component stopped by itself and is started again.
	Restarting State = "restarting"
)

// Event is one line of progress. Other programs read its JSON form, so it must not change.
type Event struct {
	Step      Step   `json:"step"`
	State     State  `json:"state"`
	Message   string `json:"message"`
	ElapsedMS int64  `json:"elapsedMs"`
}

// Format is how events are written.
type Format string

// The formats: lines for people, and one JSON object a line for programs.
const (
	Text Format = "text"
	JSON Format = "json"
)

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case Text, JSON:
		return f, nil
	}
	return "", fmt.Errorf("--progress must be text or json, not %q", name)
}

// Reporter writes events as they happen. It may be used by several goroutines.
type Reporter struct {
	mu     sync.Mutex
	out    io.Writer
	format Format
	start  time.Time
	now    func() time.Time
}

// New returns a reporter whose elapsed times count from start.
func New(out io.Writer, format Format, start time.Time) *Reporter {
	return &Reporter{out: out, format: format, start: start, now: time.Now}
}

// Report writes one event. What can't be written is lost: nobody is reading
// any more, and that must not stop the cluster.
func (r *Reporter) Report(step Step, state State, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	event := Event{
		Step: step, State: state, Message: fmt.Sprintf(format, args...),
		ElapsedMS: r.now().Sub(r.start).Milliseconds(),
	}
	_, _ = io.WriteString(r.out, r.line(event))
}

func (r *Reporter) line(e Event) string {
	if r.format == JSON {
		encoded, err := json.Marshal(e)
		if err != nil { // an Event holds nothing that JSON can't
			panic(err)
		}
		return string(encoded) + "\n"
	}
	return textLine(e)
}

// textLine leaves out started steps: people read what is done, and what failed.
func textLine(e Event) string {
	mark := "✓"
	switch e.State {
	case Started:
		return ""
	case Failed:
		mark = "✗"
	case Restarting:
		mark = "↻"
	}
	return fmt.Sprintf("%6.1f s  %s %-12s  %s\n", float64(e.ElapsedMS)/1000, mark, e.Step, e.Message)
}
