// Package predict is a prediction: what the learner chooses before a request is sent, and whether the response matches it.
package predict

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// Guess is what the learner predicts.
type Guess struct {
	Choice int // its place among the choices, or one of those below
	Value  string
}

// What is no choice.
const (
	Unknown = -1 // "I don't know"
	Written = -2 // a value
)

// String is the guess as it is kept, and as buttons name it; Parse reads it.
func (g Guess) String() string {
	switch g.Choice {
	case Unknown:
		return "?"
	case Written:
		return "=" + g.Value
	}
	return strconv.Itoa(g.Choice)
}

// Parse reads what String writes; what else there is says that the learner doesn't know.
func Parse(text string) Guess {
	if value, is := strings.CutPrefix(text, "="); is {
		return Guess{Choice: Written, Value: value}
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return Guess{Choice: Unknown}
	}
	return Guess{Choice: n}
}

// Verdict is what became of a prediction.
type Verdict struct {
	Right   bool
	Unknown bool           // the learner said that they don't know
	Chosen  *lesson.Choice // nil: none of the choices was meant
	Truth   *lesson.Choice // the right one; nil: none is
	Came    string         // of a value: what it is
}

// state is the same in a word for styles.
func (v Verdict) state() string {
	switch {
	case v.Unknown:
		return "unknown"
	case v.Right:
		return "right"
	}
	return "wrong"
}

// Words are the same for people.
func (v Verdict) Words() string {
	switch {
	case v.Unknown:
		return "Now you know."
	case v.Right:
		return "Right."
	}
	return "Not so."
}

// Judge tells what became of a prediction. The response decides where it can.
func Judge(p *lesson.Predict, g Guess, a *sent.Request, vars lesson.Vars) Verdict {
	if p.Value != nil {
		return judgeValue(p, g, a, vars)
	}
	v := Verdict{Unknown: g.Choice == Unknown}
	for i, right := range right(p, a, vars) {
		if right && v.Truth == nil {
			v.Truth = &p.Choices[i]
		}
		if i == g.Choice {
			v.Chosen, v.Right = &p.Choices[i], right
		}
	}
	return v
}

// right tells of each choice whether it is: the answer decides where it can. What a stream has brought changes later on, and the lesson knows what it was.
func right(p *lesson.Predict, a *sent.Request, vars lesson.Vars) []bool {
	if !a.Known() || a.Watch {
		all := make([]bool, len(p.Choices))
		for i, c := range p.Choices {
			all[i] = c.Right
		}
		return all
	}
	return sent.Once(a, vars, p, func() []bool {
		answer := a.Answer().Remembering()
		all := make([]bool, len(p.Choices))
		for i, c := range p.Choices {
			all[i] = c.Right
			if c.If != nil {
				all[i] = c.If.Judge(answer, vars).OK
			}
		}
		return all
	})
}

func judgeValue(p *lesson.Predict, g Guess, a *sent.Request, vars lesson.Vars) Verdict {
	v := Verdict{Unknown: g.Choice == Unknown}
	var other *lesson.Choice
	for i := range p.Choices {
		c := &p.Choices[i]
		text := vars.Plain(c.Text)
		switch {
		case c.Right:
			v.Truth, v.Came = c, text
		case text == "*":
			other = c
		}
		if g.Choice == Written && text == g.Value {
			v.Chosen = c
		}
	}
	if a.Known() && !a.Watch {
		v.Came = sent.Once(a, vars, p, func() string {
			came, _ := p.Value.Of(a.Answer(), vars)
			return came
		})
	}
	v.Right = !v.Unknown && g.Value == v.Came
	if v.Chosen == nil && !v.Unknown && !v.Right {
		v.Chosen = other
	}
	return v
}

// View is where a prediction is asked for, and how far it is.
type View struct {
	At      string                   // names the block, in ids
	Outcome string                   // the id of what became of it
	Field   string                   // of a value that is being written
	Do      string                   // what the button of a choice does; empty: the page is not alive
	Write   string                   // and that of a value
	Prose   func(text string) string // fills in what texts of the lesson leave open
	Guess   Guess
	Made    bool     // there is a guess
	Told    bool     // the truth can be told by now, if there is a guess
	Verdict *Verdict // nil: it can't be told yet
}

// final tells whether the guess can't be changed any more.
func (v View) final() bool { return v.Made && v.Told }

// cameOf tells of a choice, once the truth is known, whether it was right, or wrong and chosen.
func (v View) cameOf(c *lesson.Choice) string {
	switch {
	case v.Verdict == nil:
		return ""
	case v.Verdict.Truth == c:
		return "right"
	case v.Verdict.Chosen == c:
		return "wrong"
	}
	return ""
}
