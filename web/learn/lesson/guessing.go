package lesson

import (
	"maps"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// guess takes a prediction in. The learner can change it until it is judged.
func (m Model) guess(b block, g predict.Guess) []page.Cmd {
	p := m.block(b).Predict
	if p == nil || g.Choice >= len(p.Choices) || g.Choice == predict.Written && g.Value == "" {
		return nil
	}
	if _, judged := m.live.verdicts[b]; judged {
		return nil
	}
	m.live.guesses[b] = g
	cmds := m.proceed()
	if v, judged := m.live.verdicts[b]; judged {
		cmds = append(cmds, page.Announce{Words: v.Words()}, page.Focus{ID: outcomeID(b)})
	} else if d := m.doubt(b); d != nil {
		cmds = append(cmds, page.Announce{Words: d.Words}, page.Focus{ID: outcomeID(b)})
	} else {
		cmds = append(cmds, page.Announce{Words: "Predicted. Now send the request."})
	}
	return append(cmds, m.keep())
}

// proceed does what the page does without the learner: it judges predictions, and makes checks. Then it judges predictions again, because a
// prediction may wait for a check.
func (m Model) proceed() []page.Cmd {
	judged := m.judgePredictions()
	var cmds []page.Cmd
	if m.replaying() {
		cmds = m.play()
	}
	if !m.replaying() {
		cmds = append(cmds, m.goOn()...)
	}
	if judged = m.judgePredictions() || judged; judged {
		cmds = append(cmds, m.keep())
	}
	return append(cmds, m.listen()...) // the next request may be another user's
}

// judgePredictions judges the predictions whose responses are there. A verdict stays, whatever is sent later.
func (m Model) judgePredictions() (judged bool) {
	for b, g := range m.live.guesses {
		if _, already := m.live.verdicts[b]; already || !m.isOutcomeKnown(b) {
			continue
		}
		if v, d := m.judgePrediction(b, g); d == nil {
			m.live.verdicts[b] = v
			judged = true
		}
	}
	return judged
}

// judgePrediction judges a prediction by the response, or says why it can't.
func (m Model) judgePrediction(b block, g predict.Guess) (predict.Verdict, *predict.Doubt) {
	p := m.block(b).Predict
	at, ok := m.subject(b)
	if !ok || m.live.phase == reading && m.mayNotHereAt(at) {
		return predict.Judge(p, g, nil, m.live.vars)
	}
	a := m.live.sent[at]
	if !a.Known() {
		return predict.Verdict{}, &predict.Gone
	}
	if s, failed := m.failing(at, b.step); failed {
		return predict.Verdict{}, predict.Failed(s, m.live.vars)
	}
	return predict.Judge(p, g, a, m.live.vars)
}

// doubt is why a prediction can't be judged although there is a response; nil: it is judged, or there is no response yet.
func (m Model) doubt(b block) *predict.Doubt {
	g, made := m.live.guesses[b]
	if _, judged := m.live.verdicts[b]; judged || !made || !m.isOutcomeKnown(b) {
		return nil
	}
	_, d := m.judgePrediction(b, g)
	return d
}

// failing is the first failed statement in the checks of a response, in the request's step and in another step.
func (m Model) failing(request block, step int) (lesson.Statement, bool) {
	for _, s := range slices.Compact([]int{request.step, step}) {
		for n, other := range m.Lesson.Steps[s].Blocks {
			at := block{s, n}
			if other.Check == nil || other.Check.Get != "" {
				continue
			}
			if of, ok := m.of(other.Check.Of, at); !ok || of != request {
				continue
			}
			for _, v := range m.verdictsOf(at, other.Check, m.live.sent[request]) {
				if !v.OK {
					return v.Statement, true
				}
			}
		}
	}
	return lesson.Statement{}, false
}

// verdictsOf are the verdicts of a check: those that were made, or else those that it would have now. A stream has only those that were made,
// because it changes.
func (m Model) verdictsOf(at block, c *lesson.Check, a *sent.Request) []lesson.Verdict {
	if state := m.live.checks[at]; state.settled() {
		return state.verdicts
	}
	if a.Watch {
		return nil
	}
	return sent.Once(a, m.live.vars, c, func() []lesson.Verdict {
		vars, answer := maps.Clone(m.live.vars), a.Answer().Remembering()
		var all []lesson.Verdict
		for _, s := range c.Statements {
			all = append(all, s.Judge(answer, vars))
		}
		return all
	})
}

// keptVerdicts are the verdicts as the browser stores them.
func (m Model) keptVerdicts() map[string]string {
	kept := map[string]string{}
	for b, v := range m.live.verdicts {
		v.Came = layout.Cut(v.Came, mostKept)
		kept[b.String()] = v.String()
	}
	return kept
}

// mostKept bounds the part of a value that is stored, in bytes. The page shows no more of it.
const mostKept = 400

// takeVerdicts reads stored verdicts. It ignores a verdict without its prediction.
func (m Model) takeVerdicts(kept map[string]string) {
	for text, verdict := range kept {
		b, ok := parseBlock(text)
		_, made := m.live.guesses[b]
		if v, is := predict.ParseVerdict(verdict); ok && made && is {
			m.live.verdicts[b] = v
		}
	}
}

// order is the order in which the choices of a prediction are shown. It differs in each attempt.
func (m Model) order(b block) []int {
	p := m.block(b).Predict
	if p == nil {
		return nil
	}
	return predict.Order(p, m.Lesson.ID, b.String(), m.seed())
}

// seed is the name of the attempt, or of the next one if none has begun. It is empty until the browser's storage is read, and without the
// program in the browser.
func (m Model) seed() string {
	if m.live == nil || m.live.book.Learner == "" {
		return ""
	}
	if unique := m.live.vars[lesson.Unique]; unique != "" {
		return unique
	}
	return m.live.book.Learner + strconv.Itoa(m.mine().Attempt+1)
}

// subject is the block of the request that a prediction is about: the named one, or else the next one in the step, or else the last one before.
func (m Model) subject(b block) (block, bool) {
	p := m.block(b).Predict
	if p.Of != "" {
		return m.findRequestBlock(p.Of)
	}
	for n := b.n + 1; b.step < len(m.Lesson.Steps) && n < len(m.Lesson.Steps[b.step].Blocks); n++ {
		if at := (block{b.step, n}); m.block(at).Request != nil {
			return at, true
		}
	}
	return m.of("", b)
}

// isOutcomeKnown tells whether the outcome of a prediction can be shown: its response is there, or there can't be one on this cluster.
func (m Model) isOutcomeKnown(b block) bool {
	at, ok := m.subject(b)
	if !ok || m.live.phase == reading && m.mayNotHereAt(at) {
		return true
	}
	return m.live.sent[at].Answered() && m.cameTo(at, b.step)
}

// cameTo tells whether a stream has come as far as the step's checks need it. For any other response it is true.
func (m Model) cameTo(request block, step int) bool {
	if !m.live.sent[request].Watch {
		return true
	}
	for n, other := range m.Lesson.Steps[step].Blocks {
		at := block{step, n}
		if other.Check == nil || other.Check.Get != "" {
			continue
		}
		if of, ok := m.of(other.Check.Of, at); ok && of == request {
			return m.live.checks[at].settled()
		}
	}
	return true
}

// mayNotHereAt tells whether the request of a block can't be sent to this cluster at all.
func (m Model) mayNotHereAt(b block) bool {
	r := m.block(b).Request
	if r == nil || m.mayNotHere(r) != "" || r.As != "" && m.Viewer == "" {
		return true
	}
	_, err := r.Expanded(m.live.vars)
	return err != nil
}

// question is the prediction of the step in sight that a key makes: the open one, or else the last one that can still be changed. It is false
// if there is none.
func (m Model) question() (last block, found bool) {
	if m.live.at < 0 || m.live.at >= m.endPlace() {
		return block{}, false
	}
	for n, b := range m.Lesson.Steps[m.live.at].Blocks {
		at := block{m.live.at, n}
		if b.Predict == nil || n > m.reach(m.live.at) {
			continue
		}
		if _, made := m.live.guesses[at]; !made {
			return at, true
		}
		if _, judged := m.live.verdicts[at]; !judged {
			last, found = at, true
		}
	}
	return last, found
}

// questionBefore is an open prediction that must be made before a request of its step is sent; false: there is none.
func (m Model) questionBefore(b block) (block, bool) {
	for n := range b.n {
		at := block{b.step, n}
		if m.block(at).Predict == nil {
			continue
		}
		if _, made := m.live.guesses[at]; !made {
			return at, true
		}
	}
	return block{}, false
}
