package predict

import "github.com/fieldmark/fieldmark/lessons/lesson"

// View is where a prediction is asked for, and how far it is.
type View struct {
	At      string                   // names the block, in ids
	Outcome string                   // the id of what became of it
	Field   string                   // of a value that is being written
	Do      string                   // what the button of a choice does; empty: the page is not alive
	Write   string                   // and that of a value
	Prose   func(text string) string // fills in what texts of the lesson leave open
	Vars    lesson.Vars
	Order   []int // of the choices
	Guess   Guess
	Made    bool     // there is a guess
	Verdict *Verdict // nil: it isn't judged
	Doubt   *Doubt   // why it can't be judged now; nil: nothing speaks against it
}

// final tells whether the guess can't be changed any more.
func (v View) final() bool { return v.Verdict != nil }

// cameOf tells of a choice, once the prediction is judged, whether it was correct, or chosen and not correct.
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

// chosen is the choice that explains the guess.
func (v View) chosen(p *lesson.Predict) *lesson.Choice { return chosen(p, v.Guess, *v.Verdict, v.Vars) }

// truth is the correct choice, where it isn't the one that explains the guess.
func (v View) truth(p *lesson.Predict) *lesson.Choice {
	i := truthOf(p)
	if i < 0 || v.chosen(p) == &p.Choices[i] {
		return nil
	}
	return &p.Choices[i]
}
