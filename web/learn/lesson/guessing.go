package lesson

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// guess is what the learner predicts.
type guess struct {
	choice int // its place among the choices, or one of those below
	value  string
}

const (
	unknown = -1 // "I don't know"
	written = -2 // a value
)

// String is the guess as it is kept, and as buttons name it; parseGuess reads it.
func (g guess) String() string {
	switch g.choice {
	case unknown:
		return "?"
	case written:
		return "=" + g.value
	}
	return strconv.Itoa(g.choice)
}

func parseGuess(text string) guess {
	if value, is := strings.CutPrefix(text, "="); is {
		return guess{choice: written, value: value}
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return guess{choice: unknown}
	}
	return guess{choice: n}
}

// guess takes in a prediction. It can be changed until the answer is there.
func (m Model) guess(b block, g guess) []page.Cmd {
	p := m.block(b).Predict
	if p == nil || g.choice >= len(p.Choices) || g.choice == written && g.value == "" {
		return nil
	}
	if _, made := m.live.guesses[b]; made && m.told(b) {
		return nil
	}
	m.live.guesses[b] = g
	cmds := m.proceed()
	if o, ok := m.outcomeOf(b); ok {
		cmds = append(cmds, page.Announce{Words: o.words()}, page.Focus{ID: outcomeID(b)})
	} else {
		cmds = append(cmds, page.Announce{Words: "Predicted. Now see what comes."})
	}
	return append(cmds, m.keep())
}

// cameOf tells of a choice, once the truth is known, whether it was right, or wrong and chosen.
func (m Model) cameOf(b block, choice int) string {
	v, known := m.outcomeOf(b)
	switch c := &m.block(b).Predict.Choices[choice]; {
	case !known:
		return ""
	case v.truth == c:
		return "right"
	case v.chosen == c:
		return "wrong"
	}
	return ""
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

// verdictOn is what became of a prediction.
type verdictOn struct {
	right   bool
	unknown bool           // the learner said that they don't know
	chosen  *lesson.Choice // nil: none of the choices was meant
	truth   *lesson.Choice // the right one; nil: none is
	came    string         // of a value: what it is
}

// state is the same in a word for styles.
func (v verdictOn) state() string {
	switch {
	case v.unknown:
		return "unknown"
	case v.right:
		return "right"
	}
	return "wrong"
}

func (v verdictOn) words() string {
	switch {
	case v.unknown:
		return "Now you know."
	case v.right:
		return "Right."
	}
	return "Not so."
}

// outcomeOf is what became of a prediction; false: that can't be told yet.
func (m Model) outcomeOf(b block) (verdictOn, bool) {
	g, made := m.live.guesses[b]
	if !made || !m.told(b) {
		return verdictOn{}, false
	}
	p := m.block(b).Predict
	var a *sent.Request
	if at, ok := m.subject(b); ok {
		a = m.live.sent[at]
	}
	if p.Value != nil {
		return m.outcomeOfValue(p, g, a), true
	}
	v := verdictOn{unknown: g.choice == unknown}
	for i, right := range m.right(p, a) {
		if right && v.truth == nil {
			v.truth = &p.Choices[i]
		}
		if i == g.choice {
			v.chosen, v.right = &p.Choices[i], right
		}
	}
	return v, true
}

// right tells of each choice whether it is: the answer decides where it can. What a stream has brought changes later on, and the lesson knows what it was.
func (m Model) right(p *lesson.Predict, a *sent.Request) []bool {
	if !a.Known() || a.Watch {
		all := make([]bool, len(p.Choices))
		for i, c := range p.Choices {
			all[i] = c.Right
		}
		return all
	}
	return sent.Once(a, m.live.vars, p, func() []bool {
		answer := a.Answer().Remembering()
		all := make([]bool, len(p.Choices))
		for i, c := range p.Choices {
			all[i] = c.Right
			if c.If != nil {
				all[i] = c.If.Judge(answer, m.live.vars).OK
			}
		}
		return all
	})
}

func (m Model) outcomeOfValue(p *lesson.Predict, g guess, a *sent.Request) verdictOn {
	v := verdictOn{unknown: g.choice == unknown}
	var other *lesson.Choice
	for i := range p.Choices {
		c := &p.Choices[i]
		text := m.live.vars.Plain(c.Text)
		switch {
		case c.Right:
			v.truth, v.came = c, text
		case text == "*":
			other = c
		}
		if g.choice == written && text == g.value {
			v.chosen = c
		}
	}
	if a.Known() && !a.Watch {
		v.came = sent.Once(a, m.live.vars, p, func() string {
			came, _ := p.Value.Of(a.Answer(), m.live.vars)
			return came
		})
	}
	v.right = !v.unknown && g.value == v.came
	if v.chosen == nil && !v.unknown && !v.right {
		v.chosen = other
	}
	return v
}
