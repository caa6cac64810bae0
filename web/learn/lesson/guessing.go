package lesson

import (
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// guess takes in a prediction. It can be changed until the answer is there.
func (m Model) guess(b block, g predict.Guess) []page.Cmd {
	p := m.block(b).Predict
	if p == nil || g.Choice >= len(p.Choices) || g.Choice == predict.Written && g.Value == "" {
		return nil
	}
	if _, made := m.live.guesses[b]; made && m.told(b) {
		return nil
	}
	m.live.guesses[b] = g
	cmds := m.proceed()
	if o, ok := m.outcomeOf(b); ok {
		cmds = append(cmds, page.Announce{Words: o.Words()}, page.Focus{ID: outcomeID(b)})
	} else {
		cmds = append(cmds, page.Announce{Words: "Predicted. Now see what comes."})
	}
	return append(cmds, m.keep())
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

// outcomeOf is what became of a prediction; false: that can't be told yet.
func (m Model) outcomeOf(b block) (predict.Verdict, bool) {
	g, made := m.live.guesses[b]
	if !made || !m.told(b) {
		return predict.Verdict{}, false
	}
	var a *sent.Request
	if at, ok := m.subject(b); ok {
		a = m.live.sent[at]
	}
	return predict.Judge(m.block(b).Predict, g, a, m.live.vars), true
}
