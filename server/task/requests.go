package task

import (
	"cmp"
	"net/http"
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
	// streams are the learner's open watches, with whose rights each was sent.
	streams map[uint64]string
	sent    int // writes in the task's namespace
}

func newRequests(r *run) *requests {
	view := r.opt.Tap.View(r.session)
	return &requests{run: r, view: view, from: view.Last(), done: map[uint64]bool{}, streams: map[uint64]string{}}
}

// learners are the origins of what somebody does. Fieldmark's own errands and watches aren't among them.
var learners = []string{record.Page, record.Browser, record.Client}

// fresh are the requests of the learner that have ended since the last call, in their order. A watch that is still open is among them each time, because
// its response grows: its events may come long after its headers. news tells whether there are others than such watches.
func (l *requests) fresh() (all []lesson.Made, news bool) {
	all = l.streamed()
	known := len(all)
	open := false
	next := l.from
	for _, as := range []string{"", "viewer"} {
		slug := l.run.slug(as)
		for _, line := range l.view.Lines(slug, l.from) {
			switch {
			case l.done[line.ID]:
			case !line.Done && !line.Streams():
				open = true
				continue
			case slices.Contains(learners, line.Origin):
				all = append(all, l.made(slug, as, line.ID)...)
				l.count(line)
				if !line.Done {
					l.streams[line.ID] = as
				}
			}
			l.done[line.ID] = true
			next = max(next, line.ID)
		}
	}
	if !open {
		l.from, l.done = next, map[uint64]bool{}
	}
	news = len(all) > known
	slices.SortFunc(all, func(a, b lesson.Made) int { return cmp.Compare(a.ID, b.ID) })
	return all, news
}

// behind tells whether the learner has sent something that fresh hasn't taken: a request that began after its last call, or a write that hadn't ended then. The
// state of the cluster may have the effect of such a request already.
func (l *requests) behind() bool {
	for _, as := range []string{"", "viewer"} {
		for _, line := range l.view.Lines(l.run.slug(as), l.from) {
			if !l.done[line.ID] && slices.Contains(learners, line.Origin) && (line.Done || line.Streams() || writes(line)) {
				return true
			}
		}
	}
	return false
}

// streamed are the learner's watches that were open at the last call.
func (l *requests) streamed() (all []lesson.Made) {
	for id, as := range l.streams {
		if line, kept := l.view.Line(id); !kept || line.Done {
			delete(l.streams, id)
		}
		all = append(all, l.made(l.run.slug(as), as, id)...)
	}
	return all
}

// made is a request with its response, if it is kept.
func (l *requests) made(slug, as string, id uint64) []lesson.Made {
	e, kept := l.view.Entry(slug, id)
	if !kept {
		return nil
	}
	return []lesson.Made{madeOf(e, as)}
}

// count counts what the learner changes in the task's namespace. Reads don't count, because pages read by themselves, too. Refused writes change nothing.
func (l *requests) count(line record.Line) {
	p, err := apipath.Parse(line.Path)
	if err == nil && line.Passed() && p.Namespace == l.run.standing.Namespace && writes(line) && line.Status < http.StatusBadRequest {
		l.sent++
	}
}

// writes tells whether a request may change an object. A shell in a container is none, and may be open for hours.
func writes(line record.Line) bool {
	p, err := apipath.Parse(line.Path)
	return err == nil && !p.Connects() && lesson.Request{Method: line.Method, Target: line.Target()}.Writes()
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
