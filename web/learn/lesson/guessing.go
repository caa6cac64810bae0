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

// guess takes in a prediction. It can be changed until it is judged.
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

// proceed does what the page does by itself, and judges predictions before and after: an ended check may be what one waited for.
func (m Model) proceed() []page.Cmd {
	judged := m.judgePredictions()
	cmds := m.goOn()
	if judged = m.judgePredictions() || judged; judged {
		cmds = append(cmds, m.keep())
	}
	return cmds
}

// judgePredictions judges the predictions that can be judged by now. A verdict stays, whatever is sent later.
func (m Model) judgePredictions() (judged bool) {
	for b, g := range m.live.guesses {
		if _, already := m.live.verdicts[b]; already || !m.told(b) {
			continue
		}
		if v, d := m.judgePrediction(b, g); d == nil {
			m.live.verdicts[b] = v
			judged = true
		}
	}
	return judged
}

// judgePrediction judges a prediction by the response that is there now.
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

// doubt is why a prediction can't be judged though its request was answered; nil: it is judged, or waits for its response.
func (m Model) doubt(b block) *predict.Doubt {
	g, made := m.live.guesses[b]
	if _, judged := m.live.verdicts[b]; judged || !made || !m.told(b) {
		return nil
	}
	_, d := m.judgePrediction(b, g)
	return d
}

// failing is the first statement that failed in the checks of a response: those of the request's step, and of another step.
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

// verdictsOf are those of a check: as it was judged, or else as it would be now. A stream is judged by its check alone.
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

// keptVerdicts are the verdicts as the browser keeps them.
func (m Model) keptVerdicts() map[string]string {
	kept := map[string]string{}
	for b, v := range m.live.verdicts {
		v.Came = layout.Cut(v.Came, mostKept)
		kept[b.String()] = v.String()
	}
	return kept
}

// mostKept bounds what is kept of a value that came, in bytes. The page shows no more of it.
const mostKept = 400

// takeVerdicts takes up the verdicts that were kept. A verdict without its prediction is none.
func (m Model) takeVerdicts(kept map[string]string) {
	for text, verdict := range kept {
		b, ok := parseBlock(text)
		_, made := m.live.guesses[b]
		if v, is := predict.ParseVerdict(verdict); ok && made && is {
			m.live.verdicts[b] = v
		}
	}
}

// order is the order in which the choices of a prediction are shown: another one in each attempt.
func (m Model) order(b block) []int {
	p := m.block(b).Predict
	if p == nil {
		return nil
	}
	return predict.Order(p, m.Lesson.ID, b.String(), m.seed())
}

// seed tells attempts apart: by the name of the attempt, or of the one that comes next. Before the browser has told what it keeps,
// and without the program, it is empty.
func (m Model) seed() string {
	if m.live == nil || m.live.book.Learner == "" {
		return ""
	}
	if unique := m.live.vars[lesson.Unique]; unique != "" {
		return unique
	}
	return m.live.book.Learner + strconv.Itoa(m.mine().Attempt+1)
}

// subject is the block of the request whose answer tells; of an unnamed one, the next in the step, or else the one before.
func (m Model) subject(b block) (block, bool) {
	p := m.block(b).Predict
	if p.Of != "" {
		return m.named(p.Of)
	}
	for n := b.n + 1; b.step < len(m.Lesson.Steps) && n < len(m.Lesson.Steps[b.step].Blocks); n++ {
		if at := (block{b.step, n}); m.block(at).Request != nil {
			return at, true
		}
	}
	return m.of("", b)
}

// told tells whether what is asked can be told by now: from the answer, or, where there can't be one, from the lesson.
func (m Model) told(b block) bool {
	at, ok := m.subject(b)
	if !ok || m.live.phase == reading && m.mayNotHereAt(at) {
		return true
	}
	return m.live.sent[at].Answered() && m.cameTo(at, b.step)
}

// cameTo tells whether what a stream brings has come as far as a step checks it; other answers are there as a whole.
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

// mayNotHereAt tells whether the request of a block can never be sent on this cluster.
func (m Model) mayNotHereAt(b block) bool {
	r := m.block(b).Request
	if r == nil || m.mayNotHere(r) != "" || r.As != "" && m.Viewer == "" {
		return true
	}
	_, err := r.Expanded(m.live.vars)
	return err != nil
}

// question is the prediction of the step in sight that waits to be made.
func (m Model) question() (block, bool) {
	if m.live.at < 0 || m.live.at >= m.end() {
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
	}
	return block{}, false
}

// questionBefore is a prediction that has to be made before a request of its step is sent.
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
