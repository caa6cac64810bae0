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
// log. After a reload, the page reads the responses from the wire log.

const askKept = "kept/" // followed by the block

// recall begins to read the responses of an attempt from the wire log.
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
			if a.Call.Entry = mine.Entries[b.String()]; a.Call.Entry != "" {
				a.Reading = true
				address := web.WithQuery(web.Tool(m.slugFor(*other.Request), web.Requests), url.Values{web.EntryField: {a.Call.Entry}})
				cmds = append(cmds, page.Ask{ID: askKept + b.String(), Address: address, Accept: requests.MediaType})
			}
		}
	}
	return cmds
}

// heardEntry takes the entry of a request in the wire log in.
func (m Model) heardEntry(f page.Response) []page.Cmd {
	text, mine := strings.CutPrefix(f.ID, askKept)
	if !mine {
		return m.fetched(f)
	}
	b, ok := parseBlock(text)
	if a := m.live.sent[b]; ok && a != nil && a.Reading {
		a.Reading = false
		m.recalled(b, a, f)
	}
	return append(m.inquireLeft(), m.proceed()...)
}

// inquireLeft finds out why checks had failed before the page was left. It waits until all responses are there.
func (m Model) inquireLeft() []page.Cmd {
	for _, a := range m.live.sent {
		if a.Reading {
			return nil
		}
	}
	var cmds []page.Cmd
	for at, state := range m.live.checks {
		if state.left && m.live.looks[at] == nil {
			cmds = append(cmds, m.inquire(at)...)
		}
	}
	return cmds
}

// recalled puts a response from the wire log in its place. The page judges it only if it is complete.
func (m Model) recalled(b block, a *sent.Request, f page.Response) {
	var e record.Entry
	r := *m.block(b).Request
	filled, err := r.Expanded(m.live.vars)
	if err != nil || f.Status != status.CodeOK || json.Unmarshal(f.Body, &e) != nil || e.Status == 0 || !filled.IsMadeBy(e.Method, e.Path, e.Query) {
		return
	}
	a.Call = recordedCall(e, m.call("lesson/"+b.String(), filled))
	if a.Call.Under() || r.Watch {
		a.Call.State = call.Canceled // a stream ends when its page is left
	}
	if !byPage(e) {
		a.By = byKubectl
	}
	a.Lines, a.Note = sent.LinesAtOnce, missingWords(e.Answer)
	a.Before = a.Note != ""
	if !a.Before {
		a.Note = "You got this response before you left the page. It comes from the wire log."
		m.judgeLeft(b, a)
	}
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
