package lesson

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
	"github.com/fieldmark/fieldmark/words"
)

// replay brings the lesson to a step for the learner: the page itself sends the requests of the steps before it, and makes their checks.
//
//	proposed ──▶ playing: a new namespace, if the old one can't serve; then the steps, one after the other ──▶ played
//	                                                                     └─▶ stuck: a check failed, or no response came
//
// It only exists where the lesson may write: on the practice cluster, in the lesson's own namespace.
type replay struct {
	to    int              // the step to bring the lesson to
	anew  bool             // in a new namespace; else with the missing requests only, in the namespace that there is
	plan  []lesson.Request // all requests, in their order
	vars  lesson.Vars      // the variables of the plan, as far as they are known before
	state replayState
	why   reason // stuck: what went wrong
	sent  map[block]bool
}

type replayState string

const (
	proposed replayState = "proposed"
	playing  replayState = "playing"
	played   replayState = "played"
	stuck    replayState = "stuck"
)

// replaying tells whether the page is setting up a step now.
func (m Model) replaying() bool { return m.live.replay != nil && m.live.replay.state == playing }

// offersReplay tells whether the page can set up a step.
func (m Model) offersReplay(step int) bool {
	if m.live == nil || !m.writable() || step < 0 || step >= m.endPlace() || m.replaying() || m.live.elsewhere != nil {
		return false
	}
	switch m.live.phase {
	case making, awaiting, tidying:
		return false
	}
	return m.needsNamespace() || slices.ContainsFunc(m.Lesson.Steps[:step], func(s lesson.Step) bool {
		return slices.ContainsFunc(s.Blocks, func(b lesson.Block) bool { return b.Request != nil })
	})
}

// propose shows the requests that set up the step in sight.
func (m Model) propose() []page.Cmd {
	l := m.live
	if !m.offersReplay(l.at) {
		return nil
	}
	r := &replay{to: l.at, anew: !m.serves(l.at), state: proposed, vars: maps.Clone(l.vars), sent: map[block]bool{}}
	if r.anew {
		r.vars = m.nextVars()
		r.plan = m.beginning(r.vars)
	}
	for s := range r.to {
		for n, b := range m.Lesson.Steps[s].Blocks {
			if b.Request != nil && (r.anew || !l.sent[block{s, n}].Answered()) {
				r.plan = append(r.plan, *b.Request)
			}
		}
	}
	l.replay = r
	return []page.Cmd{page.Focus{ID: replayID(l.at)}}
}

// nextVars are the variables with which the next attempt begins.
func (m Model) nextVars() lesson.Vars {
	unique := m.live.book.Learner + strconv.Itoa(m.mine().Attempt+1)
	return lesson.Vars{lesson.Unique: unique, lesson.Namespace: "learn-" + m.Lesson.ID + "-" + unique}
}

// beginning are the requests that begin an attempt.
func (m Model) beginning(vars lesson.Vars) []lesson.Request {
	var all []lesson.Request
	if m.needsNamespace() {
		all = append(all, lesson.Request{Method: request.Post, Target: allNamespaces, Body: string(m.namespaceBody(vars[lesson.Namespace]))})
	}
	if spec, err := vars.Expand(m.Lesson.Scenario); err == nil && spec != "" {
		all = append(all, lesson.Request{Method: request.Post, Target: scenario.Path().String(), Body: string(scenario.New(vars[lesson.Namespace], spec))})
	}
	return all
}

// allNamespaces is the path of all namespaces.
var allNamespaces = apipath.Collection("", "v1", "", "namespaces").String()

// namespaceBody is the namespace of an attempt.
func (m Model) namespaceBody(name string) []byte {
	body, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": name, "labels": map[string]string{"fieldmark.dev/lesson": m.Lesson.ID}},
	})
	if err != nil {
		return nil // texts don't fail
	}
	return body
}

// serves tells whether a step can be set up in the namespace that there is: requests are missing, they can still be sent as the lesson has
// them, and nothing has gone wrong.
func (m Model) serves(to int) bool {
	l := m.live
	if l.phase != ready || m.homeless() != "" || m.failed(to) {
		return false
	}
	missing := false
	for s := range to {
		if m.failed(s) {
			return false
		}
		if m.unsent(s) {
			missing = true
			if m.late(s, block{to, 0}) != "" {
				return false
			}
		}
	}
	for b, a := range l.sent {
		if b.step < to && a != nil && (a.Before || a.Answered() && m.wanting(b)) {
			return false // its response, or the end of its stream, is lost
		}
	}
	return missing
}

// agree begins to send what was proposed.
func (m Model) agree() []page.Cmd {
	l := m.live
	r := l.replay
	if r == nil || r.state != proposed && r.state != stuck || !m.writable() {
		return nil
	}
	if r.state == stuck {
		return m.propose() // the lesson has changed since
	}
	var cmds []page.Cmd
	if r.anew {
		guesses, verdicts := l.guesses, l.verdicts
		cmds = append(m.leave(), m.startAttempt()...)
		for b, g := range guesses {
			if b.step < r.to {
				l.guesses[b] = g
			}
		}
		for b, v := range verdicts {
			if b.step < r.to {
				l.verdicts[b] = v
			}
		}
	}
	r.state, l.replay = playing, r
	return append(append(cmds, page.Focus{ID: replayID(r.to)}), m.proceed()...)
}

// decline ends a replay. What was sent stays.
func (m Model) decline() []page.Cmd {
	m.live.replay = nil
	return append(m.proceed(), page.Focus{ID: headingID(m.live.at)})
}

// play does the next part of a replay: it sends requests, makes checks, and ends streams, as far as the responses are there.
func (m Model) play() []page.Cmd {
	l := m.live
	r := l.replay
	switch {
	case l.phase == refused:
		return m.sticks(plainly("The lesson’s namespace could not be prepared."))
	case l.phase != ready:
		return nil
	}
	for s := range r.to {
		for n := range m.Lesson.Steps[s].Blocks {
			if cmds, goesOn := m.playBlock(block{s, n}); !goesOn {
				return cmds
			}
		}
	}
	r.state = played
	cmds := []page.Cmd{page.Announce{Words: r.playedWords()}, m.keep()}
	if l.at == r.to {
		cmds = append(cmds, page.Focus{ID: headingID(r.to)})
	}
	return cmds
}

// playBlock does what a block asks for. It goes on when that is done.
func (m Model) playBlock(at block) (cmds []page.Cmd, goesOn bool) {
	l, b := m.live, m.block(at)
	switch {
	case b.Predict != nil:
		if _, made := l.guesses[at]; !made {
			l.guesses[at] = predict.Guess{Choice: predict.Unknown}
		}
	case b.Request != nil:
		return m.playRequest(at, b.Request)
	case b.Check != nil:
		if l.checks[at] == nil {
			cmds = m.check(at)
		}
		switch state := l.checks[at]; {
		case state.holds():
		case state.settled():
			return append(cmds, m.sticks(m.reason(at))...), false
		default:
			return cmds, false
		}
	case b.Stop != nil:
		if of, ok := m.findRequestBlock(b.Stop.Of); ok && l.sent[of] != nil && l.sent[of].Call.Under() {
			return []page.Cmd{l.sent[of].Call.Cancel()}, true
		}
	}
	return cmds, true
}

func (m Model) playRequest(at block, r *lesson.Request) (cmds []page.Cmd, goesOn bool) {
	l := m.live
	switch a := l.sent[at]; {
	case a.Answered():
		return nil, true
	case a != nil && a.Call.Under():
		return nil, false
	case l.replay.sent[at]:
		return m.sticks(about(at.step, "No response came in "+m.stepName(at.step)+".")), false
	}
	filled, err := r.Expanded(l.vars)
	if err != nil || r.As != "" && m.Viewer == "" {
		return m.sticks(about(at.step, "The request of "+m.stepName(at.step)+", can’t be sent. "+m.lacks(at).words)), false
	}
	l.replay.sent[at] = true
	cmds = append(cmds, m.sendFilled(at, filled))
	l.sent[at].Note = fmt.Sprintf("The page sent this request to set up step %d.", l.replay.to+1)
	return cmds, false
}

// sticks ends a replay without success.
func (m Model) sticks(why reason) []page.Cmd {
	m.live.replay.state, m.live.replay.why = stuck, why
	return []page.Cmd{page.Announce{Words: "The step could not be set up. " + why.words}, m.keep()}
}

func replayID(step int) string { return "replay-" + strconv.Itoa(step) }

// proposalWords say what a replay would do.
func (m Model) proposalWords() string {
	r := m.live.replay
	requests := words.Count(int64(len(r.plan)), "request", "requests")
	switch {
	case !r.anew:
		return "The page sends the " + requests + " that the steps before this one lack. Nothing is deleted."
	case m.live.vars[lesson.Namespace] != "" && m.live.phase == ready:
		return "The page deletes what you created, makes a new namespace, and sends the requests of the steps before this one: " + requests + "."
	}
	return "The page makes a namespace, and sends the requests of the steps before this one: " + requests + "."
}

// playingWords say how far a replay is.
func (m Model) playingWords() string {
	l := m.live
	r := l.replay
	if l.phase != ready {
		return "Setting up this step: the namespace is being prepared."
	}
	left := 0
	for s := range r.to {
		for n, b := range m.Lesson.Steps[s].Blocks {
			if b.Request != nil && !l.sent[block{s, n}].Answered() {
				left++
			}
		}
	}
	return fmt.Sprintf("Setting up this step: %d of %d requests have a response.", len(r.plan)-left, len(r.plan))
}

const setUpLabel = "Set up this step for me"

func (r *replay) agreeLabel() string {
	if len(r.plan) == 1 {
		return "Send this request"
	}
	return fmt.Sprintf("Send these %d requests", len(r.plan))
}

func (r *replay) playedWords() string {
	return fmt.Sprintf("The page has set up this step with %s.", words.Count(int64(len(r.plan)), "request", "requests"))
}
