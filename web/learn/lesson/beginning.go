package lesson

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// The IDs of the requests that begin a lesson.
const (
	setupFind      = "setup/find"
	setupNamespace = "setup/namespace"
	setupFurnish   = "setup/furnish/" // with the place of the object
	setupScenario  = "setup/scenario"
	setupLook      = "setup/look"
)

const (
	mostAttempts = 30              // namespaces that are tried, if they exist already
	setupBound   = 3 * time.Minute // for controllers to fill the namespace, and for a Scenario to become ready
	restartBound = time.Minute     // for an API server that restarts to respond
)

// mine is the learner's progress in this lesson.
func (m Model) mine() progress.Lesson { return m.live.book.Lessons[m.Lesson.ID] }

// name sets the variables that every lesson has, for an attempt.
func (m Model) name(attempt int) {
	unique := m.live.book.Learner + strconv.Itoa(attempt)
	m.live.vars[lesson.Unique] = unique
	m.live.vars[lesson.Namespace] = "learn-" + m.Lesson.ID + "-" + unique
}

func (m Model) namespace() string { return m.live.vars[lesson.Namespace] }

// startAttempt begins a new attempt, with its own namespace.
func (m Model) startAttempt() []page.Cmd {
	l := m.live
	if !m.writable() || l.phase == making || l.phase == awaiting || l.phase == tidying {
		return nil
	}
	was := m.mine()
	l.forget()
	l.phase, l.since = making, l.now
	return append(m.attempt(was.Attempt+1), page.Focus{ID: headingID(l.at)})
}

// attempt creates the namespace of an attempt, if the lesson needs one.
func (m Model) attempt(n int) []page.Cmd {
	was := m.mine()
	next := was.Over()
	next.Attempt, next.Cluster = n, m.Shell.Cluster.Slug
	m.live.book = m.live.book.With(m.Lesson.ID, next)
	m.name(n)
	if !m.needsNamespace() {
		return m.made()
	}
	return m.setUp(setupNamespace, "POST", allNamespaces, m.namespaceBody(m.namespace()))
}

// setUp sends one of the requests that begin a lesson. It replaces the last one if that has the same ID.
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

// made goes on when everything that the lesson needs exists.
func (m Model) made() []page.Cmd {
	m.live.phase = ready
	cmds := []page.Cmd{page.Announce{Words: "The lesson has begun"}}
	if m.live.at == opening {
		cmds = append(cmds, m.turn(0)...)
	}
	return append(cmds, m.keep())
}

// checkNamespace checks whether the namespace of an attempt still exists.
func (m Model) checkNamespace() []page.Cmd {
	if !m.needsNamespace() {
		m.live.phase = ready
		return nil
	}
	m.live.phase, m.live.words, m.live.since = making, "Looking for your namespace…", m.live.now
	return m.setUp(setupFind, "GET", apipath.Object("", "v1", "", "namespaces", m.namespace()).String(), nil)
}

// heardSetup takes a response to setUp in; false: the message is about something else.
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
	if n, is := furnishing(x); is && l.phase == making {
		return m.heardFurnishing(n, x), true
	}
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
		l.phase, l.words = unbegun, "The namespace of your last attempt was deleted."
		l.book = l.book.With(m.Lesson.ID, m.mine().Over())
		return []page.Cmd{m.keep()}
	}
	return m.giveUp(x)
}

// giveUp ends the beginning without success. The page says why; see refusal. A server that doesn't respond now may be restarting, because a lesson
// compacts its store. So it is asked again for a while.
func (m Model) giveUp(x call.Call) []page.Cmd {
	l := m.live
	if away := x.Status == 0 || x.Status == 429 || x.Status >= 500; away && l.now.Sub(l.since) < restartBound {
		l.due, l.words = true, "The API server can’t respond at the moment. Trying again…"
		return nil
	}
	l.phase = refused
	return []page.Cmd{page.Announce{Words: "The lesson could not begin. " + x.Outcome()}}
}

func (m Model) madeNamespace(x call.Call) []page.Cmd {
	n := m.mine().Attempt
	switch {
	case x.Status == status.CodeConflict && n%mostAttempts != 0:
		return m.attempt(n + 1)
	case !x.OK():
		return m.giveUp(x)
	}
	return m.awaitFurnishing(0)
}

// awaitFurnishing waits for an object that a controller creates in the new namespace. A watch says at once when the object exists.
func (m Model) awaitFurnishing(n int) []page.Cmd {
	all := lesson.Furnishings()
	if n == len(all) {
		return m.furnished()
	}
	m.live.words = "Waiting for the " + all[n].Kind + " " + all[n].Name + ", which Kubernetes creates in each namespace…"
	path := apipath.Collection("", "v1", m.namespace(), all[n].Resource).String()
	query := url.Values{"watch": {"true"}, "fieldSelector": {"metadata.name=" + all[n].Name}}
	return m.setUp(setupFurnish+strconv.Itoa(n), "GET", path+"?"+query.Encode(), nil)
}

// furnishing tells whether a request waits for an object that a controller creates, and for which.
func furnishing(x call.Call) (n int, is bool) {
	place, is := strings.CutPrefix(x.ID, setupFurnish)
	n, err := strconv.Atoi(place)
	return n, is && err == nil
}

// heardFurnishing goes on when the object exists. A watch that has ended before is sent again. A reader without the right to watch goes on at once: a lesson
// that doesn't need the object works.
func (m Model) heardFurnishing(n int, x call.Call) []page.Cmd {
	l := m.live
	lines, _ := call.Lines{}.Take(x.Kept)
	for _, line := range lines {
		if e, err := watch.ParseEvent(line); err == nil && (e.Type == watch.Added || e.Type == watch.Modified) {
			return append([]page.Cmd{x.Cancel()}, m.awaitFurnishing(n+1)...)
		}
	}
	switch {
	case x.Done() && x.OK():
		l.due = true
	case x.Done() && x.Status == status.CodeForbidden:
		return m.awaitFurnishing(n + 1)
	case x.Done():
		return m.giveUp(x)
	}
	return nil
}

// furnished goes on when the namespace has all that controllers create in it.
func (m Model) furnished() []page.Cmd {
	m.live.words = ""
	if m.Lesson.Scenario == "" {
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

// looked takes the state of the Scenario in.
func (m Model) looked(x call.Call) []page.Cmd {
	l := m.live
	s, read := scenario.Read(x.Kept)
	if !x.OK() || !read {
		return nil // lookAfter asks again
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

// lookAfter requests the state of the Scenario, once a second, and sends again what a server that restarts has not taken.
func (m Model) lookAfter() []page.Cmd {
	l := m.live
	if l.phase == making && len(l.setup) > 0 {
		if n, is := furnishing(l.setup[len(l.setup)-1]); is && l.now.Sub(l.since) > setupBound {
			return m.missesFurnishing(lesson.Furnishings()[n])
		}
	}
	if l.due && l.phase == making && len(l.setup) > 0 {
		l.due = false
		x := l.setup[len(l.setup)-1]
		return m.setUp(x.ID, x.Method, x.Path, x.Body)
	}
	if l.phase != awaiting || l.setup[len(l.setup)-1].Under() {
		return nil
	}
	if l.now.Sub(l.since) > setupBound {
		l.phase, l.words = refused, "The Scenario was not ready within three minutes. "+l.words
		return nil
	}
	return m.setUp(setupLook, "GET", scenario.Named(m.namespace()).String(), nil)
}

// missesFurnishing ends the beginning, because no controller has created an object that each namespace has.
func (m Model) missesFurnishing(g lesson.Furnishing) []page.Cmd {
	l := m.live
	l.phase, l.words = refused, "Kubernetes creates the "+g.Kind+" "+g.Name+" in each namespace, but not in this one within three minutes. Perhaps no controller manager runs. Try again."
	return []page.Cmd{l.setup[len(l.setup)-1].Cancel(), page.Announce{Words: "The lesson could not begin. " + l.words}}
}
