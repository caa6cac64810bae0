package lesson

import (
	"encoding/json"
	"maps"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/requests"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// The browser doesn't store responses, because they can be large and may contain secrets. It stores the numbers of the requests in the wire
// log. After a reload, the page reads the responses from the wire log. In local mode, the server keeps the responses of a lesson with its progress, and
// the page reads all of them at once.

const askKept = "kept/" // followed by the block; without one: all that the server keeps of the lesson

// recall begins to read the responses of an attempt.
func (m Model) recall(mine progress.Lesson) []page.Cmd {
	l := m.live
	answered := map[block]bool{}
	for _, text := range mine.Sent {
		if b, ok := parseBlock(text); ok {
			answered[b] = true
		}
	}
	var cmds []page.Cmd
	for s, step := range m.Lesson.Steps {
		for n, other := range step.Blocks {
			b := block{s, n}
			if other.Request == nil || !answered[b] {
				continue
			}
			a := &sent.Request{Before: true, Watch: other.Request.Watch, Order: m.nextOrder()}
			l.sent[b] = a
			if a.Call.Entry = mine.Entries[b.String()]; a.Call.Entry == "" {
				continue
			}
			a.Reading = true
			if m.Shell.Progress == "" {
				address := web.WithQuery(web.Tool(m.slugFor(*other.Request), web.Requests), url.Values{web.EntryField: {a.Call.Entry}})
				cmds = append(cmds, page.Ask{ID: askKept + b.String(), Address: address, Accept: requests.MediaType})
			}
		}
	}
	if m.Shell.Progress != "" && m.reading() {
		cmds = append(cmds, page.Ask{ID: askKept, Address: web.WithQuery(web.Progress, url.Values{progress.LessonField: {m.Lesson.ID}}), Accept: "application/json"})
	}
	return cmds
}

// reading tells whether responses are being read.
func (m Model) reading() bool {
	for _, a := range m.live.sent {
		if a.Reading {
			return true
		}
	}
	return false
}

// heardEntry takes in what was recorded of a request, or of all requests of the lesson.
func (m Model) heardEntry(f page.Response) []page.Cmd {
	text, mine := strings.CutPrefix(f.ID, askKept)
	if !mine {
		return m.fetched(f)
	}
	entries := map[string]record.Entry{}
	if f.Status == status.CodeOK && text == "" {
		_ = json.Unmarshal(f.Body, &entries) // without an entry, the page says that a response is no longer there
	} else if f.Status == status.CodeOK {
		var e record.Entry
		if json.Unmarshal(f.Body, &e) == nil {
			entries[text] = e
		}
	}
	for b, a := range m.live.sent {
		if a.Reading && (text == "" || text == b.String()) {
			a.Reading = false
			m.recalled(b, a, entries[b.String()])
		}
	}
	return append(m.inquireLeft(), m.proceed()...)
}

// inquireLeft finds out why checks had failed before the page was left. It waits until all responses are there.
func (m Model) inquireLeft() []page.Cmd {
	if m.reading() {
		return nil
	}
	var cmds []page.Cmd
	for at, state := range m.live.checks {
		if state.left && m.live.looks[at] == nil {
			cmds = append(cmds, m.inquire(at)...)
		}
	}
	return cmds
}

// recalled puts a recorded response in its place. The page judges it only if it is complete.
func (m Model) recalled(b block, a *sent.Request, e record.Entry) {
	r := *m.block(b).Request
	filled, err := r.Expanded(m.live.vars)
	if err != nil || e.Status == 0 || !filled.IsMadeBy(e.Method, e.Path, e.Query) {
		return
	}
	number := a.Call.Entry
	a.Call = recordedCall(e, m.call("lesson/"+b.String(), filled))
	if a.Filed = e.ID == 0; a.Filed {
		a.Call.Entry = number
	}
	if a.Call.Under() || r.Watch {
		a.Call.State = call.Canceled // a stream ends when its page is left
	}
	if !byPage(e) {
		a.By = byKubectl
	}
	a.Lines, a.Note = sent.LinesAtOnce, missingWords(e.Answer)
	a.Before = a.Note != ""
	if !a.Before {
		a.Note = "You got this response before you left the page. It comes from " + m.source() + "."
		m.judgeLeft(b, a)
	}
}

// source is where recorded responses come from.
func (m Model) source() string {
	if m.Shell.Progress != "" {
		return "your progress, which Fieldmark keeps"
	}
	return "the wire log"
}

// judgeLeft judges again the checks that had failed before the page was left, to show what was expected and received.
func (m Model) judgeLeft(b block, a *sent.Request) {
	for at, state := range m.live.checks {
		c := m.block(at).Check
		if of, ok := m.of(c.Of, at); ok && of == b && c.Get == "" && state.left {
			state.verdicts = judgeWith(c, a.Answer(), maps.Clone(m.live.vars))
		}
	}
}

// missingWords say which part of a response the wire log doesn't have; empty: the response is complete.
func missingWords(s record.Side) string {
	switch {
	case s.Withheld != "":
		return "The wire log did not keep the body of this response, so the page can’t check it."
	case s.Redacted:
		return "The wire log hides secret values in this response, so the page can’t check it."
	case s.Cut:
		return "The wire log kept only the beginning of this response, so the page can’t check it."
	}
	return ""
}

// byPage tells whether a recorded request was sent by a page, and not by a program such as kubectl.
func byPage(e record.Entry) bool {
	return strings.HasPrefix(e.Request.Get("User-Agent"), "Mozilla/")
}

// absentWords say why a response isn't shown; empty: it is shown, or there is none yet.
func absentWords(a *sent.Request) string {
	switch {
	case a == nil || !a.Before || a.Call.Status != 0:
		return ""
	case a.Reading:
		return "You sent this request before you left the page. Its response is being read from the wire log."
	}
	return "You sent this request before you left the page. The wire log no longer has its response."
}
