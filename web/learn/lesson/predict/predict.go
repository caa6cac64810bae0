// Package predict is a prediction: what the learner chooses before a request is sent, and whether the response matches it.
//
//	Guess ──▶ Judge ──▶ Verdict: correct, almost, not quite           (predict.go; almost.go compares values)
//	            └─────▶ Doubt: why the response can't judge it        (doubt.go)
//	Order: the choices in the order in which they are shown           (order.go)
//
// A response judges a prediction only if the checks of the lesson hold. The lesson explains each choice for that response alone.
package predict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/words"
)

// Guess is what the learner predicts.
type Guess struct {
	Choice int // its index in the lesson, wherever it is shown; or one of those below
	Value  string
}

// Guesses that are not choices.
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

// Parse reads what String writes. Any other text means that the learner doesn't know.
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

// Outcome is the result of a prediction, as a word for the stylesheet and the browser's storage.
type Outcome string

// The outcomes.
const (
	Right    Outcome = "right"
	Almost   Outcome = "almost" // the value is meant, but written in another way
	Wrong    Outcome = "wrong"
	NotKnown Outcome = "unknown" // the learner said that they don't know
)

// spoken are the words for each outcome.
var spoken = map[Outcome]string{Right: words.Correct, Almost: words.Almost, Wrong: words.NotQuite, NotKnown: words.HereIsWhat}

// Verdict is the result of a prediction.
type Verdict struct {
	Outcome Outcome
	Came    string // the value in the response, where a value was predicted
}

// Words are the outcome for people.
func (v Verdict) Words() string { return spoken[v.Outcome] }

// Counts tells whether the prediction counts as correct.
func (v Verdict) Counts() bool { return v.Outcome == Right || v.Outcome == Almost }

// String is the verdict as it is kept; ParseVerdict reads it.
func (v Verdict) String() string { return strings.TrimSuffix(string(v.Outcome)+" "+v.Came, " ") }

// ParseVerdict reads what String writes; false: the text is no verdict.
func ParseVerdict(text string) (Verdict, bool) {
	outcome, came, _ := strings.Cut(text, " ")
	v := Verdict{Outcome: Outcome(outcome), Came: came}
	return v, spoken[v.Outcome] != ""
}

// Judge judges a prediction, or says why the response can't judge it. Without a response, and for a stream, it uses the lesson's own answer.
func Judge(p *lesson.Predict, g Guess, a *sent.Request, vars lesson.Vars) (Verdict, *Doubt) {
	if a.Known() && !a.Watch {
		if d := sent.Once(a, vars, p, func() *Doubt { return borneOut(p, a.Answer().Remembering(), vars) }); d != nil {
			return Verdict{}, d
		}
	}
	v := Verdict{Outcome: Wrong}
	truth := truthOf(p)
	if p.Value != nil && truth >= 0 {
		v.Came = vars.Plain(p.Choices[truth].Text)
	}
	switch {
	case g.Choice == Unknown:
		v.Outcome = NotKnown
	case p.Value == nil && g.Choice == truth, p.Value != nil && g.Value == v.Came:
		v.Outcome = Right
	case p.Value != nil && !exacting(p, v.Came, vars) && lesson.Almost(g.Value, v.Came):
		v.Outcome = Almost
	}
	return v, nil
}

// truthOf is the index of the correct choice; below 0: there is none.
func truthOf(p *lesson.Predict) int {
	for i, c := range p.Choices {
		if c.Right {
			return i
		}
	}
	return Unknown
}

// exacting tells whether case and number are what the lesson teaches: it explains a wrong value that differs from the right one only by them.
func exacting(p *lesson.Predict, right string, vars lesson.Vars) bool {
	return slices.ContainsFunc(p.Choices, func(c lesson.Choice) bool { return !c.Right && lesson.Almost(vars.Plain(c.Text), right) })
}

// chosen is the choice that explains a guess; nil: there is none.
func chosen(p *lesson.Predict, g Guess, v Verdict, vars lesson.Vars) *lesson.Choice {
	if p.Value == nil {
		if g.Choice < 0 || g.Choice >= len(p.Choices) {
			return nil
		}
		return &p.Choices[g.Choice]
	}
	if g.Choice != Written {
		return nil
	}
	return explained(p, g.Value, v, vars)
}

// explained is the choice that explains a value: the value itself, one that is almost the same, or any other.
func explained(p *lesson.Predict, value string, v Verdict, vars lesson.Vars) *lesson.Choice {
	var near, other *lesson.Choice
	for i := range p.Choices {
		c := &p.Choices[i]
		switch text := vars.Plain(c.Text); {
		case text == value:
			return c
		case text == "*":
			other = c
		case near == nil && (v.Counts() || !c.Right) && lesson.Almost(value, text):
			near = c
		}
	}
	if near != nil || v.Counts() {
		return near
	}
	return other
}

// Points are the values in a response that a prediction is about.
func Points(p *lesson.Predict) []lesson.Subject {
	var all []lesson.Subject
	add := func(s lesson.Subject) {
		switch s.Kind {
		case lesson.JSON, lesson.Count, lesson.Owners:
			all = append(all, s)
		}
	}
	if p.Value != nil {
		add(*p.Value)
	}
	for _, c := range p.Choices {
		if c.Right && c.If != nil {
			add(c.If.Subject)
		}
	}
	return all
}
