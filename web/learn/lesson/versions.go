package lesson

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
)

// Most of this package doesn't know versions: what isn't true for the server has been set aside or left out by lesson.Lesson.On, so there
// is nothing to send or to check in it. What is set aside is shown with its versions.

// onServer begins a note about the reader's server.
func (m Model) onServer() string {
	if m.Shell.Apart {
		return "On Kubernetes " + m.Version.String()
	}
	return "On your server (Kubernetes " + m.Version.String() + ")"
}

// whose names the server whose responses the page has.
func (m Model) whose() string {
	if m.Shell.Apart {
		return "this server"
	}
	return "your server"
}

// impossible says why a step, which is true for these versions, can't be done.
func (m Model) impossible(r release.Range) string {
	words := "This step is for Kubernetes " + r.Words()
	if !m.Version.Known() {
		return words + ". The version of your server is unknown, so the page only shows the step. Read it, and go on."
	}
	return words + ". " + components.Sentence(m.whose()+" has "+m.Version.String()+", so the page only shows the step.") + " Read it, and go on."
}

// unsendable says why a request can't be sent.
func (m Model) unsendable(at block, r release.Range) string {
	if r.IsZero() {
		r = m.Lesson.Steps[at.step].Range
	}
	if !m.Version.Known() {
		return "The version of your server is unknown, so the page doesn’t send this request."
	}
	return components.Sentence(m.whose()+" has Kubernetes "+m.Version.String()) + " This request is for " + r.Words() + ", so the page doesn’t send it."
}

// labelled tells whether a block that is set aside names its versions. The blocks after it don't repeat them.
func (m Model) labelled(at block) bool {
	before := m.block(block{at.step, at.n - 1}).Aside
	return before == nil || before.Block.Differs || before.Range != m.block(at).Aside.Range
}

// unasked is the view of a prediction that is only shown.
func (m Model) unasked(at block, p *lesson.Predict) predict.View {
	order := predict.Order(p, m.Lesson.ID, at.String(), m.seed())
	return predict.View{At: at.String(), Prose: m.prose, Vars: m.vars(), Order: order}
}

// versioned are remarks that name the versions for which they are true, if nobody knows whether they are true for the server.
func versioned(notes []lesson.Note) []lesson.Note {
	out := slices.Clone(notes)
	for i, n := range out {
		if !n.Range.IsZero() {
			out[i].Text = "Kubernetes " + n.Range.Words() + ": " + n.Text
		}
	}
	return out
}
