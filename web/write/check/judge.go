package check

import (
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
)

// MostWithoutProgram is how many documents of a text the server checks for readers without the program for the browser.
const MostWithoutProgram = 20

// Asker makes the requests of a check on the server.
type Asker interface {
	// Send sends a request and returns its response.
	Send(call.Call) *dryrun.Response
	// Schema returns the schema of a kind; nil if it isn't known.
	Schema(schema.Kind) *schema.Schema
	// Each calls f with each number from 0 to n-1, several at the same time, and returns when all calls are done.
	Each(n int, f func(at int))
}

// Judge checks the first documents of the model's text, up to MostWithoutProgram.
func (m *Model) Judge(by Asker) {
	m.begin(m.Now)
	l := m.live
	contents := check.ContentsOf(documents(l.input.docs))
	first := l.input.docs[:min(len(l.input.docs), MostWithoutProgram)]
	ask := func(at int) {
		for d := first[at]; ; {
			request, asks := d.Next(m.Shell.Cluster.Slug)
			if !asks {
				return
			}
			d.Hear(by.Send(request), by.Schema(d.kind()))
		}
	}
	by.Each(len(first), ask)
	if m.Options.Manager == "" {
		for _, d := range first {
			d.Count(&l.votes)
		}
		m.Choice = l.votes.Choice()
		for _, d := range first {
			d.For(m.Choice.Manager)
		}
		by.Each(len(first), ask)
	}
	m.Judged = make([][]check.Finding, len(first))
	by.Each(len(first), func(at int) { m.Judged[at] = first[at].Judge(contents) })
	lacking := check.Lacking{}
	for at, found := range m.Judged {
		m.Judged[at] = lacking.Fold(found)
	}
	m.live = nil // begin makes it again, from Judged
}
