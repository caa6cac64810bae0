package run

import (
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web/run/describe"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

// describeBytes bounds each response. A list of pods with long statuses can be large.
const describeBytes = 16 << 20

// describe is the page that says how an object is, and what it waits for.
func (v making) describe(s subject.Subject) describe.Model {
	m := describe.Model{Subject: s, Read: v.Now()}
	asks := m.Asks()
	requests := make([]api.Request, len(asks))
	for i, ask := range asks {
		requests[i] = api.Request{Path: ask.Path, Accept: ask.Accept, MaxBytes: describeBytes}
	}
	for i, r := range v.sendAll(v.Context(), requests) {
		if r.no != nil {
			m = m.Refused(asks[i].ID, *r.no)
			continue
		}
		m = m.Heard(asks[i].ID, r.body)
	}
	m.Subject.Shell.Requests = v.Requests(v.Path.String())
	return m
}
