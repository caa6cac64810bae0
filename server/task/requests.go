package task

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// requests reads what the learner sends from the wire log.
type requests struct {
	run  *run
	view wiretap.View
	from uint64          // requests up to this number have ended, and were taken
	done map[uint64]bool // taken, but an earlier one is still open
	sent int             // writes in the task's namespace
}

func newRequests(r *run) *requests {
	view := r.opt.Tap.View(r.session)
	return &requests{run: r, view: view, from: view.Last(), done: map[uint64]bool{}}
}

// learners are the origins of what somebody does. Fieldmark's own errands and watches aren't among them.
var learners = []string{record.Page, record.Browser, record.Client}

// fresh are the requests of the learner that have ended since the last call, in their order. A watch that is still open is among them each time, because
// its response grows: its events may come long after its headers.
func (l *requests) fresh() []lesson.Made {
	var all []lesson.Made
	open := false
	next := l.from
	for _, as := range []string{"", "viewer"} {
		slug := l.run.slug(as)
		for _, line := range l.view.Lines(slug, l.from) {
			switch {
			case l.done[line.ID]:
			case !line.Done:
				open = true
				if line.Streams() {
					all = append(all, l.made(slug, as, line)...)
				}
				continue
			default:
				all = append(all, l.made(slug, as, line)...)
				l.count(line)
			}
			l.done[line.ID] = true
			next = max(next, line.ID)
		}
	}
	if !open {
		l.from, l.done = next, map[uint64]bool{}
	}
	slices.SortFunc(all, func(a, b lesson.Made) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// made is a request with its response, if the learner sent it and if it is kept.
func (l *requests) made(slug, as string, line record.Line) []lesson.Made {
	if !slices.Contains(learners, line.Origin) {
		return nil
	}
	e, kept := l.view.Entry(slug, line.ID)
	if !kept {
		return nil
	}
	return []lesson.Made{madeOf(e, as)}
}

// count counts what the learner changes in the task's namespace. Reads don't count, because pages read by themselves, too.
func (l *requests) count(line record.Line) {
	p, err := apipath.Parse(line.Path)
	made := lesson.Request{Method: line.Method, Target: line.Target()}
	if err == nil && slices.Contains(learners, line.Origin) && line.Passed() && p.Namespace == l.run.standing.Namespace && made.Writes() {
		l.sent++
	}
}

// madeOf is a recorded request.
func madeOf(e record.Entry, as string) lesson.Made {
	m := lesson.Made{ID: e.ID, As: as, Method: e.Method, Path: e.Path, Query: e.Query}
	m.Sent = lesson.Answer{Status: 1, Body: e.Request.Body, Size: int64(len(e.Request.Body)), Header: fields(e.Request)}
	m.Response = lesson.Answer{Status: e.Status, Body: e.Answer.Body, Size: int64(len(e.Answer.Body)), Wire: e.Answer.Bytes, Header: fields(e.Answer), Open: !e.Done}
	return m
}

func fields(s record.Side) []lesson.Header {
	var all []lesson.Header
	for _, f := range s.Header {
		all = append(all, lesson.Header{Name: f.Name, Value: f.Value})
	}
	if s.MediaType != "" && !slices.ContainsFunc(all, func(h lesson.Header) bool { return strings.EqualFold(h.Name, "Content-Type") }) {
		all = append(all, lesson.Header{Name: "Content-Type", Value: s.MediaType})
	}
	return all
}
