package lesson

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// The requests by which a lesson is begun, by their ids.
const (
	setupFind      = "setup/find"
	setupNamespace = "setup/namespace"
	setupScenario  = "setup/scenario"
	setupLook      = "setup/look"
)

const (
	mostAttempts = 30              // whose namespaces may be there already
	setupBound   = 3 * time.Minute // for a Scenario to hold
)

// mine is how far the learner is in this lesson.
func (m Model) mine() progress.Lesson { return m.live.book.Lessons[m.Lesson.ID] }

// name gives the variables that every lesson has their values for an attempt.
func (m Model) name(attempt int) {
	unique := m.live.book.Learner + strconv.Itoa(attempt)
	m.live.vars[lesson.Unique] = unique
	m.live.vars[lesson.Namespace] = "learn-" + m.Lesson.ID + "-" + unique
}

func (m Model) namespace() string { return m.live.vars[lesson.Namespace] }

// begin begins an attempt, with a namespace of its own.
func (m Model) begin() []page.Cmd {
	l := m.live
	if !m.writable() || l.phase == making || l.phase == awaiting || l.phase == tidying {
		return nil
	}
	was := m.mine()
	l.forget()
	l.phase, l.since = making, l.now
	return append(m.attempt(was.Attempt+1), page.Focus{ID: headingID(l.at)})
}

// attempt makes the namespace of an attempt.
func (m Model) attempt(n int) []page.Cmd {
	was := m.mine()
	next := was.Over()
	next.Attempt, next.Cluster = n, m.Shell.Cluster.Slug
	m.live.book = m.live.book.With(m.Lesson.ID, next)
	m.name(n)
	if !m.needsNamespace() {
		return m.made()
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": m.namespace(), "labels": map[string]string{"fieldmark.dev/lesson": m.Lesson.ID}},
	})
	if err != nil {
		return nil // texts don't fail
	}
	return m.setUp(setupNamespace, "POST", apipath.Collection("", "v1", "", "namespaces").String(), body)
}

// setUp sends one of the requests by which a lesson is begun.
func (m Model) setUp(id, method, path string, body []byte) []page.Cmd {
	x := call.Call{ID: id, Cluster: m.Shell.Cluster.Slug, Method: method, Path: path, Body: body, Header: []request.Header{{Name: "Accept", Value: "application/json"}}}
	if len(body) > 0 {
		x.Header = append(x.Header, request.Header{Name: "Content-Type", Value: "application/json"})
	}
	x, call := x.Begin()
	if n := len(m.live.setup); n > 0 && m.live.setup[n-1].ID == id {
		m.live.setup[n-1] = x
	} else {
		m.live.setup = append(m.live.setup, x)
	}
	return []page.Cmd{call}
}

// made goes on once there is all that the lesson needs.
func (m Model) made() []page.Cmd {
	m.live.phase = ready
	cmds := []page.Cmd{page.Announce{Words: "The lesson has begun"}}
	if m.live.at == opening {
		cmds = append(cmds, m.turn(0)...)
	}
	return append(cmds, m.keep())
}

// find looks whether the namespace of an attempt is still there.
func (m Model) find() []page.Cmd {
	if !m.needsNamespace() {
		m.live.phase = ready
		return nil
	}
	m.live.phase, m.live.words, m.live.since = making, "Looking for your namespace…", m.live.now
	return m.setUp(setupFind, "GET", apipath.Object("", "v1", "", "namespaces", m.namespace()).String(), nil)
}

// heardSetup takes in what came of beginning; false: it is about something else.
func (m Model) heardSetup(msg page.Msg) ([]page.Cmd, bool) {
	l := m.live
	last := len(l.setup) - 1
	if last < 0 {
		return nil, false
	}
	x, mine := l.setup[last].Hear(msg)
	if !mine {
		return nil, false
	}
	l.setup[last] = x
	if !x.Done() || l.phase != making && l.phase != awaiting {
		return nil, true
	}
	switch x.ID {
	case setupFind:
		return m.foundNamespace(x), true
	case setupNamespace:
		return m.madeNamespace(x), true
	case setupScenario:
		return m.madeScenario(x), true
	}
	return m.looked(x), true
}

func (m Model) foundNamespace(x call.Call) []page.Cmd {
	l := m.live
	var o struct {
		Status struct {
			Phase string `json:"phase"`
		} `json:"status"`
	}
	switch {
	case x.OK() && json.Unmarshal(x.Kept, &o) == nil && o.Status.Phase != "Terminating":
		l.phase, l.setup, l.words = ready, nil, ""
		return m.inquireLeft()
	case x.OK() || x.Status == status.CodeNotFound:
		l.forget()
		l.phase, l.words, l.at = unbegun, "The namespace of your last attempt was deleted, so the lesson starts over.", opening
		l.book = l.book.With(m.Lesson.ID, m.mine().Over())
		return []page.Cmd{m.keep(), page.Remember{Address: m.address(opening), Replace: true}}
	}
	return m.giveUp(x)
}

// giveUp says why the lesson can't begin.
func (m Model) giveUp(x call.Call) []page.Cmd {
	m.live.phase = refused
	return []page.Cmd{page.Announce{Words: "The lesson could not begin. " + x.Outcome()}}
}

func (m Model) madeNamespace(x call.Call) []page.Cmd {
	n := m.mine().Attempt
	switch {
	case x.Status == status.CodeConflict && n%mostAttempts != 0:
		return m.attempt(n + 1)
	case !x.OK():
		return m.giveUp(x)
	case m.Lesson.Scenario == "":
		return m.made()
	}
	spec, err := m.live.vars.Expand(m.Lesson.Scenario)
	if err != nil {
		m.live.phase, m.live.words = refused, err.Error()
		return nil
	}
	return m.setUp(setupScenario, "POST", scenario.Path().String(), scenario.New(m.namespace(), spec))
}

func (m Model) madeScenario(x call.Call) []page.Cmd {
	if !x.OK() && x.Status != status.CodeConflict {
		return m.giveUp(x)
	}
	m.live.phase = awaiting
	return nil
}

// looked takes in how far the Scenario is.
func (m Model) looked(x call.Call) []page.Cmd {
	l := m.live
	s, read := scenario.Read(x.Kept)
	if !x.OK() || !read {
		return nil // asked again
	}
	l.words = s.Words
	switch {
	case s.Holds:
		return m.made()
	case s.Failed:
		l.phase = refused
	}
	return nil
}

// lookAfter asks how far the Scenario is, once a second.
func (m Model) lookAfter() []page.Cmd {
	l := m.live
	if l.phase != awaiting || l.setup[len(l.setup)-1].Under() {
		return nil
	}
	if l.now.Sub(l.since) > setupBound {
		l.phase, l.words = refused, "The Scenario was not ready within three minutes. "+l.words
		return nil
	}
	return m.setUp(setupLook, "GET", scenario.Named(m.namespace()).String(), nil)
}
