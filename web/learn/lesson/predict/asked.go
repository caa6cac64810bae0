package predict

import (
	"slices"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// View is a prediction in its current state, and its context.
type View struct {
	At      string                   // the block, for ids
	Outcome string                   // the id of its outcome
	Field   string                   // the field for a value
	Do      string                   // the action of a choice's button, without the choice; empty: there are no buttons
	Write   string                   // the action of the button for a value
	Prose   func(text string) string // fills the variables in HTML of the lesson
	Vars    lesson.Vars
	Order   []int // the order of the choices; see Order
	Guess   Guess
	Made    bool     // there is a guess
	Verdict *Verdict // nil: it isn't judged
	Doubt   *Doubt   // why it can't be judged now; nil: no reason is known
}

// final tells whether the guess can no longer be changed.
func (v View) final() bool { return v.Verdict != nil }

// cameOf is the mark of a choice in a judged prediction: right, or wrong if the learner chose it; else empty.
func (v View) cameOf(p *lesson.Predict, choice int) string {
	switch {
	case v.Verdict == nil:
		return ""
	case p.Choices[choice].Right:
		return "right"
	case v.Guess.Choice == choice:
		return "wrong"
	}
	return ""
}

// chosen is the choice that explains the guess; nil: there is none.
func (v View) chosen(p *lesson.Predict) *lesson.Choice { return chosen(p, v.Guess, *v.Verdict, v.Vars) }

// truth is the correct choice; nil if it explains the guess, or if there is none.
func (v View) truth(p *lesson.Predict) *lesson.Choice {
	i := truthOf(p)
	if i < 0 || v.chosen(p) == &p.Choices[i] {
		return nil
	}
	return &p.Choices[i]
}

// again tells whether a choice in the order is there before with the same text, for other versions.
func (v View) again(p *lesson.Predict, place int) bool {
	return slices.ContainsFunc(v.Order[:place], func(before int) bool { return p.Choices[before].Text == p.Choices[v.Order[place]].Text })
}
