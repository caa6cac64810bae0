package practice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Steps are the names of the program's steps, in order. When "apiserver" is done, the API server responds.
var Steps = []string{"folder", "certificates", "etcd", "apiserver", "controllers", "nodes", "content", "aggregated", "ready"}

// The states of a step.
const (
	Started = "started"
	Done    = "done"
	Failed  = "failed"
	// Restarting says that the component of a step stopped by itself and starts again. The step was done or started before.
	Restarting = "restarting"
)

const (
	apiStep  = "apiserver"
	lastStep = "ready"
	maxLine  = 64 << 10
	maxSteps = 64 // the most steps that are kept; the program has nine
	maxWords = 300
	// maxFailure is longer, because a failure has the last lines of the component's log.
	maxFailure = 2000
	maxStderr  = 8 << 10
)

// Step is the latest state of one step.
type Step struct {
	Name string `json:"step"`
	// State is started, done, failed or restarting.
	State string `json:"state"`
	// Message is a sentence from the program, or empty.
	Message string `json:"message,omitempty"`
	// ElapsedMs is the time since the program's start, in milliseconds.
	ElapsedMs int64 `json:"elapsedMs"`
}

// Progress is how far the practice cluster is.
type Progress struct {
	// Build is how far the compilation of the program is; nil if there was nothing to build.
	Build *Build `json:"build,omitempty"`
	// Steps are those that have started, in the order in which they started.
	Steps []Step `json:"steps"`
	// Current is the name of the latest step that is started or restarting, or empty.
	Current string `json:"current,omitempty"`
	// APIReady is true once the API server responds, Ready once the cluster has everything.
	APIReady bool `json:"apiReady"`
	Ready    bool `json:"ready"`
	// Failed says in one line why the cluster failed or ended by itself. It is empty if neither happened.
	Failed string `json:"failed,omitempty"`
	// Ended is true once the program has ended.
	Ended bool `json:"ended"`
}

// Progress is the current progress.
func (p *Practice) Progress() Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.progress.clone()
}

func (g Progress) clone() Progress {
	g.Steps = slices.Clone(g.Steps)
	return g
}

// with is the progress after one step's state has changed.
func (g Progress) with(s Step) Progress {
	g = g.clone()
	i := slices.IndexFunc(g.Steps, func(old Step) bool { return old.Name == s.Name })
	switch {
	case i >= 0:
		g.Steps[i] = s
	case len(g.Steps) < maxSteps:
		g.Steps = append(g.Steps, s)
	}
	g.Current = underWay(g.Steps)
	switch {
	case s.State == Failed:
		g.Failed = failure(s)
	case s.State == Done && s.Name == apiStep:
		g.APIReady = true
	case s.State == Done && s.Name == lastStep:
		g.APIReady, g.Ready = true, true
	}
	return g
}

// underWay is the name of the latest step that has started and not ended. Several steps can run at the same time.
func underWay(steps []Step) string {
	for _, s := range slices.Backward(steps) {
		if s.State == Started || s.State == Restarting {
			return s.Name
		}
	}
	return ""
}

// Restarting are the steps whose component stopped by itself and starts again.
func (g Progress) Restarting() []Step {
	if g.Ended {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(g.Steps), func(s Step) bool { return s.State != Restarting })
}

// Interrupted is the step of the API server, if it stopped by itself and starts again.
func (g Progress) Interrupted() (news Step, yes bool) {
	for _, s := range g.Restarting() {
		if s.Name == apiStep {
			return s, true
		}
	}
	return Step{}, false
}

func failure(s Step) string {
	if s.Message == "" {
		return fmt.Sprintf("the step %q failed", s.Name)
	}
	return s.Message
}

// newsLines splits the program's output into lines. Bytes of a line after maxLine are lost.
type newsLines struct {
	take func(line []byte)
	rest []byte
}

// Write calls take with each complete line.
func (n *newsLines) Write(p []byte) (int, error) {
	written := len(p)
	for {
		line, after, whole := bytes.Cut(p, []byte("\n"))
		n.rest = append(n.rest, line[:min(len(line), maxLine-len(n.rest))]...)
		if !whole {
			return written, nil
		}
		n.take(n.rest)
		n.rest, p = n.rest[:0], after
	}
}

// news reads one line. Lines that are not a Step go to the log.
func (p *Practice) news(line []byte) {
	var s Step
	if err := json.Unmarshal(line, &s); err != nil || s.Name == "" || !slices.Contains([]string{Started, Done, Failed, Restarting}, s.State) {
		if text := status.Excerpt(line, maxWords); text != "" {
			p.options.Log.Debug("practice cluster", "line", text)
		}
		return
	}
	limit := maxWords
	if s.State == Failed {
		limit = maxFailure
	}
	s.Name, s.Message = status.Excerpt([]byte(s.Name), 40), status.Excerpt([]byte(s.Message), limit)
	p.change(func(g Progress) Progress { return g.with(s) })
}

// change replaces the progress, calls OnProgress, and closes apiReady if the API server responds now.
func (p *Practice) change(next func(Progress) Progress) {
	p.mu.Lock()
	before := p.progress
	p.progress = next(before)
	now := p.progress.clone()
	p.mu.Unlock()
	if p.options.OnProgress != nil {
		p.options.OnProgress(now)
	}
	if now.APIReady && !before.APIReady {
		close(p.apiReady)
	}
}

// asked tells whether somebody has asked for the end.
func (p *Practice) asked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopping
}

func (p *Practice) ended(err error) {
	asked := p.asked()
	p.removeTemporary()
	p.change(func(g Progress) Progress {
		g = g.clone()
		g.Ended, g.Current = true, ""
		if !asked && g.Failed == "" {
			g.Failed = p.howItEnded(err)
		}
		return g
	})
	close(p.done)
}

func (p *Practice) howItEnded(err error) string {
	how := "the program ended by itself"
	if err != nil {
		how = "the program ended unexpectedly (" + err.Error() + ")"
	}
	if last := p.stderr.lastLine(); last != "" {
		how += ": " + last
	}
	return how
}

// Summary is the progress in one sentence.
func (g Progress) Summary() string {
	switch {
	case g.Build.failed():
		return "the practice cluster can’t be compiled: " + strings.TrimSuffix(g.Failed, ".")
	case g.Failed != "":
		return "the practice cluster failed: " + strings.TrimSuffix(g.Failed, ".")
	case g.Ended:
		return "the practice cluster was stopped"
	case g.Ready && len(g.Restarting()) > 0:
		return "a part of the practice cluster is starting again: " + g.Restarting()[0].Message
	case g.Ready:
		return "the practice cluster is ready"
	case g.Build.underWay():
		return g.Build.progressText()
	case g.Current == "":
		return "the practice cluster is starting"
	}
	i := slices.Index(Steps, g.Current)
	if i < 0 {
		return "the practice cluster is starting: " + g.Current
	}
	return fmt.Sprintf("the practice cluster is starting: %s (step %d of %d)", g.Current, i+1, len(Steps))
}
