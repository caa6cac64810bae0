package check

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// MostWithoutProgram is how many documents of a text the server checks for readers without the program for the browser.
const MostWithoutProgram = 20

// Asker makes the requests of a check on the server.
type Asker interface {
	// Send sends a request and returns its response.
	Send(check.Ask) check.Response
	// Schema returns the schema of a kind; nil if it isn't known.
	Schema(schema.Kind) *schema.Schema
	// Each calls f with each number from 0 to n-1, several at the same time, and returns when all calls are done.
	Each(n int, f func(at int))
	// Over tells whether the check must end, because its time is over, or nobody waits for it.
	Over() bool
}

// Judge checks the first documents of the model's text, up to MostWithoutProgram. If it must end before, the model has the findings so far, and says
// what is missing.
func (m *Model) Judge(by Asker) {
	m.readAll(m.Now, by.Over)
	l := m.live
	l.plan.Contents = check.ContentsOf(documents(l.input.docs))
	first := l.input.docs[:min(len(l.input.docs), MostWithoutProgram)]
	told := make([]bool, len(first)) // by document: it is judged
	m.Judged = make([][]check.Finding, len(first))
	ask := func(at int) {
		for d := first[at]; !by.Over(); {
			request, asks := d.Next()
			if !asks {
				if !l.plan.Surveys() {
					m.Judged[at], told[at] = d.Judge(), true
				}
				return
			}
			response := by.Send(request)
			if d.Schema == nil {
				d.Schema = by.Schema(d.kind())
			}
			d.Take(response)
		}
	}
	by.Each(len(first), ask)
	if l.plan.Surveys() {
		for _, d := range first {
			l.plan.Count(d.Inquiry)
		}
		m.Choice = l.plan.Choose()
		by.Each(len(first), ask)
	}
	if ended := slices.Index(told, false); ended >= 0 {
		m.Judged = m.Judged[:ended]
	}
	lacking := check.Lacking{}
	for at, found := range m.Judged {
		m.Judged[at] = lacking.Fold(found)
	}
	m.Ended = by.Over()
	m.show()
}
