package lesson

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/anatomy"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
	"github.com/fieldmark/fieldmark/web/learn/lesson/response"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/web/learn/lesson/shown"
)

// vars are the variables that have values.
func (m Model) vars() lesson.Vars {
	switch {
	case m.Past != nil:
		return m.Past.Vars
	case m.live == nil:
		return nil
	}
	return m.live.vars
}

// lookAt is how the request of a block is shown.
func (m Model) lookAt(at block) anatomy.Look {
	if m.live == nil {
		return anatomy.Look{}
	}
	open, of := strings.CutPrefix(m.live.part, at.String()+" ")
	if !of {
		open = ""
	}
	return anatomy.Look{Do: doPart + " " + at.String(), Open: open}
}

// answersOf are the responses that a widget shows, or the reason why not all of them are there.
func (m Model) answersOf(s *lesson.Show, at block) ([]*sent.Request, string) {
	names := s.Of
	if len(names) == 0 {
		names = []string{""}
	}
	var all []*sent.Request
	for _, name := range names {
		a := m.answerOf(name, at)
		switch {
		case absentWords(a) != "":
			return nil, absentWords(a)
		case a != nil && a.Before:
			return nil, "The wire log has only a part of this response, so nothing is shown here."
		case !a.Answered() && m.elsewhere(name, at) != none:
			return nil, m.first("This part needs the response of ", m.elsewhere(name, at), at).words
		case !a.Known() && a.Answer().Status == 0:
			return nil, "This part is shown when the response has arrived."
		}
		all = append(all, a)
	}
	return all, ""
}

// besides is the response that a recording is compared with: nil if the lesson is only read, or the reason why it isn't there.
func (m Model) besides(r lesson.Recorded, at block) (*sent.Request, string) {
	if !m.responds() || m.away(at.step) {
		return nil, ""
	}
	all, why := m.answersOf(&lesson.Show{Of: []string{r.Of}}, at)
	if why != "" {
		return nil, why
	}
	return all[0], ""
}

// elsewhere is the step of a named request if it is an earlier step; else none.
func (m Model) elsewhere(name string, at block) int {
	if of, ok := m.of(name, at); ok && of.step < at.step {
		return of.step
	}
	return none
}

// viewAt is the view of a widget in a block.
func (m Model) viewAt(at block) shown.View {
	v := shown.View{At: at.String(), Cluster: m.Shell.Cluster.Slug, Vars: m.vars()}
	if m.Past != nil {
		v.Now = m.Past.At
	} else {
		v.Now = m.live.now
	}
	return v
}

// responds tells whether the page can have responses: it is live, or has those that came before.
func (m Model) responds() bool { return m.live != nil || m.Past != nil }

// pastView is how a response is shown that came before. Nothing in it can be pressed.
func (m Model) pastView(at block) response.View {
	notes, _ := m.notes(at)
	return response.View{Line: lineID(at), Body: bodyID(at), Notes: notes, Vars: m.vars(), Points: m.points(at), Still: true}
}

// pastVerdicts are what a check says of a response that came before; nil: it isn't about a response, or the response has changed since.
func (m Model) pastVerdicts(at block, c *lesson.Check) []lesson.Verdict {
	a := m.answerOf(c.Of, at)
	if m.Past == nil || c.Get != "" || !a.Known() || !m.wouldHold(c, a) {
		return nil
	}
	return judgeWith(c, a.Answer(), maps.Clone(m.vars()))
}

// responseView is how the response to the request of a block is shown.
func (m Model) responseView(at block, a *sent.Request) response.View {
	unfold := "managedFields-" + at.String()
	notes, unfit := m.notes(at)
	return response.View{
		Line: lineID(at), Body: bodyID(at), Notes: notes, Unfit: unfit, Vars: m.vars(), Flipped: m.live.open[unfold],
		Points: m.points(at), Opened: m.opened(at), Gap: doGap + " " + at.String(),
		More: doMore + " " + at.String(), Unfold: doUnfold + " " + unfold, Opens: m.opens(a),
	}
}

// layMore lays out more lines of a response. If these are the last ones, the button disappears, so the body gets the focus.
func (m Model) layMore(b block, which string) []page.Cmd {
	a, of := m.live.sent[b], m.responseView
	if which == ofRepeat {
		a, of = m.live.again[b], m.repeatView
	}
	if a == nil {
		return nil
	}
	v := of(b, a)
	if v.Longer(a) {
		return nil
	}
	return []page.Cmd{page.Focus{ID: v.Body}}
}

// notes are the lesson's remarks on the response to a request. They are about the response that the lesson expects. If this response is
// another one, there are no remarks, and the reason for that instead.
func (m Model) notes(b block) ([]lesson.Note, *response.Unfit) {
	var all []lesson.Note
	for n, other := range m.Lesson.Steps[b.step].Blocks {
		if other.Notes == nil {
			continue
		}
		if at, ok := m.of(other.Notes.Of, block{b.step, n}); ok && at == b {
			all = append(all, versioned(other.Notes.Notes)...)
		}
	}
	if m.Past != nil {
		return all, nil
	}
	if unfit := m.unfit(b); unfit != nil && len(all) > 0 {
		return nil, unfit
	}
	return all, nil
}

// prediction is the view of a prediction in its current state.
func (m Model) prediction(at block) predict.View {
	v := predict.View{At: at.String(), Outcome: outcomeID(at), Field: fieldValue + at.String(), Prose: m.prose, Vars: m.vars(), Order: m.order(at)}
	if m.live == nil {
		return v
	}
	v.Do, v.Write, v.Doubt = doGuess+" "+at.String(), doWrite+" "+at.String(), m.doubt(at)
	v.Guess, v.Made = m.live.guesses[at]
	if verdict, judged := m.live.verdicts[at]; judged {
		v.Verdict = &verdict
	}
	return v
}

// wired is the request of a block in its parts. What differs from the last request before it to the same path is marked. since is the step of that request;
// none: nothing is marked.
func (m Model) wired(at block, r *lesson.Request) (t anatomy.Request, since int) {
	t = anatomy.Of(*r, m.vars(), m.Shell)
	var before []*lesson.Request
	var steps []int
	for s, step := range m.Lesson.Steps[:at.step+1] {
		for n, b := range step.Blocks {
			if b.Request != nil && (s < at.step || n < at.n) {
				before, steps = append(before, b.Request), append(steps, s)
			}
		}
	}
	similar := anatomy.Similar(r, before)
	if similar == nil {
		return t, none
	}
	marked, differs := t.Since(anatomy.Of(*similar, m.vars(), m.Shell))
	if !differs {
		return t, none
	}
	return marked, steps[slices.Index(before, similar)]
}

// sinceWords say what is marked in a request.
func sinceWords(step int) string {
	return fmt.Sprintf("Marked: what differs from the request of step %d.", step+1)
}
