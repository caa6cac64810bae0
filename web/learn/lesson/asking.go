package lesson

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// byKubectl is the sender of a request that the page didn't send; see sent.Request.By.
const byKubectl = "kubectl"

// of is the block of the request that another block is about: the request with the name, or without a name the last one before the block in
// its step. It is false if there is none.
func (m Model) of(name string, b block) (block, bool) {
	if name != "" {
		return m.findRequestBlock(name)
	}
	for n := b.n - 1; n >= 0; n-- {
		if at := (block{b.step, n}); m.block(at).Request != nil {
			return at, true
		}
	}
	return block{}, false
}

func (m Model) findRequestBlock(name string) (block, bool) {
	for s, step := range m.Lesson.Steps {
		for n, b := range step.Blocks {
			if b.Request != nil && b.Request.Name == name {
				return block{s, n}, true
			}
		}
	}
	return block{}, false
}

// answerOf is the response that a block is about; nil: there is none yet.
func (m Model) answerOf(name string, b block) *sent.Request {
	at, ok := m.of(name, b)
	switch {
	case !ok:
		return nil
	case m.Past != nil:
		return m.Past.Sent[m.block(at).Request.Name]
	case m.live != nil:
		return m.live.sent[at]
	}
	return nil
}

// mostStreamed bounds what the page keeps of a stream, in bytes.
const mostStreamed = 4 << 20

// sendRequest sends a request of the lesson, unless mayNot has a reason not to.
func (m Model) sendRequest(b block) []page.Cmd {
	r := m.block(b).Request
	if r == nil || m.mayNot(b) != "" {
		return nil // a second click: the request is on its way
	}
	filled, err := r.Expanded(m.live.vars)
	if err != nil {
		return nil // mayNot has covered this
	}
	var cmds []page.Cmd
	if m.live.phase == unbegun { // the lesson needs no namespace, so it begins with its first request
		cmds = m.attempt(m.mine().Attempt + 1)
	}
	cmds = append(cmds, m.sendFilled(b, filled))
	return append(cmds, page.Announce{Words: "Request sent"}, page.Focus{ID: m.remaining(b, sendID(b))})
}

// call is a request of the lesson as the page sends it. Without an Accept header it requests JSON.
func (m Model) call(id string, r lesson.Request) call.Call {
	x := call.Call{ID: id, Cluster: m.slugFor(r), Method: r.Method, Path: r.Target, Keep: r.Keep}
	if r.Body != "" {
		x.Body = []byte(r.Body)
	}
	accepts := false
	for _, h := range r.Header {
		switch strings.ToLower(h.Name) {
		case "accept-encoding":
			x.Coding = h.Value
			continue
		case "accept":
			accepts = true
		}
		x.Header = append(x.Header, request.Header(h))
	}
	if !accepts {
		x.Header = append(x.Header, request.Header{Name: "Accept", Value: "application/json"})
	}
	if r.Watch {
		x.Keep = cmp.Or(x.Keep, mostStreamed)
		x.Coding = cmp.Or(x.Coding, "identity") // browsers read only the first member of a gzip stream
	}
	return x
}

// lasting is a request of the lesson whose response the page reads again from the wire log after a reload. So the wire log keeps more of it.
func (m Model) lasting(b block, r lesson.Request) call.Call {
	x := m.call("lesson/"+b.String(), r)
	x.Reread = true
	return x
}

// slugFor is the slug of the cluster that a request goes to. Requests of the viewer go to the same cluster under another slug.
func (m Model) slugFor(r lesson.Request) string {
	if r.As != "" {
		return m.Viewer
	}
	return m.Shell.Cluster.Slug
}

// undo forgets the checks of a response that is about to be replaced. Passed checks of a stream stay, because its events did arrive.
func (m Model) undo(b block) {
	watch := m.block(b).Request.Watch
	for at, state := range m.live.checks {
		c := m.block(at).Check
		if c == nil || watch && state.holds() {
			continue
		}
		if of, ok := m.of(c.Of, at); ok && of == b || at.step == b.step && at.n > b.n && c.Get != "" {
			delete(m.live.checks, at)
		}
	}
}

// stop ends a stream.
func (m Model) stop(b block, which string) []page.Cmd {
	a := m.live.sent[b]
	if which == ofRepeat {
		a = m.live.again[b]
	}
	if a != nil && a.Call.Under() {
		return []page.Cmd{a.Call.Cancel(), page.Focus{ID: m.remaining(b, sendID(b))}}
	}
	return nil
}

// heardAnswer takes a part of a response in; false: the message is about something else.
func (m Model) heardAnswer(msg page.Msg) ([]page.Cmd, bool) {
	for b, a := range m.live.again {
		if x, mine := a.Call.Hear(msg); mine && a.By == "" {
			return m.heardRepeat(b, a, x), true
		}
	}
	for b, a := range m.live.sent {
		if a.Before || a.By != "" {
			continue
		}
		x, mine := a.Call.Hear(msg)
		if !mine {
			continue
		}
		first := a.Call.Status == 0
		a.Call = x
		if first {
			a.Order = m.nextOrder()
		}
		if x.Done() && !a.Watch || a.Watch && first && x.Status != 0 {
			return []page.Cmd{page.Announce{Words: x.Outcome()}, page.Reveal{ID: m.firstNews(b)}, m.keep()}, true
		}
		return nil, true
	}
	return nil, false
}

// firstNews is the id of the first element that a response changes: the outcome of a prediction, or else the response itself.
func (m Model) firstNews(b block) string {
	for n := range b.n {
		at := block{b.step, n}
		if _, made := m.live.guesses[at]; !made || m.block(at).Predict == nil {
			continue
		}
		if of, ok := m.subject(at); ok && of == b {
			return outcomeID(at)
		}
	}
	return lineID(b)
}

// mayNot says why the page can't send a request now; empty: it can.
func (m Model) mayNot(b block) string {
	r := m.block(b).Request
	l := m.live
	switch {
	case r == nil || l == nil:
		return "The page’s program has not started yet."
	case m.Problem != nil:
		return "Fieldmark can’t send requests to this cluster now."
	case !m.Shell.In():
		return "There is no cluster to send the request to."
	case l.elsewhere != nil:
		return m.takenWords() + " Go on here first."
	case m.replaying():
		return "The page is setting up step " + strconv.Itoa(l.replay.to+1) + "."
	case l.phase == making || l.phase == awaiting:
		return "The lesson’s namespace is being prepared. Wait until it is ready."
	case l.phase == tidying || l.phase == over:
		return "The lesson is over, and its objects are deleted. Do the lesson again to send requests."
	case l.phase != ready && l.phase != reading && m.needsNamespace():
		return "Begin the lesson first. It creates your own namespace."
	}
	return m.mayNotSend(b, r)
}

// mayNotSend says why the page can't send a request, in a lesson that has begun; empty: it can.
func (m Model) mayNotSend(b block, r *lesson.Request) string {
	l := m.live
	if l.phase == reading {
		if why := m.mayNotHere(r); why != "" {
			return why
		}
	}
	if l.sent[b].Waiting() || l.again[b].Waiting() {
		return "The request is on its way."
	}
	if r.As != "" && m.Viewer == "" {
		return "This request needs the user practice-viewer, and only the practice cluster has this user."
	}
	if q, pending := m.questionBefore(b); pending && q.step == b.step {
		return "Make your prediction first. The response would show the answer."
	}
	return m.lacks(b).words
}

// mayNotHere says why a request is never sent to this cluster; empty: it can be sent.
func (m Model) mayNotHere(r *lesson.Request) string {
	if r.Reads() {
		return ""
	}
	if m.Shell.ReadOnly {
		return "This request writes. " + m.Shell.Limit()
	}
	return fmt.Sprintf("This request writes, and %s is not the practice cluster. Lessons write only to the practice cluster.", m.Shell.Cluster.Name)
}
