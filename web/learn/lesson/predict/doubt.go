package predict

import "github.com/fieldmark/fieldmark/lessons/lesson"

// Doubt is why a prediction can't be judged.
type Doubt struct {
	Words string // a sentence
	Check string // the failed check, as the lesson writes it; empty: the reason is another one
}

// The reasons. None of them is about the learner.
var (
	Gone = Doubt{Words: "The page no longer has the whole response, so your prediction can’t be judged."}

	fitsNone    = Doubt{Words: "The response fits none of the choices, so your prediction can’t be judged."}
	fitsSeveral = Doubt{Words: "The response fits more than one choice, so your prediction can’t be judged."}
	differs     = Doubt{Words: "The response differs from what this lesson explains, so your prediction can’t be judged."}
	hasNoValue  = Doubt{Words: "The response doesn’t have this value, so your prediction can’t be judged."}
)

// Failed is the doubt that a failed check leaves.
func Failed(s lesson.Statement, vars lesson.Vars) *Doubt {
	return &Doubt{Words: "A check of this response failed, so your prediction can’t be judged.", Check: vars.Plain(s.String())}
}

// borneOut says why a response doesn't fit what the lesson says about the choices; nil: it fits.
func borneOut(p *lesson.Predict, a lesson.Answer, vars lesson.Vars) *Doubt {
	if p.Value != nil {
		return valueBorneOut(p, a, vars)
	}
	fits, asExplained := 0, false
	for _, c := range p.Choices {
		fit := c.Right
		if c.If != nil {
			fit = c.If.Judge(a, vars).OK
		}
		if fit {
			fits++
			asExplained = c.Right
		}
	}
	switch {
	case fits == 0:
		return &fitsNone
	case fits > 1:
		return &fitsSeveral
	case !asExplained:
		return &differs
	}
	return nil
}

func valueBorneOut(p *lesson.Predict, a lesson.Answer, vars lesson.Vars) *Doubt {
	came, ok := p.Value.Of(a, vars)
	truth := truthOf(p)
	switch {
	case !ok:
		return &hasNoValue
	case truth < 0 || vars.Plain(p.Choices[truth].Text) != came:
		return &differs
	}
	return nil
}
